// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// Random lanes in random graphs.
extension LaneTests {
  //   random graphs and lanes: blocks of any size give the same bits
  @Test(arguments: 0..<20) func `blocks of any size give the same bits`(seed: UInt64) throws {
    var heard: [[[[Float]]]] = []
    for block in [1, 37, 1000] {
      var random = SeededGenerator(seed: seed)
      var sketch = try randomSketch(nodes: 8, wires: 20, using: &random)
      for node in sketch.graph.nodes where Bool.random(using: &random) {
        try sketch.graph.automate(
          .init(.node(node.id), node.role == .processor ? .parameter(0) : .volume), with: lane(&random))
      }
      for wire in sketch.graph.wires where Bool.random(using: &random) {
        try sketch.graph.automate(.init(.wire(wire.id), .volume), with: lane(&random))
      }
      let rig = Rig(inputs: [stereo], outputs: [stereo], isLive: false)
      rig.source = { _, channel, frame in Float((frame * 7 + Int64(channel)) % 101) / 101 - 0.5 }
      try rig.play(sketch)
      rig.render(3000, block: block)
      heard.append(rig.heard)
    }
    #expect(heard[0] == heard[1] && heard[1] == heard[2])
  }

  /// Steps and ramps within 3000 frames at 48 kHz.
  private func lane(_ random: inout SeededGenerator) throws -> Automation {
    var lane = Automation(Float.random(in: 0...1, using: &random)), start = 0
    while start < 3000 {
      let end = start + Int.random(in: 1..<700, using: &random)
      let range = MediaTime(frames: Int64(start), at: 48_000)..<MediaTime(frames: Int64(end), at: 48_000)
      let curve = [Automation.Curve.linear, .sCurve, .decibels, .equalPower].randomElement(using: &random)
      if Bool.random(using: &random) {
        try lane.ramp(to: Float.random(in: 0...1, using: &random), in: range, curve: curve ?? .linear)
      } else {
        try lane.set(Float.random(in: 0...1, using: &random), at: range.lowerBound)
      }
      start = end
    }
    return lane
  }
}
