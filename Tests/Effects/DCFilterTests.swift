// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct DCFilterTests {
  @Test(arguments: [44_100, 48_000, 96_000, 192_000] as [Double], [1, 5, 40] as [Float])
  func `the response is that of a first-order high-pass`(rate: Double, cutOff: Float) throws {
    var rig = try EffectRig<DCFilter>(Layout(sampleRate: rate, longestBlock: 256, channels: 1))
    rig.set(.cutOff, to: cutOff)
    let heard = rig.render([Signals.impulse(Int(4 * rate))])[0], corner = tan(.pi * Double(cutOff) / rate)
    for frequency in [Double(cutOff) / 2, Double(cutOff), 20, 100, 1000, rate / 2.1] {
      let x = tan(.pi * frequency / rate) / corner, expected = 10 * log10(x * x / (1 + x * x))
      let found = Response.measured(heard, frequency, rate: rate)
      #expect(abs(found - expected) < 0.01, "\(frequency) Hz")
      if frequency == Double(cutOff) { #expect(abs(found + 3.0103) < 0.01) }
    }
  }

  @Test func `a constant input decays to zero with the corner's time constant`() throws {
    var rig = try EffectRig<DCFilter>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 1))
    rig.set(.cutOff, to: 10)
    let heard = rig.render([[Float](repeating: 1, count: 48_000)])[0]
    // A first-order corner of 10 Hz has the time constant 1 / (2π · 10 Hz): 15.9 ms.
    #expect(abs(Double(heard[Int(48_000 / (20 * Double.pi))]) - exp(-1)) < 0.002)
    #expect(abs(heard[47_999]) < 1e-6)
  }
}
