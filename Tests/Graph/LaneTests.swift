// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// The block sizes that lanes are tested with.
let laneBlockSizes = [1, 64, 1000]
/// The sample rate of tests of lanes.
let laneRate = 1000.0

/// The automations that lanes follow in tests: four volumes in the style of AVAudioMix, and a row of curves.
let laneAutomations: [Automation] = {
  func span(_ from: Int, _ to: Int) -> Range<MediaTime> { .seconds(from)..<(.seconds(to)) }
  do {
    var first = Automation(1), second = Automation(1), third = Automation(1), fourth = Automation(1)
    try first.set(0.5, at: .zero)
    try first.ramp(from: 0.5, to: 0.8, in: span(2, 4))
    try first.set(0.3, at: .seconds(7))
    try second.set(0.5, at: .zero)
    try second.ramp(from: 0.1, to: 0.9, in: span(3, 6))
    try third.ramp(from: 0.5, to: 0.2, in: span(4, 9))
    try fourth.set(0.4, at: .seconds(5))
    var curves = Automation(0.25)
    try curves.ramp(to: 1, in: span(1, 2), curve: .sCurve)
    try curves.ramp(to: 0.01, in: span(2, 3), curve: .decibels)
    try curves.ramp(to: 0.7, in: .milliseconds(3333)..<(.milliseconds(4001)), curve: .equalPower)
    try curves.ramp(to: 0.1, in: .milliseconds(5003)..<(.milliseconds(5503)), curve: .exponential())
    return [first, second, third, fourth, curves]
  } catch {
    return []
  }
}()

/// Lanes of nodes and wires, compared with the automation's value at each time.
@Suite struct LaneTests {
  /// `one ──► scale ──► desk`
  struct Setup {
    let rig: Rig
    let scale: Scale
    var sketch = Sketch()
    let one: NodeID, node: NodeID, output: NodeID
    let wire: Graph.Wire.ID

    init(
      cut: Processor.Cut = .anywhere, latency: Int = 0, rate: Double = laneRate, channels: Int = 1
    ) throws {
      rig = Rig(
        outputs: [.audio(channels: channels)], sampleRate: rate, longestBlock: 1024, isLive: false)
      scale = Scale(1, cut: cut)
      one = try sketch.source("one", Emitter.constant(1))
      node = try sketch.node("scale", scale)
      output = try sketch.output("desk", 0, .audio(channels: channels))
      wire = Graph.Wire.ID(source: Endpoint(node), destination: Endpoint(output))
      if latency > 0 {
        try sketch.chain(one, try sketch.node("late", Late(latency)), node, output)
      } else {
        try sketch.chain(one, node, output)
      }
    }

    mutating func follow(
      _ value: Lane.Value, _ automation: Automation?, of owner: Lane.Owner? = nil, isWhole: Bool = false
    ) throws {
      try sketch.graph.automate(
        .init(owner ?? .node(node), value), with: automation, isWhole: isWhole)
      try rig.play(sketch)
    }
  }

  func time(_ frame: Int) -> MediaTime { MediaTime(frames: Int64(frame), at: laneRate) }

  /// Describes the first frame whose sample differs from the automation's value by more than `tolerance`.
  private func firstMiss(
    _ heard: [Float], _ automation: Automation, from start: Int = 0, late: Int = 0, by tolerance: Float = 1e-6
  ) throws -> String? {
    for (offset, sample) in heard.enumerated() where start + offset >= late {
      let wanted = automation.value(at: time(start + offset - late))
      guard abs(sample - wanted) <= tolerance else {
        return "frame \(start + offset): \(sample), not \(wanted)"
      }
    }
    return nil
  }

  //   one ──► scale ──fader──► desk
  @Test(arguments: laneBlockSizes, laneAutomations.indices)
  func `a volume lane gives the automation's value on every sample`(block: Int, index: Int) throws {
    var setup = try Setup()
    try setup.follow(.volume, laneAutomations[index])
    #expect(try firstMiss(setup.rig.render(10_000, block: block), laneAutomations[index], by: 0) == nil)
  }

  //   one ──► scale (factor follows) ──► desk
  @Test(arguments: laneBlockSizes, 0..<4)
  func `a linear parameter follows straight ramps on every sample`(block: Int, index: Int) throws {
    var setup = try Setup()
    try setup.follow(.parameter(0), laneAutomations[index])
    #expect(try firstMiss(setup.rig.render(10_000, block: block), laneAutomations[index]) == nil)
  }

