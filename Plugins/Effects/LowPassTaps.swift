// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A low-pass whose taps are alike before and after the middle, so that it delays all frequencies alike: a
/// sinc under a Kaiser window.
struct LowPassTaps {
  /// How far down lies what it stops.
  static var depth: Double { 90 }

  /// How many taps lie on either side of the middle one: how far it delays.
  let reach: Int
  /// Where it lies 6 dB down, as a share of its rate. At a quarter every second tap is nothing.
  let cutOff: Double
  private let sum: Double

  /// A filter with a sum of 1.
  init(reach: Int, cutOff: Double) {
    self.reach = reach
    self.cutOff = cutOff
    var sum = 0.0
    for distance in -reach...reach { sum += Self.tap(distance, reach, cutOff) }
    self.sum = sum
  }

  /// The tap at a distance from the middle, up to ``reach``.
  func callAsFunction(_ distance: Int) -> Double { Self.tap(distance, reach, cutOff) / sum }

  private static func tap(_ distance: Int, _ reach: Int, _ cutOff: Double) -> Double {
    guard distance != 0 else { return 2 * cutOff }
    if cutOff == 0.25 && distance % 2 == 0 { return 0 }
    let place = Double(distance), window = KaiserWindow.beta(depth)
    let sinc = rt_sin_double(2 * .pi * cutOff * place) / (.pi * place)
    return sinc * KaiserWindow.value(at: place / Double(reach + 1), beta: window)
  }
}
