// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct PanTests {
  private let ones = [Float](repeating: 1, count: 64)

  private func rig(inputs: Int) throws -> EffectRig<Pan> {
    try EffectRig(
      Layout(sampleRate: 48_000, longestBlock: 256, inputs: [inputs], outputs: [max(inputs, 2)]))
  }

  /// Returns the right channel's factor for a mono sound at `position`, from the textbook definition of the laws.
  private func book(_ law: Int, _ position: Double) -> Double {
    let angle = (1 + position) * .pi / 4
    switch law {
    case 0: return (1 + position) / 2
    case 1: return sin(angle)
    case 2: return pow(sin(angle), 1.5)
    default: return (1 - cos(2 * angle)) / 2
    }
  }

  @Test(arguments: 0..<4) func `the pan law distributes a mono sound`(law: Int) throws {
    var rig = try rig(inputs: 1)
    rig.set(.law, to: Float(law))
    for step in -10...10 {
      let position = Double(step) / 10
      rig.set(.position, to: Float(position))
      let heard = rig.render([ones])
      #expect(abs(Double(heard[0][63]) - book(law, -position)) < 1e-6, "left at \(position)")
      #expect(abs(Double(heard[1][63]) - book(law, position)) < 1e-6, "right at \(position)")
    }
  }

  @Test(arguments: zip(0..<4, [-6.0206, -3.0103, -4.5154, -6.0206]))
  func `the centre is attenuated by the decibels of the law's name`(law: Int, decibels: Double) throws {
    var rig = try rig(inputs: 1)
    rig.set(.law, to: Float(law))
    for side in rig.render([ones]) { #expect(abs(20 * log10(Double(side[0])) - decibels) < 1e-3) }
  }

  @Test(arguments: 0..<4)
  func `at an end the other channel is silent, and this one at full level`(law: Int) throws {
    for inputs in [1, 2] {
      var rig = try rig(inputs: inputs)
      rig.set(.law, to: Float(law))
      rig.set(.position, to: 1)
      #expect(rig.render(Array(repeating: ones, count: inputs)) == [ones.map { _ in 0 }, ones])
      rig.set(.position, to: -1)
      #expect(rig.render(Array(repeating: ones, count: inputs)) == [ones, ones.map { _ in 0 }])
    }
  }

  @Test(arguments: 0..<4)
  func `the balance leaves the centre unchanged and fades one channel`(law: Int) throws {
    var rig = try rig(inputs: 2)
    rig.set(.law, to: Float(law))
    let input = [Signals.noise(64), Signals.noise(64, seed: 2)]
    #expect(rig.render(input) == input)
    rig.set(.position, to: 0.5)
    let heard = rig.render(input), gain = book(law, -0.5) / book(law, 0)
    #expect(heard[1] == input[1])
    for (sample, source) in zip(heard[0], input[0]) {
      #expect(abs(Double(sample) - Double(source) * gain) < 1e-6)
    }
  }

  @Test func `a moving pan follows the law, not a straight line`() throws {
    var rig = try rig(inputs: 1)
    rig.set(.position, to: -1)
    let long = [Float](repeating: 1, count: 1000)
    let heard = rig.render([long], blockSize: 64, changes: [Change(at: 0, 0, to: 1, over: 1000)])
    for frame in 0..<1000 {
      let power = heard[0][frame] * heard[0][frame] + heard[1][frame] * heard[1][frame]
      #expect(abs(power - 1) < 1e-5)
    }
    #expect(heard[0][999] == 0 && heard[1][999] == 1)
  }

  @Test func `an output that does not fit is refused`() {
    #expect(throws: EffectError.channels(1)) {
      _ = try EffectRig<Pan>(Layout(sampleRate: 48_000, longestBlock: 64, channels: 1))
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `a pan off the centre passes the conformance suite`() throws {
    for law in 0..<4 {
      let suite = Conformance<Pan>(
        sampleRates: [48_000],
        settings: [(Pan.Parameter.position.rawValue, 0.7), (Pan.Parameter.law.rawValue, Float(law))])
      let findings = try suite.findings()
      #expect(findings == [])
    }
  }
}
