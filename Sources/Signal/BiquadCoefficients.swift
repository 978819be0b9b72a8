// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// What a second-order filter multiplies with, in the form that can glide.
///
/// Two states and one sample in, two states and one sample out:
///
///     state' = a · state + b · x        y = c · state + d · x
///
/// The states are those of two trapezoidal integrators (a state-variable filter), so `a` never makes the
/// state larger: its matrix norm is at most 1 for every frequency and damping above 0. That also holds for
/// every mix of two such matrices. So coefficients may be interpolated, frame by frame and as fast as one
/// likes, between any two filters, and nothing blows up. The classic direct forms do not have this.
public struct BiquadCoefficients: BitwiseCopyable, Sendable, Equatable {
  /// How the states feed each other.
  public var a11, a12, a21, a22: Double
  /// How the sample feeds the states.
  public var b1, b2: Double
  /// How the states feed the output.
  public var c1, c2: Double
  /// How the sample feeds the output.
  public var d: Double

  /// The filter whose transfer function over `s`, with the corner at 1, is
  /// `through + (bandpass · s + lowpass) / (s² + damping · s + 1)`.
  ///
  /// - Parameters:
  ///   - corner: `tan(π · frequency / rate)`: the corner, warped so that it lies exact after sampling.
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

  /// The same poles, with the sound passing unchanged.
  @inlinable public var bypassed: BiquadCoefficients {
    @_noLocks @_noAllocation get {
      var same = self
      same.c1 = 0
      same.c2 = 0
      same.d = 1
      return same
    }
  }

  /// Adds `other`, `factor` times: a step of a glide.
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

  /// What to add each frame to be at `target` after `frames` frames.
  @_noLocks @_noAllocation @inlinable public func step(to target: BiquadCoefficients, over frames: Int)
    -> BiquadCoefficients
  {
    let share = 1 / Double(max(frames, 1))
    var step = target
    step.add(target, times: share - 1)
    step.add(self, times: -share)
    return step
  }

  /// The point between this (0) and `other` (1).
  @_noLocks @_noAllocation @inlinable public func mixed(with other: BiquadCoefficients, _ amount: Double)
    -> BiquadCoefficients
  {
    var mix = self
    mix.add(self, times: -amount)
    mix.add(other, times: amount)
    return mix
  }

  /// For how many frames a full-scale impulse rings on above −120 dB; an upper bound.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let reach = (abs(c1) + abs(c2)) * (abs(b1) + abs(b2))
      guard reach > 0 else { return 0 }
      // −ln r is at least 1 − r, so this is never too short.
      let decades = 6 + max(0, Double(rt_log10(Float(reach))))
      return Int(min(decades * 2.302_586 / max(1 - radius, 1e-9) + 2, 1e12))
    }
  }

  /// How far out the slower pole lies: what a state keeps from frame to frame in the long run.
  private var radius: Double {
    @_noLocks @_noAllocation get {
      let half = (a11 + a22) / 2, determinant = a11 * a22 - a12 * a21
      let discriminant = half * half - determinant
      if discriminant < 0 { return rt_sqrt_double(determinant) }
      return abs(half) + rt_sqrt_double(discriminant)
    }
  }
}
