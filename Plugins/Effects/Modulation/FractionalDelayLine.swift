// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A delay line with fractional delays that may differ from frame to frame.
///
/// A copy of the ring's beginning follows the ring, so that the frames of an interpolation are contiguous.
@safe struct FractionalDelayLine: ~Copyable {
  /// The number of frames that are copied after the ring: those of an interpolation.
  private static var overlap: Int { @_noLocks @_noAllocation get { SincWeights.count } }

  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  /// The index at which the next frame is written.
  private var writeIndex = 0

  /// Creates a silent line for delays up to `longest` frames. At most `sliceLength` frames are written at once.
  init(longest: Int, sliceLength: Int) {
    var capacity = 16
    while capacity < longest + sliceLength + Self.overlap { capacity *= 2 }
    mask = capacity - 1
    unsafe samples = .allocate(capacity: capacity + Self.overlap)
    unsafe samples.initialize(repeating: 0, count: capacity + Self.overlap)
  }

  deinit { unsafe samples.deallocate() }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() { unsafe rt_clear_floats(samples, mask + 1 + Self.overlap) }

  /// Adds the products of an interpolation to the sums of `count` frames: the signal `delays` frames before the frames
  /// that will be written next, multiplied by `gains`. The four parts of each sum add up to the signal.
  ///
  /// - Parameter delays: at least ``SincWeights/shortest``; and so long that the interpolation reads no frame that is
  ///   yet to be written (``SincWeights/reach(_:)``).
  @_noLocks @_noAllocation @unsafe func add(
    to sums: UnsafeMutablePointer<SIMD4<Float>>, delays: UnsafePointer<Double>, gains: UnsafePointer<Float>,
    by weights: borrowing SincWeights, count: Int
  ) {
    for frame in 0..<count {
      let point = unsafe weights.point(delays[frame])
      let source =
        unsafe UnsafePointer(samples) + ((writeIndex + frame - point.whole - SincWeights.count / 2) & mask)
      unsafe sums[frame] += weights.products(source, point) * gains[frame]
    }
  }

  /// Writes `count` frames.
  @_noLocks @_noAllocation @unsafe mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    let straight = min(count, mask + 1 - writeIndex)
    unsafe rt_copy_floats(samples + writeIndex, source, straight)
    if straight < count { unsafe rt_copy_floats(samples, source + straight, count - straight) }
    if writeIndex < Self.overlap || straight < count {
      unsafe rt_copy_floats(samples + mask + 1, samples, Self.overlap)
    }
    writeIndex = (writeIndex + count) & mask
  }
}
