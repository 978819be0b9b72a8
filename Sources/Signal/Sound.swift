// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Decoded audio in memory.
public struct Sound: Sendable, Equatable {
  /// The samples of each channel; all channels have the same length.
  public let channels: [[Float]]
  /// The sample rate of the recording before any conversion, in hertz; 0 if it is unknown.
  public let recordedRate: Double

  /// Creates a sound from channels, which are cut to the shortest of them.
  public init(channels: [[Float]], recordedRate: Double = 0) {
    self.recordedRate = recordedRate
    var shortest = channels.isEmpty ? 0 : Int.max
    for channel in channels { shortest = min(shortest, channel.count) }
    var cut: [[Float]] = []
    for channel in channels { cut.append(channel.count == shortest ? channel : Array(channel[..<shortest])) }
    self.channels = cut
  }

  /// The length in frames.
  public var frameCount: Int { channels.isEmpty ? 0 : channels[0].count }
}
