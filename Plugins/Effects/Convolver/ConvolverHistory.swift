// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The last input frames of each channel: a ring whose beginning is stored twice, so that any range of up to two of the
/// largest partitions is contiguous.
@safe struct ConvolverHistory: ~Copyable {
  private let rings: UnsafeMutablePointer<Float>
  private let largest: Int, channelCount: Int
  /// The distance between channels in floats: a ring of three partitions, a copy of the first, and a margin for loops
  /// that access eight floats at once.
  private let stride: Int
  /// The index at which the next frame is written.
  private var writeIndex = 0

  /// Creates a silent history for partitions up to `largest` frames, a multiple of 64.
  init(channels: Int, largest: Int) {
    self.largest = largest
    channelCount = channels
    stride = 4 * largest + 64
    unsafe rings = .allocate(capacity: channels * stride)
    unsafe rings.initialize(repeating: 0, count: channels * stride)
  }

  deinit { unsafe rings.deallocate() }

  /// Clears all state. Frames further back than a partition are never read before they are written.
  @_noLocks @_noAllocation mutating func clear() {
    writeIndex = 0
    for channel in 0..<channelCount {
      let ring = unsafe rings + channel * stride
      unsafe rt_clear_floats(ring + 2 * largest, largest)
    }
  }

  /// Writes `count` frames of a channel, none of them past the next multiple of 64.
  @_noLocks @_noAllocation func write(_ channel: Int, _ samples: UnsafePointer<Float>, count: Int) {
    let ring = unsafe rings + channel * stride
    unsafe rt_copy_floats(ring + writeIndex, samples, count)
    if writeIndex < largest { unsafe rt_copy_floats(ring + 3 * largest + writeIndex, samples, count) }
  }

  /// Advances by `count` frames.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    writeIndex = writeIndex + count < 3 * largest ? writeIndex + count : 0
  }

  /// Returns the written frames of a channel, beginning `delay` frames before the next one to be written.
  ///
  /// - Parameter delay: at most 64; at a multiple of a partition, at most two of these partitions.
  @_noLocks @_noAllocation func frames(_ channel: Int, delay: Int) -> UnsafePointer<Float> {
    let ring = unsafe rings + channel * stride
    return unsafe UnsafePointer(ring + (writeIndex >= delay ? writeIndex : writeIndex + 3 * largest) - delay)
  }
}
