// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Splits a signal into two bands by filters of 24 or 48 dB an octave whose sum is flat, for two channels at once.
///
/// S. Linkwitz and R. Riley, "Active Crossover Networks for Noncoincident Drivers", Journal of the Audio Engineering
/// Society 24 (1), 1976. With a Butterworth filter 1/B of order n, the bands are 1/B² and s²ⁿ/B². For even n,
/// 1 + s²ⁿ = B(s) · B(−s): their sum is the all-pass B(−s)/B(s). So the high band is computed as the all-pass minus the
/// low band, and the sum is flat within rounding. The order is 2 for 24 dB, and 4, in two sections, for 48 dB.
struct LinkwitzRiley: BitwiseCopyable {
  /// The states of the first section's low-pass and all-pass, which have the same poles and the same input.
  private var first = SIMD2<Double>(), second = SIMD2<Double>()
  private var lowSecond = Biquad(), lowThird = Biquad(), lowFourth = Biquad(), allSecond = Biquad()

  @_noLocks @_noAllocation init() {}

  /// Writes the low band of `count` frames to `low`, and replaces `samples` by the high band.
  @_noLocks @_noAllocation @unsafe
  mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, low: UnsafeMutablePointer<SIMD2<Double>>, count: Int,
    _ crossover: Crossover, isSteep: Bool
  ) {
    var filter = self
    if crossover.isMoving {
      for frame in 0..<count {
        let passed = crossover.elapsed + frame + 1
        if isSteep {
          let one = crossover.wide.value(after: passed), two = crossover.narrow.value(after: passed)
          unsafe filter.next(&samples[frame], low: &low[frame], one, two)
        } else {
          unsafe filter.next(&samples[frame], low: &low[frame], crossover.gentle.value(after: passed))
        }
      }
    } else if isSteep {
      let one = crossover.wide.start, two = crossover.narrow.start
      for frame in 0..<count { unsafe filter.next(&samples[frame], low: &low[frame], one, two) }
    } else {
      let with = crossover.gentle.start
      for frame in 0..<count { unsafe filter.next(&samples[frame], low: &low[frame], with) }
    }
    self = filter
  }

  /// Splits a frame at 24 dB an octave.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(
    _ sample: inout SIMD2<Double>, low: inout SIMD2<Double>, _ with: CrossoverSection.Coefficients
  ) {
    let (once, whole) = both(sample, with)
    low = lowSecond.next(once, with.lowPass)
    sample = whole - low
  }

  /// Splits a frame at 48 dB an octave.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func next(
    _ sample: inout SIMD2<Double>, low: inout SIMD2<Double>, _ one: CrossoverSection.Coefficients,
    _ two: CrossoverSection.Coefficients
  ) {
    let (once, allPassed) = both(sample, one)
    let half = lowSecond.next(once, two.lowPass), whole = allSecond.next(allPassed, two.allPass)
    low = lowFourth.next(lowThird.next(half, one.lowPass), two.lowPass)
    sample = whole - low
  }

  /// Filters a frame by the first section's low-pass and all-pass.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func both(
    _ x: SIMD2<Double>, _ with: CrossoverSection.Coefficients
  ) -> (SIMD2<Double>, SIMD2<Double>) {
    let l = with.lowPass, a = with.allPass
    let once = l.d * x + (l.c1 * first + l.c2 * second)
    let whole = a.d * x + (a.c1 * first + a.c2 * second)
    let one = l.b1 * x + (l.a11 * first + l.a12 * second)
    second = l.b2 * x + (l.a21 * first + l.a22 * second)
    first = one
    return (once, whole)
  }
}

/// The all-pass that is the sum of a crossover's two bands, for two channels at once.
struct CrossoverAllPass: BitwiseCopyable {
  private var one = Biquad(), two = Biquad()

  @_noLocks @_noAllocation init() {}

  /// Filters `count` frames in place.
  @_noLocks @_noAllocation @unsafe
  mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int, _ crossover: Crossover, isSteep: Bool
  ) {
    guard crossover.isMoving else {
      if isSteep {
        let (first, second) = (crossover.wide.start.allPass, crossover.narrow.start.allPass)
        unsafe one.run(samples, count: count, first, then: &two, second)
      } else {
        unsafe one.run(samples, count: count, crossover.gentle.start.allPass)
      }
      return
    }
    for frame in 0..<count {
      let passed = crossover.elapsed + frame + 1
      if isSteep {
        let allPassed = unsafe one.next(samples[frame], crossover.wide.value(after: passed).allPass)
        unsafe samples[frame] = two.next(allPassed, crossover.narrow.value(after: passed).allPass)
      } else {
        unsafe samples[frame] = one.next(samples[frame], crossover.gentle.value(after: passed).allPass)
      }
    }
  }
}
