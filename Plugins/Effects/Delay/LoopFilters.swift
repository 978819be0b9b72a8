// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The low-pass and high-pass in a feedback loop of two channels, both of 6 dB an octave. Each can be off.
///
/// The low-pass is that of ``OnePole``. The high-pass subtracts the output of a trapezoidal low-pass, as ``HighPass``
/// does. Neither amplifies a sine, also while the coefficients move.
struct LoopFilters: BitwiseCopyable {
  private var low = SIMD2<Double>(), rumble = SIMD2<Double>()

  @_noLocks @_noAllocation init() {}

  /// Filters `count` frames of two channels in place.
  ///
  /// - Parameters:
  ///   - kept: the coefficient of the low-pass; 1 if it is off.
  ///   - followed: the coefficient of the high-pass.
  ///   - cut: the proportion of the high-pass that is applied; 0 if it is off.
  @_noLocks @_noAllocation @unsafe mutating func filter(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, kept: Ramp,
    followed: Ramp, cut: Ramp
  ) {
    if kept.isMoving || followed.isMoving || cut.isMoving {
      for frame in 0..<count {
        let x = unsafe Self.pair(left, right, frame)
        let y = next(
          x, kept: kept.value(after: frame + 1), followed: followed.value(after: frame + 1),
          cut: cut.value(after: frame + 1))
        unsafe Self.store(y, left, right, frame)
      }
    } else if cut.target > 0 {
      for frame in 0..<count {
        let x = unsafe Self.pair(left, right, frame)
        unsafe Self.store(
          next(x, kept: kept.target, followed: followed.target, cut: cut.target), left, right, frame)
      }
    } else {
      rumble = SIMD2()
      if kept.target < 1 {
        let kept = Double(kept.target)
        for frame in 0..<count {
          low = (1 - kept) * low + kept * (unsafe Self.pair(left, right, frame))
          unsafe Self.store(low, left, right, frame)
        }
      } else {
        low = unsafe Self.pair(left, right, count - 1)
      }
    }
  }

  @_noLocks @_noAllocation @inline(__always) private mutating func next(
    _ x: SIMD2<Double>, kept: Float, followed: Float, cut: Float
  ) -> SIMD2<Double> {
    let kept = Double(kept), followed = Double(followed)
    low = (1 - kept) * low + kept * x
    // The integrator's output is its state plus half a step; its new state is the old one plus a whole step.
    let step = followed * low, below = (1 - followed) * rumble + step
    rumble = cut > 0 ? (1 - 2 * followed) * rumble + 2 * step : SIMD2()
    return low - Double(cut) * below
  }

  @_noLocks @_noAllocation @inline(__always) @unsafe private static func pair(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frame: Int
  ) -> SIMD2<Double> {
    unsafe SIMD2(Double(left[frame]), Double(right[frame]))
  }

  @_noLocks @_noAllocation @inline(__always) @unsafe private static func store(
    _ value: SIMD2<Double>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ frame: Int
  ) {
    unsafe left[frame] = Float(value.x)
    unsafe right[frame] = Float(value.y)
  }
}
