// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A delay line with fractional delays that may differ from frame to frame.
@safe struct FractionalDelayLine: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  /// The index at which the next frame is written.
  private var writeIndex = 0

  /// Creates a silent line for delays up to `longest` frames. At most `sliceLength` frames are written at once.
  init(longest: Int, sliceLength: Int) {
    var capacity = 16
    while capacity < longest + sliceLength + 4 { capacity *= 2 }
    mask = capacity - 1
    unsafe samples = .allocate(capacity: capacity)
    unsafe samples.initialize(repeating: 0, count: capacity)
  }

  deinit { unsafe samples.deallocate() }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() { unsafe rt_clear_floats(samples, mask + 1) }

  /// Returns the signal `delay` frames before the frame that will be written `ahead` frames after the next one.
  ///
  /// - Parameter delay: from `ahead + 2` to the longest: the interpolation needs written frames on both sides.
  @_noLocks @_noAllocation @inline(__always) func read(delay: Double, ahead: Int) -> Float {
    let whole = Int(delay), oldest = writeIndex + ahead - whole - 2
    assert(whole >= ahead + 2, "a frame that is yet to be written")
    let weights = CubicWeights.at(Float(delay - Double(whole)))
    let older = unsafe samples[oldest & mask] * weights.x + samples[(oldest + 1) & mask] * weights.y
    let newer = unsafe samples[(oldest + 2) & mask] * weights.z + samples[(oldest + 3) & mask] * weights.w
    return older + newer
  }

  /// Writes `count` frames.
  @_noLocks @_noAllocation @unsafe mutating func write(_ source: UnsafePointer<Float>, count: Int) {
    for frame in 0..<count { unsafe samples[(writeIndex + frame) & mask] = source[frame] }
    writeIndex = (writeIndex + count) & mask
  }
}
