// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct WidthTests {
  private func rig() throws -> EffectRig<Width> {
    try EffectRig(Layout(sampleRate: 48_000, longestBlock: 256))
  }

  @Test func `width passes every sample unchanged at 100 % without a bass cut`() throws {
    var rig = try rig()
    let input = [Signals.noise(5000), Signals.noise(5000, seed: 2)]
    #expect(rig.render(input) == input)
  }

  @Test(arguments: [0, 30, 100, 150, 200] as [Float])
  func `width leaves mid unchanged and scales side`(width: Float) throws {
    var rig = try rig()
    rig.set(.width, to: width)
    let left = Signals.noise(1000), right = Signals.noise(1000, seed: 2), heard = rig.render([left, right])
    for frame in 0..<1000 {
      let middle = (left[frame] + right[frame]) / 2, side = (left[frame] - right[frame]) / 2 * width / 100
      #expect(abs(heard[0][frame] - (middle + side)) < 3e-7)
      #expect(abs(heard[1][frame] - (middle - side)) < 3e-7)
    }
  }

  @Test func `at 0 % both channels are equal, bit by bit`() throws {
    var rig = try rig()
    rig.set(.width, to: 0)
    let heard = rig.render([Signals.noise(1000), Signals.noise(1000, seed: 2)])
    #expect(heard[0] == heard[1])
  }

  @Test(arguments: [44_100, 48_000, 192_000] as [Double])
  func `the bass of side is cut by two first-order high-passes`(rate: Double) throws {
    var rig = try EffectRig<Width>(Layout(sampleRate: rate, longestBlock: 256))
    rig.set(.bass, to: 120)
    let impulse = Signals.impulse(Int(rate)), heard = rig.render([impulse, impulse.map { -$0 }])
    for frequency in Response.frequencies(40, rate: rate) {
      let x = tan(.pi * frequency / rate) / tan(.pi * 120 / rate)
      let expected = 20 * log10(x * x / (1 + x * x))
      #expect(abs(Response.measured(heard[0], frequency, rate: rate) - expected) < 0.01, "\(frequency) Hz")
    }
    #expect(zip(heard[0], heard[1]).allSatisfy { $0 == -$1 })
    let both = rig.render([impulse, impulse])
    #expect(both == [impulse, impulse], "what both sides have in common never changes")
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `an active width effect passes the conformance suite`() throws {
    let suite = Conformance<Width>(
      settings: [(Width.Parameter.width.rawValue, 170), (Width.Parameter.bass.rawValue, 150)])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
