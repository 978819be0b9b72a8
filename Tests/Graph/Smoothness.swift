// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The bound for the bend of a sine while it fades. A larger bend is a click.
///
/// A sine of amplitude `a` and `w` radians per frame has a second difference of at most `a·(2 − 2·cos w)`. While a
/// second signal replaces it in a straight line over `n` frames, the difference `d` of the two is multiplied by a
/// ramp. That adds at most `2·Δd/n` inside, where `Δd ≤ d·w` is the change of `d` per frame, and `d/n` at the ramp's
/// two corners. A jump of height `h` has a second difference of `h`.
struct Smoothness {
  var frequency: Double
  /// The largest amplitude of either signal, and the largest difference between them.
  var amplitude: Double
  /// The number of simultaneous fades.
  var fades = 1.0
  var fadeSeconds = 0.005
  var rate = 48_000.0

  var bound: Double {
    let w = 2 * .pi * frequency / rate, frames = fadeSeconds * rate, difference = 2 * amplitude
    return amplitude * (2 - 2 * cos(w)) + fades * (2 * difference * w / frames + difference / frames) + 1e-6
  }

  /// Expects no bend beyond the bound in `samples`.
  func expect(_ samples: [Float], at location: SourceLocation = #_sourceLocation) {
    var worst = 0.0, frame = 0
    for index in samples.indices.dropFirst().dropLast() {
      let bend = abs(Double(samples[index - 1]) - 2 * Double(samples[index]) + Double(samples[index + 1]))
      if !(bend <= worst) { (worst, frame) = (bend, index) }
    }
    #expect(
      worst <= bound, "a bend of \(worst) at frame \(frame), where \(bound) is allowed",
      sourceLocation: location
    )
  }
}
