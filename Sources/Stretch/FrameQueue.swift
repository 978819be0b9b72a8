// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A queue of interleaved frames that were produced and not yet consumed.
struct FrameQueue {
  private let channelCount: Int
  private var samples: [Float] = []
  /// The index of the first frame that has not been consumed.
  private var start = 0

  /// The number of consumed frames after which the remaining ones are moved to the front.
  private static let mostConsumed = 1 << 14

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Appends one sample; the samples of all channels make a frame.
  mutating func append(_ sample: Float) { samples.append(sample) }

  /// Appends the samples of whole frames.
  mutating func append(contentsOf more: some Collection<Float>) { samples += more }

  /// Copies up to `count` frames, and returns their number.
  mutating func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let given = min(count, samples.count / channelCount - start)
    for sample in 0..<given * channelCount { frames[sample] = samples[start * channelCount + sample] }
    start += given
    if start * channelCount == samples.count {
      samples.removeAll(keepingCapacity: true)
      start = 0
    } else if start > FrameQueue.mostConsumed {
      samples.removeFirst(start * channelCount)
      start = 0
    }
    return given
  }
}
