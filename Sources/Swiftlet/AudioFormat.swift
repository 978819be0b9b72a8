// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How sound is laid out in time and space: 32-bit floats, one array a channel.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// Frames a second, above 0.
  public let sampleRate: Double
  /// Channels, 1 or more.
  public let channelCount: Int

  /// A format of `channelCount` channels at `sampleRate`; values below 1 are taken as 1.
  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate >= 1 ? sampleRate : 1
    self.channelCount = max(channelCount, 1)
  }

  public var description: String { "\(channelCount) ch, \(sampleRate) Hz" }
}
