// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Some frames of sound: 32-bit floats, full scale from −1 to 1, one array a channel.
///
/// A value; for control threads. The audio thread works on `Block` views instead.
public struct AudioBuffer: Equatable, Sendable {
  /// The samples, channel by channel. All channels have the same length.
  public private(set) var channels: [[Float]]

  /// A silent buffer. Counts below 0 are taken as 0.
  public init(channelCount: Int, frameCount: Int) {
    channels = Array(
      repeating: Array(repeating: 0, count: max(frameCount, 0)), count: max(channelCount, 0))
  }

  /// A buffer of `channels`; shorter ones are filled up with silence.
  public init(_ channels: [[Float]]) {
    let longest = channels.map(\.count).max() ?? 0
    self.channels = channels.map { $0 + Array(repeating: 0, count: longest - $0.count) }
  }

  /// How many channels there are.
  public var channelCount: Int { channels.count }
  /// How many frames each channel has.
  public var frameCount: Int { channels.first?.count ?? 0 }

  /// The samples of one channel, from 0; empty for a channel that is not there.
  public subscript(channel: Int) -> [Float] { channels.indices.contains(channel) ? channels[channel] : [] }

  /// Adds the frames of `other` at the end. Channels that `other` lacks become silent there.
  public mutating func append(_ other: AudioBuffer) {
    for channel in channels.indices {
      let more = other[channel]
      channels[channel] += more + Array(repeating: 0, count: other.frameCount - more.count)
    }
  }

  /// The highest absolute sample.
  public var peak: Float { channels.lazy.flatMap(\.self).reduce(0) { max($0, abs($1)) } }
}
