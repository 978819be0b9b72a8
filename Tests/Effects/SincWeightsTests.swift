// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletEffects

struct SincWeightsTests {
  /// Returns the response of the interpolation at a delay, relative to that of the ideal delay, as the real and the
  /// imaginary part at a frequency in cycles per frame.
  private func response(_ weights: borrowing SincWeights, _ delay: Double, _ frequency: Double) -> (
    real: Double, imaginary: Double
  ) {
    let point = weights.point(delay)
    var real = 0.0, imaginary = 0.0
    for frame in 0..<SincWeights.count {
      var impulse = [Float](repeating: 0, count: SincWeights.count)
      impulse[frame] = 1
      let weight = impulse.withUnsafeBufferPointer { frames -> Double in
        guard let base = frames.baseAddress else { return .nan }
        return Double(weights.products(base, point).sum())
      }
      let angle = 2 * Double.pi * frequency * (delay - Double(point.whole + 6 - frame))
      real += weight * cos(angle)
      imaginary += weight * sin(angle)
    }
    return (real, imaginary)
  }

  @Test
  func `between twelve frames the error is below -67 dB up to 14 kHz, and the loss below 0.7 dB at 18 kHz`() {
    let weights = SincWeights()
    for delay in stride(from: 6.0, through: 9, by: 0.0137) {
      for kilohertz in stride(from: 0.5, through: 14, by: 0.5) {
        let (real, imaginary) = response(weights, delay, kilohertz / 48)
        #expect(20 * log10(hypot(real - 1, imaginary)) < -67, "\(kilohertz) kHz")
      }
      let (real, imaginary) = response(weights, delay, 18.0 / 48)
      #expect(abs(20 * log10(hypot(real, imaginary))) < 0.7)
    }
  }

  @Test func `no delay amplifies a frequency by more than 0.02 dB, and whole delays are exact`() {
    let weights = SincWeights()
    for delay in stride(from: 2.0, through: 8, by: 0.0137) {
      for kilohertz in stride(from: 0.0, through: 24, by: 1) {
        let (real, imaginary) = response(weights, delay, kilohertz / 48)
        #expect(20 * log10(hypot(real, imaginary)) < 0.02, "\(delay) frames at \(kilohertz) kHz")
      }
    }
    for delay in 2...20 {
      let (real, imaginary) = response(weights, Double(delay), 0.37)
      #expect(hypot(real - 1, imaginary) < 1e-6)
    }
  }

  @Test func `eight weights are those of an ideal delay up to 11 kHz`() {
    let weights = SincWeights()
    for part in stride(from: Float(0), through: 1, by: 0.0137) {
      let eight = weights.eight(at: part)
      for kilohertz in stride(from: 0.5, through: 11, by: 0.5) {
        var real = 0.0, imaginary = 0.0
        for frame in 0..<8 {
          let angle = 2 * Double.pi * kilohertz / 48 * (Double(part) - Double(4 - frame))
          real += Double(eight[frame]) * cos(angle)
          imaginary += Double(eight[frame]) * sin(angle)
        }
        #expect(abs(20 * log10(hypot(real, imaginary))) < 0.02, "\(part) at \(kilohertz) kHz")
      }
    }
  }
}
