// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A curve between two values, with precomputed coefficients, so that each point takes a few multiplications.
///
/// One formula serves single values and whole blocks, on and off the audio thread. It needs no library: sine and
/// power are series, to at least eleven digits, in loops that vectorise.
struct CurveShape: BitwiseCopyable, Sendable {
  /// The shape of the curve: a function of the time in the segment, which is multiplied by ``span`` and added to
  /// ``base``. `nothing` is the constant 0.
  enum Kind: UInt8 { case nothing, straight, sCurve, sine, power, bezier }

  let kind: Kind
  var base: Double, span = 0.0
  /// The start of the function's argument, and its change over the ramp: reversed for a falling sine, multiplied by
  /// the exponent for a power.
  var origin = 0.0, reach = 1.0
  /// The two handles of a Bézier curve.
  var x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0

  /// Creates a constant value.
  init(_ value: Float) {
    kind = .nothing
    base = Double(value)
  }

  /// Creates the curve of a ramp, or the value of a step.
  init(_ entry: Automation.Entry) {
    var from = Double(entry.from), to = Double(entry.to)
    base = from
    span = to - from
    guard span != 0 else { kind = .nothing; return }
    switch entry.curve {
    case .step: kind = .nothing
    case .linear: kind = .straight
    case .sCurve: kind = .sCurve
    case .equalPower:
      kind = .sine
      guard to < from else { return }
      (base, span, origin, reach) = (to, -span, 1, -1)
    case .decibels:
      from = max(from, Decibels.silentAmplitude)
      to = max(to, Decibels.silentAmplitude)
      kind = .power
      (base, span, reach) = (0, from, Self.binaryLogarithm(to / from))
    case .exponential(let steepness):
      let octaves = Double(steepness) * 1.442_695_040_888_963_4, growth = Self.power(octaves) - 1
      guard abs(steepness) > 1e-3 else { kind = .straight; return }
      kind = .power
      (base, span, reach) = (from - span / growth, span / growth, octaves)
    case .bezier(let x1, let y1, let x2, let y2):
      kind = .bezier
      (self.x1, self.y1, self.x2, self.y2) = (Double(x1), Double(y1), Double(x2), Double(y2))
    }
  }

  /// Whether the value is constant.
  var isSteady: Bool {
    @_noLocks @_noAllocation get {
      switch kind {
      case .nothing: true
      case .straight, .sCurve, .sine, .power, .bezier: false
      }
    }
  }

  /// Returns the value at x, from 0 to 1.
  @_noLocks @_noAllocation func value(at x: Double) -> Float {
    let position = origin + reach * x
    switch kind {
    case .nothing: return Float(base)
    case .straight: return Float(base + span * position)
    case .sCurve: return Float(base + span * Self.smooth(position))
    case .sine: return Float(base + span * Self.sine(position))
    case .power: return Float(base + span * Self.power(position))
    case .bezier: return Float(base + span * height(at: position))
    }
  }

  /// Writes the values of `count` consecutive frames. The first lies `first` frames into the ramp, and each frame
  /// advances it by `step`.
  ///
  /// A frame's number is exact, so its value does not depend on where the block begins.
  @_noLocks @_noAllocation
  func fill(_ values: UnsafeMutablePointer<Float>, count: Int, first: Double, offset: Double, step: Double) {
    let (base, span, origin, reach) = (base, span, origin, reach)
    switch kind {
    case .nothing:
      let value = Float(base)
      for frame in 0..<count { unsafe values[frame] = value }
    case .straight:
      for frame in 0..<count {
        let position = origin + reach * ((first + Double(Int32(truncatingIfNeeded: frame)) + offset) * step)
        unsafe values[frame] = Float(base + span * position)
      }
    case .sCurve:
      for frame in 0..<count {
        let position = origin + reach * ((first + Double(Int32(truncatingIfNeeded: frame)) + offset) * step)
        unsafe values[frame] = Float(base + span * Self.smooth(position))
      }
    case .sine:
      for frame in 0..<count {
        let position = origin + reach * ((first + Double(Int32(truncatingIfNeeded: frame)) + offset) * step)
        unsafe values[frame] = Float(base + span * Self.sine(position))
      }
    case .power:
      for frame in 0..<count {
        let position = origin + reach * ((first + Double(Int32(truncatingIfNeeded: frame)) + offset) * step)
        unsafe values[frame] = Float(base + span * Self.power(position))
      }
    case .bezier:
      for frame in 0..<count {
        let position = origin + reach * ((first + Double(Int32(truncatingIfNeeded: frame)) + offset) * step)
        unsafe values[frame] = Float(base + span * height(at: position))
      }
    }
  }

