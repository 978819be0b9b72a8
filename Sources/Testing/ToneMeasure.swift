// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Measures how high a steady tone is.
package struct ToneMeasure {
  private let samples: [Double], sampleRate: Double

  /// Looks at the samples through a Hann window.
  package init(_ samples: some Collection<Float>, at sampleRate: Double) {
    self.sampleRate = sampleRate
    self.samples = samples.enumerated().map { place, sample in
      Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(place) / Double(samples.count)))
    }
  }

  /// How strong one frequency is among the others.
  package func strength(_ frequency: Double) -> Double {
    var real = 0.0, imaginary = 0.0
    for (place, sample) in samples.enumerated() {
      let phase = 2 * .pi * frequency * Double(place) / sampleRate
      real += sample * cos(phase)
      imaginary += sample * sin(phase)
    }
    return hypot(real, imaginary)
  }

  /// How many cents the strongest frequency within a semitone lies above `wanted`, to a tenth of a cent.
  package func cents(above wanted: Double) -> Double {
    var (low, high) = (-100.0, 100.0)
    for step in [10.0, 1, 0.1] {
      let all = stride(from: low, through: high, by: step).map { cents in
        (cents: cents, strength: strength(wanted * exp2(cents / 1200)))
      }
      let best = all.max { $0.strength < $1.strength }?.cents ?? 0
      (low, high) = (best - step, best + step)
    }
    return (low + high) / 2
  }
}
