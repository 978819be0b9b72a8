// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The number of a bus of a node, from 0.
///
/// A type of its own, so that a channel count or a flag cannot be taken for it: a
/// literal will do, a variable will not.
public struct Bus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  private let number: Int32

  /// The bus with this number.
  public init(integerLiteral index: Int) { self.init(index: index) }

  /// The bus with this number, said outright.
  public init(index: Int) { number = Int32(clamping: index) }

  /// The index of the bus among the node's inputs or outputs, from 0.
  public var index: Int { Int(number) }

  public var description: String { "\(index)" }
}

/// The format of a node's bus: channels of sound, or events.
public enum BusFormat: Hashable, Sendable, CustomStringConvertible {
  /// So many channels of samples, 1 to 64.
  case audio(channels: Int)
  /// Events, MIDI among them.
  case events

  /// The most channels a bus may have.
  package static let mostChannels = 64

  /// How many channels there are; 0 for events.
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
