// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The state of a second-order filter, for two channels at once.
///
/// The filter computes in double precision: a 20 Hz filter at 192 kHz in single precision hums. One recursion has a
/// latency of about twelve processor cycles a frame, so two filters in a row are run in one loop and overlap.
public struct Biquad: BitwiseCopyable, Sendable {
  /// The two state variables, left and right.
  @usableFromInline var first = SIMD2<Double>(), second = SIMD2<Double>()

  /// Creates a filter with cleared state.
  @_noLocks @_noAllocation @inlinable public init() {}

  /// Filters one frame.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public mutating func next(_ x: SIMD2<Double>, _ with: BiquadCoefficients) -> SIMD2<Double> {
    let y = with.d * x + (with.c1 * first + with.c2 * second)
    let one = with.b1 * x + (with.a11 * first + with.a12 * second)
    second = with.b2 * x + (with.a21 * first + with.a22 * second)
    first = one
    return y
  }

  /// Filters `count` frames in place.
  @_noLocks @_noAllocation @inlinable @unsafe public mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int, _ with: BiquadCoefficients
  ) {
    var filter = self
    for frame in 0..<count { unsafe samples[frame] = filter.next(samples[frame], with) }
    self = filter
  }

  /// Filters `count` frames in place by this filter, then by `after`, in one loop.
  @_noLocks @_noAllocation @inlinable @unsafe public mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int, _ with: BiquadCoefficients,
    then after: inout Biquad, _ afterWith: BiquadCoefficients
  ) {
    var one = self, two = after
    for frame in 0..<count { unsafe samples[frame] = two.next(one.next(samples[frame], with), afterWith) }
    self = one
    after = two
  }

  /// Filters `count` frames in place. The step is added to the coefficients before each frame.
  ///
  /// - Returns: the coefficients of the last frame.
  @_noLocks @_noAllocation @inlinable @unsafe public mutating func run(
    _ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int, from start: BiquadCoefficients,
    step: BiquadCoefficients
  ) -> BiquadCoefficients {
    var filter = self, with = start
    for frame in 0..<count {
      with.add(step)
      unsafe samples[frame] = filter.next(samples[frame], with)
    }
    self = filter
    return with
  }
}
