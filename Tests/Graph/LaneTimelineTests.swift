// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTimeline
import Synchronization
import Testing

@testable import SwiftletGraph

/// Lanes and the position of the timeline: while the graph is suspended, and while the transport moves it.
extension LaneTests {
  @Test func `the timeline stops while the graph is suspended`() throws {
    var setup = try Setup()
    try setup.follow(.volume, laneAutomations[1])
    setup.rig.controller.isLive = true
    setup.rig.render(4000)
    setup.rig.controller.suspend()
    setup.rig.render(5000)
    func position() -> Int64 { setup.rig.controller.renderer.timelinePosition.load(ordering: .relaxed) }
    let there = position()
    // The sound fades out, and rendering continues until the fade has certainly ended.
    #expect(there < 5200)
    setup.rig.render(3000)
    #expect(position() == there)
    setup.rig.controller.resume()
    let heard = setup.rig.render(100)
    #expect(abs(heard[50] - laneAutomations[1].value(at: time(Int(there) + 50))) < 0.02)
  }

  //   the transport rolls, stops, is relocated, and rolls on
  @Test(arguments: laneBlockSizes)
  func `a timeline that follows the transport is at its position`(block: Int) throws {
    var setup = try Setup()
    try setup.follow(.volume, laneAutomations[1])
    try setup.follow(.parameter(0), laneAutomations[0])
    let rig = setup.rig
    rig.controller.renderer.followsTransport.store(true, ordering: .relaxed)
    func play(_ count: Int, from position: Int64, rolls: Bool = true) -> [Float] {
      var heard: [Float] = []
      while heard.count < count {
        let length = min(block, count - heard.count)
        rig.transport = Transport(isRolling: rolls, position: position + (rolls ? Int64(heard.count) : 0))
        heard += rig.render(length, block: length)
      }
      return heard
    }
    func level(_ frame: Int) -> Float {
      laneAutomations[1].value(at: time(frame)) * laneAutomations[0].value(at: time(frame))
    }
    func isRight(_ heard: [Float], from start: Int, skipping fade: Int = 0) -> Bool {
      heard.indices.dropFirst(fade).allSatisfy { abs(heard[$0] - level(start + $0)) < 1e-5 }
    }
    #expect(isRight(play(3500, from: 0), from: 0))
    let still = play(1000, from: 3500, rolls: false)
    #expect(still.allSatisfy { abs($0 - level(3500)) < 1e-3 } && still.last == still[500])
    // The step of 16 frames in which it stopped is not sent again.
    #expect(isRight(play(1000, from: 3500), from: 3500, skipping: 16))
    let there = play(1000, from: 5000, rolls: false)
    #expect(abs(there[999] - level(5000)) < 1e-5)
    #expect(isRight(play(1500, from: 5000), from: 5000))
    // Relocated while rolling: the new value is reached within 5 ms, up to the next grid line.
    #expect(isRight(play(3000, from: 2900), from: 2900, skipping: 32))
    #expect(rig.controller.renderer.timelinePosition.load(ordering: .relaxed) == 5900)
  }
}