  @Test func `a parameter follows curves by chords of 16 frames, in blocks of any size`() throws {
    let lane = laneAutomations[4]
    let heard = try laneBlockSizes.map { block in
      var setup = try Setup()
      try setup.follow(.parameter(0), lane)
      return setup.rig.render(6000, block: block)
    }
    #expect(heard[0] == heard[1] && heard[1] == heard[2])
    // At grid lines the curve itself. Between them the deviation is at most that of a chord from its arc.
    for frame in stride(from: 15, to: 5000, by: 16) {
      #expect(abs(heard[0][frame] - lane.value(at: time(frame))) < 1e-6)
    }
    #expect(try firstMiss(heard[0], lane, by: 0.01) == nil)
  }

  //   the parameter moves on lines of 16 frames alone, and blocks are cut nowhere else
  @Test(arguments: [64, 1000])
  func `a processor that is cut on the grid receives each step's first value`(block: Int) throws {
    var setup = try Setup(cut: .grid)
    try setup.follow(.parameter(0), laneAutomations[1])
    let heard = setup.rig.render(8000, block: block)
    for frame in 0..<8000 {
      let line = frame / 16 * 16
      let wanted = laneAutomations[1].value(at: time(line))
      guard abs(heard[frame] - wanted) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[frame]), not \(wanted)")
        return
      }
    }
    let cuts = Set(setup.scale.blocks.map(\.frame)).filter { $0 % Int64(block) != 0 }
    #expect(cuts.allSatisfy { $0 % 16 == 0 && 2992..<6016 ~= $0 })
  }

  @Test func `a processor that is never cut receives each block's first value`() throws {
    var setup = try Setup(cut: .never)
    try setup.follow(.parameter(0), laneAutomations[1])
    let heard = setup.rig.render(8000, block: 100)
    #expect(setup.scale.blocks.allSatisfy { $0.count == 100 })
    for frame in stride(from: 0, to: 8000, by: 100) {
      #expect(abs(heard[frame + 99] - laneAutomations[1].value(at: time(frame))) < 1e-6)
    }
  }

  @Test func `a constant lane causes no cut`() throws {
    var setup = try Setup()
    try setup.follow(.parameter(0), laneAutomations[1])
    setup.rig.render(3000, block: 100)
    #expect(setup.scale.blocks.count == 30)
    setup.rig.render(3000, block: 100)
    // 188 steps of 16 frames, a cut at the end of each of 30 blocks, one frame at the start.
    #expect(200...260 ~= setup.scale.blocks.count)
    let moved = setup.scale.blocks.count
    setup.rig.render(3000, block: 100)
    #expect(setup.scale.blocks.count <= moved + 31)
  }

  //   one ──► late 300 ──► scale: the lane is delayed with its sound
  @Test(arguments: laneBlockSizes) func `latency in front of a node delays its lanes`(block: Int) throws {
    var setup = try Setup(latency: 300)
    try setup.follow(.parameter(0), laneAutomations[1])
    let heard = setup.rig.render(9000, block: block)
    #expect(try firstMiss(heard, laneAutomations[1], late: 300) == nil)
    var other = try Setup(latency: 300)
    try other.follow(.volume, laneAutomations[1])
    #expect(try firstMiss(other.rig.render(9000, block: block), laneAutomations[1], late: 300) == nil)
  }

  @Test func `a parameter set by hand keeps its value until the lane moves`() throws {
    var setup = try Setup()
    try setup.follow(.parameter(0), laneAutomations[1])
    setup.rig.render(1000)
    try setup.rig.controller.set(0, of: setup.node, to: 0.75, over: 0)
    #expect(setup.rig.render(2000).allSatisfy { $0 == 0.75 })
    let moving = setup.rig.render(1000)
    #expect(try firstMiss(moving, laneAutomations[1], from: 3000) == nil)
    // A moving lane takes over again with its next step.
    try setup.rig.controller.set(0, of: setup.node, to: 5, over: 0)
    let after = setup.rig.render(1000)
    #expect(after[0] > 1)
    #expect(try firstMiss(Array(after[32...]), laneAutomations[1], from: 4032) == nil)
    setup.rig.render(2000)
    try setup.rig.controller.set(0, of: setup.node, to: 0.25, over: 0)
    #expect(setup.rig.render(5000).last == 0.25)
  }

  @Test func `integer parameters move in steps`() throws {
    var setup = try Setup(), lane = Automation(0)
    try lane.ramp(to: 3, in: .seconds(1)..<(.seconds(2)))
    try setup.follow(.parameter(0), lane, isWhole: true)
    let heard = setup.rig.render(3000)
    #expect(Set(heard) == [0, 1, 2, 3])
    for value in 1...3 {
      let frame = try #require(heard.firstIndex(of: Float(value)))
      let wanted = 1000 + Int((Double(value) - 0.5) * 1000 / 3)
      #expect(0..<17 ~= frame - wanted)
    }
  }

  //   one ──► scale ══► desk: the wire's own gain stays in effect as a trim
  @Test(arguments: laneBlockSizes) func `a wire follows its volume and pan lanes`(block: Int) throws {
    var setup = try Setup(channels: 2), pan = Automation(0)
    try pan.ramp(to: -1, in: .seconds(1)..<(.seconds(2)))
    var wire = Graph.Wire(from: setup.wire.source, to: setup.wire.destination)
    wire.gain = -6.0206
    try setup.sketch.graph.update(wire)
    try setup.follow(.volume, laneAutomations[0], of: .wire(setup.wire))
    try setup.follow(.pan, pan, of: .wire(setup.wire))
    setup.rig.render(8000, block: block)
    let heard = setup.rig.heard[0]
    // A mono wire is panned by the default law, following the lane.
    let left = heard[0].enumerated().map { frame, sample in
      sample * 2 / cos(.pi / 4 * (1 + pan.value(at: time(frame))))
    }
    #expect(try firstMiss(left, laneAutomations[0], by: 1e-5) == nil)
    #expect(heard[1][900] == heard[0][900])
    #expect(abs(heard[1][1500] / heard[0][1500] - tan(.pi / 8)) < 1e-3)
    #expect(heard[1][2500...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func `a removed node or wire loses its lane`() throws {
    var setup = try Setup()
    try setup.follow(.parameter(0), laneAutomations[0])
    try setup.follow(.volume, laneAutomations[0], of: .wire(setup.wire))
    #expect(setup.sketch.graph.lanes.count == 2)
    try setup.sketch.unwire(setup.node, setup.output)
    #expect(setup.sketch.graph.lanes.count == 1)
    try setup.sketch.graph.remove(setup.node)
    #expect(setup.sketch.graph.lanes.isEmpty)
  }

  @Test func `lanes with values out of range, or without a target, are refused`() throws {
    var setup = try Setup(channels: 2)
    let loud = Automation(1001), beyond = Automation(1.5)
    let gone = Graph.Wire.ID(source: Endpoint(setup.one), destination: Endpoint(setup.output))
    #expect(throws: GraphError.badLane("scale", value: 1001, range: 0...1000)) {
      try setup.follow(.volume, loud)
    }
    #expect(throws: GraphError.badLane("scale -> desk", value: 1.5, range: -1...1)) {
      try setup.follow(.pan, beyond, of: .wire(setup.wire))
    }
    var overshoot = Automation(0)
    let curve = Automation.Curve.bezier(x1: 0.5, y1: -1, x2: 0.9, y2: 0)
    try overshoot.ramp(from: 0, to: 1, in: .zero..<(.seconds(1)), curve: curve)
    #expect(throws: GraphError.badLane("scale", value: overshoot.bounds.lowerBound, range: 0...1000)) {
      try setup.follow(.volume, overshoot)
    }
    #expect(throws: GraphError.panNeedsStereo(destination: "scale")) { try setup.follow(.pan, beyond) }
    #expect(throws: GraphError.unknownWire(source: "one", destination: "desk")) {
      try setup.follow(.volume, laneAutomations[0], of: .wire(gone))
    }
    let keys = try setup.sketch.node("keys", Keys([]), inputs: [], outputs: [.events])
    #expect(throws: GraphError.noSound(node: "keys")) {
      try setup.follow(.volume, laneAutomations[0], of: .node(keys))
    }
    try setup.sketch.graph.remove(keys)
    #expect(throws: GraphError.unknownNode(keys)) {
      try setup.follow(.volume, laneAutomations[0], of: .node(keys))
    }
    #expect(
      "\(GraphError.badLane("scale", value: 1001, range: 0...1000))".contains("0.0 to 1000.0 is allowed"))
  }
}