  /// x² · (3 − 2x)
  @_noLocks @_noAllocation @inline(__always) private static func smooth(_ x: Double) -> Double {
    x * x * (3 - 2 * x)
  }

  /// sin(x · π/2) for x from 0 to 1, by its Taylor series: within 1e-11.
  @_noLocks @_noAllocation @inline(__always) private static func sine(_ x: Double) -> Double {
    let angle = x * 1.570_796_326_794_896_6, square = angle * angle
    let upper = 1.0 / 6_227_020_800 - square * (1.0 / 1_307_674_368_000)
    let middle = 1.0 / 362_880 - square * (1.0 / 39_916_800 - square * upper)
    return angle * (1 - square * (1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * middle))))
  }

  /// 2ˣ for x within ±1000, with a relative error of 1e-12: whole octaves become the exponent, the rest is a series.
  @_noLocks @_noAllocation @inline(__always) static func power(_ x: Double) -> Double {
    // At this magnitude a double has a resolution of 1, so the addition rounds, and the lowest bits are the integer.
    let counting = 6_755_399_441_055_744.0, rounded = x + counting
    let whole = rounded.bitPattern &- counting.bitPattern
    let y = (x - (rounded - counting)) * 0.693_147_180_559_945_3
    let upper = 1.0 / 40_320 + y * (1.0 / 362_880 + y * (1.0 / 3_628_800))
    let middle = 1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720 + y * (1.0 / 5040 + y * upper)))
    let series = 1 + y * (1 + y * (0.5 + y * (1.0 / 6 + y * middle)))
    return series * Double(bitPattern: (whole &+ 1023) &<< 52)
  }

  /// log₂ x for x above 0: the exponent, and 2 · artanh((m − 1) / (m + 1)) / ln 2 of the rest.
  private static func binaryLogarithm(_ x: Double) -> Double {
    let isLarge = x.significand > 1.414_213_562_373_095_1
    let rest = isLarge ? x.significand / 2 : x.significand, octaves = Double(x.exponent) + (isLarge ? 1 : 0)
    let ratio = (rest - 1) / (rest + 1), square = ratio * ratio
    var sum = 0.0
    for odd in stride(from: 25, through: 1, by: -2) { sum = sum * square + 1 / Double(odd) }
    return octaves + 2 * ratio * sum * 1.442_695_040_888_963_4
  }

  /// Returns a Bézier curve's y at a given x, by Newton's method with bisection as fallback, so that the number of
  /// steps is bounded.
  @_noLocks @_noAllocation private func height(at x: Double) -> Double {
    var low = 0.0, high = 1.0, s = x
    for _ in 0..<48 {
      let t = 1 - s, error = ((3 * t * x1 + 3 * s * x2) * t + s * s) * s - x
      if abs(error) < 1e-12 { break }
      if error > 0 { high = s } else { low = s }
      let slope = 3 * t * t * x1 + 6 * t * s * (x2 - x1) + 3 * s * s * (1 - x2)
      let next = s - error / slope
      s = next > low && next < high ? next : (low + high) / 2
    }
    let t = 1 - s
    return ((3 * t * y1 + 3 * s * y2) * t + s * s) * s
  }
}
