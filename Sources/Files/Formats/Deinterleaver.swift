// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Sorts frames that lie as files have them, channel beside channel, into channels of their own.
struct Deinterleaver {
  /// Lays up to so many frames at an address, and says how many there were.
  typealias Source = (UnsafeMutablePointer<Float>, Int) throws(FileError) -> Int

  let channelCount: Int
  private var mixed: [Float] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Fills `channels`, each with room for `count` floats; its memory is kept for the next time.
  mutating func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, from source: Source
  ) throws(FileError) -> Int {
    if mixed.count < count * channelCount { mixed = [Float](repeating: 0, count: count * channelCount) }
    let frames = try source(&mixed, count)
    for channel in 0..<channelCount {
      let target = channels[channel]
      for frame in 0..<frames { target[frame] = mixed[frame * channelCount + channel] }
    }
    return frames
  }

  /// Makes an array a channel.
  func read(_ count: Int, from source: Source) throws(FileError) -> [[Float]] {
    var mixed = [Float](repeating: 0, count: count * channelCount)
    let frames = try source(&mixed, count)
    return (0..<channelCount).map { channel in (0..<frames).map { mixed[$0 * channelCount + channel] } }
  }
}
