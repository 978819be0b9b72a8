// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A low cut and a high cut of 12 dB an octave for two channels at once. Each consists of two first-order filters in
/// series.
///
/// The low cut has a zero at 0 Hz. Each first-order filter attenuates by 1.5 dB at the cutoff frequency, so that two of
/// them attenuate by 3 dB.
struct BandLimits: BitwiseCopyable {
  /// The filters' states for both channels.
  private var low = SIMD2<Double>(), lower = SIMD2<Double>()
  private var high = SIMD2<Double>(), higher = SIMD2<Double>()

  /// Creates filters with cleared state.
  @_noLocks @_noAllocation init() {}

  /// Returns the coefficient of the low cut for a cutoff in hertz. A trapezoidal high-pass attenuates by 1.5 dB where
  /// tan²(w/2) / (tan²(w/2) + g²) = √½.
  @_noLocks @_noAllocation static func lowShare(_ frequency: Float, _ sampleRate: Double) -> Float {
    let tangent = rt_tan_double(.pi * min(Double(frequency) / sampleRate, 0.49))
    let warped = tangent * rt_sqrt_double(rt_sqrt_double(2) - 1)
    return Float(warped / (1 + warped))
  }

  /// Returns the coefficient of the high cut for a cutoff in hertz: 1, which passes everything, from 20 kHz on. With k
  /// = 1 − coefficient, `y = k·y + (1 − k)·x` attenuates by 1.5 dB where (1 − k)² / (1 − 2k·cos w + k²) = √½.
  @_noLocks @_noAllocation static func highShare(_ frequency: Float, _ sampleRate: Double) -> Float {
    guard frequency < 20_000 else { return 1 }
    let q = rt_sqrt_double(0.5), angle = 2 * Double.pi * min(Double(frequency) / sampleRate, 0.5)
    let middle = 1 - q * rt_cos_double(angle)
    let kept = (middle - rt_sqrt_double(max(middle * middle - (1 - q) * (1 - q), 0))) / (1 - q)
    return Float(1 - kept)
  }

  /// Filters `count` frames of both channels in place.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, lowShare: Ramp,
    highShare: Ramp
  ) {
    var filter = self, lowNow = Double(lowShare.target), highNow = Double(highShare.target)
    let isMoving = lowShare.isMoving || highShare.isMoving
    for frame in 0..<count {
      if isMoving {
        lowNow = Double(lowShare.value(after: frame + 1))
        highNow = Double(highShare.value(after: frame + 1))
      }
      let y = unsafe filter.next(SIMD2(Double(left[frame]), Double(right[frame])), lowNow, highNow)
      unsafe left[frame] = Float(y.x)
      unsafe right[frame] = Float(y.y)
    }
    self = filter
  }

  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(_ x: SIMD2<Double>, _ share: Double, _ rise: Double) -> SIMD2<Double> {
    let keep = 1 - 2 * share, twice = 2 * share, kept = 1 - rise
    let one = x - (low + (x - low) * share)
    low = low * keep + x * twice
    let two = one - (lower + (one - lower) * share)
    lower = lower * keep + one * twice
    high = high * kept + two * rise
    higher = higher * kept + high * rise
    return higher
  }
}
