// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A complex number for frequency responses.
struct Complex {
  var real: Double, imaginary: Double

  init(_ real: Double, _ imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  var phase: Double { atan2(imaginary, real) }
  var magnitude: Double { (real * real + imaginary * imaginary).squareRoot() }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
  static func * (a: Double, b: Complex) -> Complex { Complex(a * b.real, a * b.imaginary) }
}

/// The response of a filter at one frequency, measured and by formula.
enum Response {
  /// Returns the gain in decibels at `frequency` for an impulse response.
  static func measured(_ impulse: [Float], _ frequency: Double, rate: Double) -> Double {
    20 * log10(factor(impulse, frequency, rate: rate).magnitude)
  }

  /// Returns the complex gain at `frequency` for an impulse response.
  static func factor(_ impulse: [Float], _ frequency: Double, rate: Double) -> Complex {
    let angle = -2 * Double.pi * frequency / rate, rotation = Complex(cos(angle), sin(angle))
    // Horner's rule from the end, so no phase accumulates.
    var sum = Complex(0)
    for sample in impulse.reversed() { sum = Complex(Double(sample)) + rotation * sum }
    return sum
  }

  /// Returns the gain in decibels of `(b0 + b1/z + b2/z²) / (a0 + a1/z + a2/z²)`.
  static func formula(b: [Double], a: [Double], _ frequency: Double, rate: Double) -> Double {
    let angle = -2 * Double.pi * frequency / rate, back = Complex(cos(angle), sin(angle))
    func at(_ k: [Double]) -> Double { (Complex(k[0]) + back * (Complex(k[1]) + k[2] * back)).magnitude }
    return 20 * log10(at(b) / at(a))
  }

  /// Returns `count` frequencies from 20 Hz to just below half the rate, at equal ratios.
  static func frequencies(_ count: Int, rate: Double) -> [Double] {
    (0..<count).map { 20 * pow(0.4999 * rate / 20, Double($0) / Double(count - 1)) }
  }
}

/// The Audio EQ Cookbook's direct-form coefficients: <https://www.w3.org/TR/audio-eq-cookbook/>.
///
/// Written from the note, in the form that the effect does *not* use.
struct Cookbook {
  var b: [Double], a: [Double]

  /// - Parameter type: The number of the filter type, in the order of AVAudioUnitEQFilterType.
  init(type: Int, frequency: Double, octaves: Double, gain: Double, rate: Double) {
    let w = 2 * Double.pi * frequency / rate, c = cos(w), s = sin(w), root = pow(10, gain / 40)
    let flat = s / 2 * 2.0.squareRoot()
    let warped = s * sinh(log(2) / 2 * octaves * w / s)
    let resonant = s * sinh(log(2) / 2 * octaves)
    switch type {
    case 0:
      b = [1 + warped * root, -2 * c, 1 - warped * root]
      a = [1 + warped / root, -2 * c, 1 - warped / root]
    case 1, 3:
      let alpha = type == 1 ? flat : resonant
      b = [(1 - c) / 2, 1 - c, (1 - c) / 2]
      a = [1 + alpha, -2 * c, 1 - alpha]
    case 2, 4:
      let alpha = type == 2 ? flat : resonant
      b = [(1 + c) / 2, -(1 + c), (1 + c) / 2]
      a = [1 + alpha, -2 * c, 1 - alpha]
    case 5:
      b = [warped, 0, -warped]
      a = [1 + warped, -2 * c, 1 - warped]
    case 6:
      b = [1, -2 * c, 1]
      a = [1 + warped, -2 * c, 1 - warped]
    case 11:
      // The tilt is not from the cookbook: (v·s + 1) / (s + v) by the bilinear transform.
      let v = pow(10, max(-24, min(gain, 24)) / 20), t = tan(w / 2)
      b = [v + t, t - v, 0]
      a = [1 + v * t, v * t - 1, 0]
    case 12:
      b = [1 - warped, -2 * c, 1 + warped]
      a = [1 + warped, -2 * c, 1 - warped]
    default:
      let alpha = type <= 8 ? flat : resonant, edge = 2 * root.squareRoot() * alpha
      let sign: Double = type == 7 || type == 9 ? 1 : -1, p = root + 1, m = root - 1
      b = [
        root * (p - sign * m * c + edge), sign * 2 * root * (m - sign * p * c),
        root * (p - sign * m * c - edge),
      ]
      a = [p + sign * m * c + edge, sign * -2 * (m + sign * p * c), p + sign * m * c - edge]
    }
  }
}
