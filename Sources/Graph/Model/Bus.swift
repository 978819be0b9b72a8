// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The index of a node's bus, from 0.
///
/// A separate type, so that a channel count or a flag cannot be passed by mistake: an integer literal converts to it,
/// a variable does not.
public struct Bus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  private let number: Int32

  /// Creates the bus with this index.
  public init(integerLiteral index: Int) { self.init(index: index) }

  /// Creates the bus with this index, for indices that are not literals.
  public init(index: Int) { number = Int32(clamping: index) }

  /// The index of the bus among the node's inputs or outputs, from 0.
  public var index: Int { Int(number) }

  public var description: String { "\(index)" }
}

/// The format of a node's bus: audio channels, or events.
@nonexhaustive public enum BusFormat: Hashable, Sendable, CustomStringConvertible {
  /// Audio with this number of channels, 1 to 64.
  case audio(channels: Int)
  /// Events, including MIDI.
  case events

  /// The maximum number of channels of a bus.
  package static let mostChannels = 64

  /// The number of channels; 0 for events.
  public var channelCount: Int {
    switch self {
    case .audio(let channels): channels
    case .events: 0
    }
  }

  public var description: String {
    switch self {
    case .audio(let channels): "\(channels) ch"
    case .events: "events"
    }
  }
}
