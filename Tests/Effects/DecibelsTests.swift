// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

struct DecibelsTests {
  @Test func `the fast level is the logarithm within 0.0001 dB`() {
    for step in 0..<200_000 {
      let amplitude = Float(pow(10, -9.9 + 24.9 * Double(step) / 200_000))
      #expect(abs(Double(Decibels.quickLevel(amplitude)) - 20 * log10(Double(amplitude))) < 1e-4)
    }
    #expect(Decibels.quickLevel(1) == 0)
    #expect(abs(Decibels.quickLevel(0) + 200) < 1e-4)
  }

  @Test func `the fast amplitude is the power within 0.0001 dB`() {
    for step in 0...200_000 {
      let decibels = Float(-300 + 600 * Double(step) / 200_000)
      let error = Double(Decibels.quickAmplitude(decibels)) / pow(10, Double(decibels) / 20)
      #expect(abs(20 * log10(error)) < 1e-4)
    }
    #expect(Decibels.quickAmplitude(0) == 1)
    #expect(Decibels.quickAmplitude(-.infinity) < 1e-37 && Decibels.quickAmplitude(.infinity).isFinite)
  }
}
