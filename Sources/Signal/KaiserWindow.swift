// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The Kaiser window, with which an infinite impulse response is truncated with little ripple for its length.
///
/// J. F. Kaiser, "Nonrecursive digital filter design using the I₀-sinh window function", 1974. Control thread only.
public enum KaiserWindow {
  /// Returns the window's value at a position from −1 to 1; 0 outside.
  public static func value(at position: Double, beta: Double) -> Double {
    abs(position) > 1 ? 0 : bessel(beta * rt_sqrt_double(1 - position * position)) / bessel(beta)
  }

  /// Returns the beta for a stopband attenuation in decibels, for 50 dB and more.
  public static func beta(_ decibels: Double) -> Double { 0.1102 * (decibels - 8.7) }

  /// Returns the number of taps on each side of the centre of a low-pass with this stopband attenuation. `width` is the
  /// width of the transition band as a proportion of the sample rate.
  public static func reach(_ decibels: Double, width: Double) -> Int {
    Int((decibels - 7.95) / (28.72 * width)) + 1
  }

  /// Returns the modified Bessel function of order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for index in 1...30 {
      let factor = x / (2 * Double(index))
      term *= factor * factor
      sum += term
    }
    return sum
  }
}
