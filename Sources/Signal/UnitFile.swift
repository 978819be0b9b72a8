// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A file that a unit is made with, as its description names it.
public struct FileDescription: Sendable {
  /// How the unit wants to have it.
  public enum Content: Sendable {
    /// A sound file, decoded and converted to the unit's rate.
    case sound
    /// A file that the unit reads by itself.
    case path
  }

  /// The key it stands under in a manifest: `response`.
  public let symbol: StaticString
  /// Its name for people.
  public let name: StaticString
  /// What it is for, in one line.
  public let meaning: StaticString
  /// How the unit wants to have it.
  public let content: Content
  /// Whether the unit cannot be made without.
  public let isRequired: Bool

  /// Describes a file that the unit needs, unless told otherwise.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, content: Content = .sound,
    isRequired: Bool = true
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.content = content
    self.isRequired = isRequired
  }
}

/// A file as a unit gets it, in its ``Layout``. Control thread.
public enum UnitFile: Sendable {
  /// A decoded sound at the layout's rate.
  case sound(Sound)
  /// Where the file is: a path of UTF-8 bytes that ends with a zero, as the C library wants it.
  case path([CChar])
}

/// Some sound in memory.
public struct Sound: Sendable, Equatable {
  /// The samples of each channel; all are equally long.
  public let channels: [[Float]]
  /// The rate that it was recorded at, before it was brought to another; 0 where that is not known.
  public let recordedRate: Double

  /// A sound of these channels, cut to the shortest of them.
  public init(channels: [[Float]], recordedRate: Double = 0) {
    self.recordedRate = recordedRate
    var shortest = channels.isEmpty ? 0 : Int.max
    for channel in channels { shortest = min(shortest, channel.count) }
    var cut: [[Float]] = []
    for channel in channels { cut.append(channel.count == shortest ? channel : Array(channel[..<shortest])) }
    self.channels = cut
  }

  /// How many frames long it is.
  public var frameCount: Int { channels.isEmpty ? 0 : channels[0].count }
}
