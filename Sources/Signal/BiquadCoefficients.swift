// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The coefficients of a second-order filter, in a form that can be interpolated.
///
/// The filter maps two states and one input sample to two states and one output sample:
///
///     state' = a · state + b · x        y = c · state + d · x
///
/// The states are those of two trapezoidal integrators (a state-variable filter). So the matrix norm of `a` is at most
/// 1 for every frequency and every damping above 0, and the state never grows. This also holds for every mix of two
/// such matrices. Coefficients may therefore be interpolated between any two filters, frame by frame and at any speed,
/// and the filter stays stable. The classic direct forms do not have this property.
public struct BiquadCoefficients: BitwiseCopyable, Sendable, Equatable {
  /// The matrix from the states to the next states.
  public var a11, a12, a21, a22: Double
  /// The factors from the input sample to the next states.
  public var b1, b2: Double
  /// The factors from the states to the output.
  public var c1, c2: Double
  /// The factor from the input sample to the output.
  public var d: Double

  /// Creates the filter whose transfer function over `s`, with the corner at 1, is
  /// `through + (bandpass · s + lowpass) / (s² + damping · s + 1)`.
  ///
  /// - Parameters:
  ///   - corner: `tan(π · frequency / rate)`: the corner, prewarped so that it is exact after sampling.
  ///   - damping: 1/Q, above 0.
  @_noLocks @_noAllocation public init(
    corner: Double, damping: Double, through: Double, bandpass: Double, lowpass: Double
  ) {
    let gain = 1 / (1 + corner * (corner + damping)), first = corner * gain, second = corner * first
    a11 = 2 * gain - 1
    a12 = -2 * first
    a21 = 2 * first
    a22 = 1 - 2 * second
    b1 = 2 * first
    b2 = 2 * second
    c1 = bandpass * gain + lowpass * first
    c2 = lowpass * (1 - second) - bandpass * first
    d = through + bandpass * first + lowpass * second
  }

  /// A filter with the same poles that passes its input unchanged.
  @inlinable public var bypassed: BiquadCoefficients {
    @_noLocks @_noAllocation get {
      var same = self
      same.c1 = 0
      same.c2 = 0
      same.d = 1
      return same
    }
  }

  /// Adds `factor` times `other`: one step of a glide.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public mutating func add(_ other: BiquadCoefficients, times factor: Double = 1) {
    a11 += other.a11 * factor
    a12 += other.a12 * factor
    a21 += other.a21 * factor
    a22 += other.a22 * factor
    b1 += other.b1 * factor
    b2 += other.b2 * factor
    c1 += other.c1 * factor
    c2 += other.c2 * factor
    d += other.d * factor
  }

  /// Returns the amount to add in each frame so that `target` is reached after `frames` frames.
  @_noLocks @_noAllocation @inlinable public func step(to target: BiquadCoefficients, over frames: Int)
    -> BiquadCoefficients
  {
    let share = 1 / Double(max(frames, 1))
    var step = target
    step.add(target, times: share - 1)
    step.add(self, times: -share)
    return step
  }

  /// Returns the linear interpolation between these coefficients (`amount` 0) and `other` (`amount` 1).
  @_noLocks @_noAllocation @inlinable public func mixed(with other: BiquadCoefficients, _ amount: Double)
    -> BiquadCoefficients
  {
    var mix = self
    mix.add(self, times: -amount)
    mix.add(other, times: amount)
    return mix
  }

  /// An upper bound for the number of frames for which the response to a full-scale impulse stays above −120 dB.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let reach = (abs(c1) + abs(c2)) * (abs(b1) + abs(b2))
      guard reach > 0 else { return 0 }
      // −ln r is at least 1 − r, so the result is never too short.
      let decades = 6 + max(0, Double(rt_log10(Float(reach))))
      return Int(min(decades * 2.302_586 / max(1 - radius, 1e-9) + 2, 1e12))
    }
  }

  /// The larger magnitude of the two poles: the factor by which the state decays in each frame in the long run.
  private var radius: Double {
    @_noLocks @_noAllocation get {
      let half = (a11 + a22) / 2, determinant = a11 * a22 - a12 * a21
      let discriminant = half * half - determinant
      if discriminant < 0 { return rt_sqrt_double(determinant) }
      return abs(half) + rt_sqrt_double(discriminant)
    }
  }
}
