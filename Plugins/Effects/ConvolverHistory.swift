// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// What came in lately, for each channel: a ring whose beginning is written twice, so that any stretch up to
/// two of the largest partitions long lies in one piece.
@safe struct ConvolverHistory: ~Copyable {
  private let rings: UnsafeMutablePointer<Float>
  private let largest: Int, channelCount: Int
  /// From one channel to the next: a ring of three partitions, the first of them again, and what a loop over
  /// eights may read too much.
  private let stride: Int
  /// Where the next frame goes.
  private var place = 0

  /// Silence, for partitions up to `largest` frames, a multiple of 64.
  init(channels: Int, largest: Int) {
    self.largest = largest
    channelCount = channels
    stride = 4 * largest + 64
    unsafe rings = .allocate(capacity: channels * stride)
    unsafe rings.initialize(repeating: 0, count: channels * stride)
  }

  deinit { unsafe rings.deallocate() }

  /// Forgets all sound. What lies further back than a partition is never asked for before it is written.
  @_noLocks @_noAllocation mutating func clear() {
    place = 0
    for channel in 0..<channelCount {
      let ring = unsafe rings + channel * stride
      unsafe rt_clear_floats(ring + 2 * largest, largest)
    }
  }

  /// Writes `count` frames of a channel, none of them past the next multiple of 64.
  @_noLocks @_noAllocation func write(_ channel: Int, _ samples: UnsafePointer<Float>, count: Int) {
    let ring = unsafe rings + channel * stride
    unsafe rt_copy_floats(ring + place, samples, count)
    if place < largest { unsafe rt_copy_floats(ring + 3 * largest + place, samples, count) }
  }

  /// Moves on.
  @_noLocks @_noAllocation mutating func advance(_ count: Int) {
    place = place + count < 3 * largest ? place + count : 0
  }

  /// The frames of a channel from `delay` frames before the next one on, as far as they are written.
  ///
  /// - Parameter delay: at most 64, or at a multiple of a partition at most two of these.
  @_noLocks @_noAllocation func frames(_ channel: Int, delay: Int) -> UnsafePointer<Float> {
    let ring = unsafe rings + channel * stride
    return unsafe UnsafePointer(ring + (place >= delay ? place : place + 3 * largest) - delay)
  }
}
