// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The steady-state response of an effect to sines: level and phase at each frequency.
///
/// The response is computed from the effect's settings on a control thread; no running effect is touched.
public struct FrequencyResponse: Sendable {
  /// The response at one frequency: a complex factor.
  public struct Point: BitwiseCopyable, Sendable, Equatable {
    /// The real and imaginary parts of the factor.
    public var real: Double, imaginary: Double

    /// Creates a factor.
    public init(_ real: Double, _ imaginary: Double = 0) {
      self.real = real
      self.imaginary = imaginary
    }

    /// The gain in decibels; −infinity if nothing passes.
    public var decibels: Double { Decibels.level(ofPower: real * real + imaginary * imaginary) }

    /// The phase shift in radians from −π to π; a negative shift is a delay.
    public var phase: Double { rt_atan2_double(imaginary, real) }

    /// Returns the sum of two factors: the response of two effects in parallel.
    package static func + (a: Point, b: Point) -> Point { Point(a.real + b.real, a.imaginary + b.imaginary) }
    /// Returns the difference of two factors.
    package static func - (a: Point, b: Point) -> Point { Point(a.real - b.real, a.imaginary - b.imaginary) }
    /// Returns the product of two factors: the response of two effects in series.
    package static func * (a: Point, b: Point) -> Point {
      Point(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
    /// Returns the factor that turns `b` into `a`.
    package static func / (a: Point, b: Point) -> Point {
      let size = b.real * b.real + b.imaginary * b.imaginary
      return a * Point(b.real / size, -b.imaginary / size)
    }
  }

  /// One curve of a plot.
  public struct Curve: Sendable {
    /// The part of the signal that the curve describes: `all` channels, or `left`, `right`, `mid`, `side`.
    public var part: StaticString
    /// A factor for each frequency.
    public var points: [Point]

    /// Creates a curve.
    public init(_ part: StaticString, _ points: [Point]) {
      self.part = part
      self.points = points
    }
  }

  /// The requested frequencies, in hertz.
  public var frequencies: [Double]
  /// The response of the whole effect: one curve if all channels are processed alike, otherwise one for each part of
  /// the signal, such as `left` and `right`.
  public var totals: [Curve]
  /// The response of each band in the part of the signal that it processes; empty for an effect without bands. The
  /// factors of a band that is off are 1.
  public var bands: [Curve]

  /// Creates a response at the given frequencies.
  public init(at frequencies: [Double], totals: [Curve], bands: [Curve] = []) {
    self.frequencies = frequencies
    self.totals = totals
    self.bands = bands
  }
}

extension BiquadCoefficients {
  /// Returns the response to a sine that advances by `angle` radians a frame: `d + c · (z − a)⁻¹ · b` at z =
  /// e^(j·angle).
  public func response(at angle: Double) -> FrequencyResponse.Point {
    typealias Point = FrequencyResponse.Point
    let z = Point(rt_cos_double(angle), rt_sin_double(angle))
    let one = z - Point(a11), two = z - Point(a22)
    let determinant = one * two - Point(a12 * a21)
    let first = (Point(b1) * two + Point(a12 * b2)) / determinant
    let second = (Point(b2) * one + Point(a21 * b1)) / determinant
    return Point(d) + Point(c1) * first + Point(c2) * second
  }
}
