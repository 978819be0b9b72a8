// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A linear-phase low-pass: a sinc with a Kaiser window.
struct LowPassTaps {
  /// The stopband attenuation, in decibels.
  static var depth: Double { 90 }

  /// The number of taps on each side of the centre, which is also the delay.
  let reach: Int
  /// The frequency of −6 dB, as a proportion of the sample rate. At 0.25 every second tap is zero.
  let cutOff: Double
  private let sum: Double

  /// Creates a filter whose taps sum to 1.
  init(reach: Int, cutOff: Double) {
    self.reach = reach
    self.cutOff = cutOff
    var sum = 0.0
    for distance in -reach...reach { sum += Self.tap(distance, reach, cutOff) }
    self.sum = sum
  }

  /// Returns the tap at a distance from the centre, up to ``reach``.
  func callAsFunction(_ distance: Int) -> Double { Self.tap(distance, reach, cutOff) / sum }

  private static func tap(_ distance: Int, _ reach: Int, _ cutOff: Double) -> Double {
    guard distance != 0 else { return 2 * cutOff }
    if cutOff == 0.25 && distance % 2 == 0 { return 0 }
    let position = Double(distance), window = KaiserWindow.beta(depth)
    let sinc = rt_sin_double(2 * .pi * cutOff * position) / (.pi * position)
    return sinc * KaiserWindow.value(at: position / Double(reach + 1), beta: window)
  }
}
