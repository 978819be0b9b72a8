// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

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
