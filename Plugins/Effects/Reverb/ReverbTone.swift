// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The low cut and high cut of a reverb's input for both sides, 6 dB an octave.
///
/// The low cut is the input minus a low-pass with the same coefficient, amplified so that the highest frequencies pass
/// with unity gain: this equals the bilinear first-order high-pass.
struct ReverbTone: BitwiseCopyable {
  private var leftLow = OnePole(), leftHigh = OnePole(), rightLow = OnePole(), rightHigh = OnePole()

  /// Creates filters with cleared state.
  @_noLocks @_noAllocation init() {}

  /// Filters `count` frames of both sides in place. One loop runs all four recursive filters, so that their latencies
  /// overlap.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, low: Ramp,
    high: Ramp
  ) {
    var tone = self
    if low.isMoving || high.isMoving {
      for frame in 0..<count {
        let low = Double(low.value(after: frame + 1)), high = Double(high.value(after: frame + 1))
        unsafe tone.next(&left[frame], &right[frame], low, Self.lift(low), high)
      }
    } else {
      let low = Double(low.target), high = Double(high.target), lift = Self.lift(low)
      for frame in 0..<count { unsafe tone.next(&left[frame], &right[frame], low, lift, high) }
    }
    self = tone
  }

  /// Returns the coefficient with which the low cut is −3 dB at `frequency`. The frequency is limited to a fifth of the
  /// sample rate.
  @_noLocks @_noAllocation static func lowShare(_ frequency: Float, _ sampleRate: Double) -> Float {
    let tangent = rt_tan_double(.pi * min(Double(frequency) / sampleRate, 0.2))
    return Float(2 * tangent / (1 + tangent))
  }

  /// Returns the gain that compensates the low cut's loss at high frequencies.
  @_noLocks @_noAllocation @inline(__always) static func lift(_ share: Double) -> Float {
    Float((2 - share) / (2 - 2 * share))
  }

  @_noLocks @_noAllocation @inline(__always) private mutating func next(
    _ left: inout Float, _ right: inout Float, _ low: Double, _ lift: Float, _ high: Double
  ) {
    left = leftHigh.next(lift * (left - leftLow.next(left, share: low)), share: high)
    right = rightHigh.next(lift * (right - rightLow.next(right, share: low)), share: high)
  }
}
