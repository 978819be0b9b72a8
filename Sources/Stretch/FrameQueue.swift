// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Frames that were made and not yet asked for. Samples lie channel beside channel.
struct FrameQueue {
  private let channelCount: Int
  private var samples: [Float] = []
  /// The first frame that was not given.
  private var start = 0

  /// As many frames as are given before those that remain are moved to the front.
  private static let mostGiven = 1 << 14

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Adds a sample; after those of all channels it is a frame.
  mutating func append(_ sample: Float) { samples.append(sample) }

  /// Adds the samples of whole frames.
  mutating func append(contentsOf more: some Collection<Float>) { samples += more }

  /// Gives up to `count` frames, and tells how many.
  mutating func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let given = min(count, samples.count / channelCount - start)
    for sample in 0..<given * channelCount { frames[sample] = samples[start * channelCount + sample] }
    start += given
    if start * channelCount == samples.count {
      samples.removeAll(keepingCapacity: true)
      start = 0
    } else if start > FrameQueue.mostGiven {
      samples.removeFirst(start * channelCount)
      start = 0
    }
    return given
  }
}
