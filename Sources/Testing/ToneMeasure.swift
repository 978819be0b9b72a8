// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Measures the pitch of a steady tone.
package struct ToneMeasure {
  private let samples: [Double], sampleRate: Double

  /// Applies a Hann window to the samples.
  package init(_ samples: some Collection<Float>, at sampleRate: Double) {
    self.sampleRate = sampleRate
    self.samples = samples.enumerated().map { index, sample in
      Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(samples.count)))
    }
  }

  /// Returns the magnitude of one frequency.
  package func strength(_ frequency: Double) -> Double {
    var real = 0.0, imaginary = 0.0
    for (index, sample) in samples.enumerated() {
      let phase = 2 * .pi * frequency * Double(index) / sampleRate
      real += sample * cos(phase)
      imaginary += sample * sin(phase)
    }
    return hypot(real, imaginary)
  }

  /// Returns the deviation of the strongest frequency within a semitone from `wanted`, in cents, with a resolution of
  /// 0.1 cents.
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
