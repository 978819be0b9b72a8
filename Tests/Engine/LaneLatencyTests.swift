// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Testing

/// Lanes of effects with latency.
extension MixTests {
  //   ramp ──► distortion ──► desk, with a step of a parameter at 1 s
  @Test(arguments: ["mix", "low-cut", "gain"], [1, 64, 1000])
  func `a lane meets the sound of its time behind an effect's latency`(parameter: String, block: Int) throws {
    let step = Self.rate, values: (Float, Float) = parameter == "mix" ? (0, 100) : (10, 20)
    func heard(_ lane: Automation) throws -> (sound: [Float], latency: Int) {
      let stage = try Stage(path, block: block, .effect("distortion")), node = try #require(stage.effect)
      try node.set("mix", to: 100)
      try node.automate(parameter, with: lane)
      return (try stage.render(2 * Self.rate)[0], node.latency)
    }
    var lane = Automation(values.0)
    try lane.set(values.1, at: .seconds(1), curve: .step)
    let before = try heard(Automation(values.0)), after = try heard(Automation(values.1)),
      both = try heard(lane)
    #expect(both.latency > 10)
    let changed = try #require(both.sound.indices.first { both.sound[$0] != before.sound[$0] })
    // The sound that enters the effect at the step leaves it after the latency. A gain acts between the two filters of
    // the oversampling, the second of which spreads the step over its length.
    #expect(
      parameter == "gain" ? abs(changed - step - both.latency / 2) <= 1 : changed == step + both.latency)
    if parameter == "mix" {
      #expect(both.sound[(step + both.latency)...] == after.sound[(step + both.latency)...])
    }
  }
}
