// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The steady response of an effect to sines: level and phase at each frequency.
///
/// The response is computed from the effect's settings on a control thread; no running effect is touched.
public struct FrequencyResponse: Sendable {
  /// The response at one frequency: a complex factor.
  public struct Point: BitwiseCopyable, Sendable, Equatable {
    /// The factor's parts.
    public var real: Double, imaginary: Double

    /// A factor.
    public init(_ real: Double, _ imaginary: Double = 0) {
      self.real = real
      self.imaginary = imaginary
    }

    /// How much louder the sine comes out, in decibels; −infinity for one that does not.
    public var decibels: Double { Decibels.level(ofPower: real * real + imaginary * imaginary) }

    /// How far the sine's phase is turned, in radians from −π to π; below 0 it comes later.
    public var phase: Double { rt_atan2_double(imaginary, real) }

    /// The sum of two factors.
    package static func + (a: Point, b: Point) -> Point { Point(a.real + b.real, a.imaginary + b.imaginary) }
    /// The difference of two factors.
    package static func - (a: Point, b: Point) -> Point { Point(a.real - b.real, a.imaginary - b.imaginary) }
    /// What two effects in a row do.
    package static func * (a: Point, b: Point) -> Point {
      Point(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
    /// The factor that makes `a` of `b`.
    package static func / (a: Point, b: Point) -> Point {
      let size = b.real * b.real + b.imaginary * b.imaginary
      return a * Point(b.real / size, -b.imaginary / size)
    }
  }

  /// One line of a picture.
  public struct Curve: Sendable {
    /// The part of the sound that it is about: `all` channels, or `left`, `right`, `mid`, `side`.
    public var part: StaticString
    /// A factor for each frequency.
    public var points: [Point]

    /// A line.
    public init(_ part: StaticString, _ points: [Point]) {
      self.part = part
      self.points = points
    }
  }

  /// The frequencies, in hertz, as they were asked for.
  public var frequencies: [Double]
  /// The response of the whole effect: one curve if all channels are treated alike, otherwise one for each part of
  /// the sound, such as `left` and `right`.
  public var totals: [Curve]
  /// The response of each band in the part of the sound that it works on; empty for an effect without bands. The
  /// factors of a band that is off are 1.
  public var bands: [Curve]

  /// A response at some frequencies.
  public init(at frequencies: [Double], totals: [Curve], bands: [Curve] = []) {
    self.frequencies = frequencies
    self.totals = totals
    self.bands = bands
  }
}

extension BiquadCoefficients {
  /// What becomes of a sine that turns `angle` radians a frame: `d + c · (z − a)⁻¹ · b` at z = e^(j·angle).
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
