// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting
import Testing

@testable import SwiftletGraph

private let blockSizes = [1, 7, 64, 256, 1024]

/// Delivery of parameter changes on their frames.
@Suite struct ParameterEventTests {
  /// `one ──► scale ──► desk`, with an initial factor of 1.
  private struct Setup {
    let rig: Rig
    let scale: Scale
    let node: NodeID

    init(cut: Processor.Cut = .anywhere, latency: Int = 0) throws {
      rig = Rig()
      scale = Scale(1, cut: cut)
      var sketch = Sketch()
      let one = try sketch.source("one", Emitter.constant(1))
      node = try sketch.node("scale", scale)
      if latency > 0 {
        try sketch.chain(one, try sketch.node("late", Late(latency)), node, try sketch.output())
      } else {
        try sketch.chain(one, node, try sketch.output())
      }
      try rig.play(sketch)
      rig.render(1024, block: 1024)
    }

    func set(_ value: Float, over frames: Int = 0, at frame: Int64? = nil) throws {
      try rig.controller.set(0, of: node, to: value, over: frames, at: frame)
    }
  }

  /// Returns the frames at which a signal changes, and its new values.
  private func changes(_ samples: [Float], from start: Int) -> [Int: Float] {
    var changes: [Int: Float] = [:]
    for index in samples.indices.dropFirst() where samples[index] != samples[index - 1] {
      changes[start + index] = samples[index]
    }
    return changes
  }

  //   one ──► scale ──► desk      2 at 1500, 3 at 1501, 4 at 2000
  @Test(arguments: blockSizes)
  func `a processor that can be cut anywhere changes exactly on the frame`(block: Int) throws {
    let setup = try Setup()
    for (value, frame) in [(2, 1500), (3, 1501), (4, 2000)] as [(Float, Int64)] {
      try setup.set(value, at: frame)
    }
    let heard = setup.rig.render(2048, block: block)
    #expect(changes(heard, from: 1024) == [1500: 2, 1501: 3, 2000: 4])
  }

  //   the same, with a glide over 100 frames: it follows the ramp's formula for any block boundaries
  @Test(arguments: blockSizes) func `a glide begins on its frame and ends exactly`(block: Int) throws {
    let setup = try Setup()
    try setup.set(3, over: 100, at: 1337)
    let heard = setup.rig.render(1024, block: block)
    let expected = (0..<1024).map { index -> Float in
      let elapsed = min(max(1024 + index - 1337 + 1, 0), 100)
      return elapsed == 100 ? 3 : 1 + 2 * (Float(elapsed) / 100)
    }
    #expect(heard == expected)
  }

  //   cut on the grid: 1500 waits for 1504, 1504 is on it, 1505 waits for 1520
  @Test(arguments: blockSizes)
  func `a processor that is cut on the grid changes on the next multiple of 16 frames`(block: Int) throws {
    let setup = try Setup(cut: .grid)
    try setup.set(2, at: 1500)
    #expect(changes(setup.rig.render(476, block: block), from: 1024).isEmpty)
    try setup.set(3, at: 1505)
    let heard = changes(setup.rig.render(600, block: block), from: 1500)
    #expect(heard == [1504: 2, 1520: 3])
    // Cuts only on the grid, and where the blocks themselves begin.
    let starts = Set(setup.scale.blocks.map(\.frame)).filter { $0 > 1500 }
    #expect(starts.allSatisfy { $0 % 16 == 0 || ($0 - 1500) % Int64(block) == 0 })
  }

  //   one ──► scale ──► desk     blocks of 64: a change within a block waits for the next block
  @Test func `a processor that is never cut changes at the next block`() throws {
    let setup = try Setup(cut: .never)
    try setup.set(2, at: 1100)
    try setup.set(3, at: 1152)
    #expect(changes(setup.rig.render(512), from: 1024) == [1152: 3])
    #expect(setup.scale.blocks.suffix(8).allSatisfy { $0.count == 64 })
  }

  @Test(arguments: blockSizes)
  func `late changes, and those without a frame, apply at once`(block: Int) throws {
    let setup = try Setup()
    try setup.set(2, at: 10)
    #expect(setup.rig.render(100, block: block).first == 2)
    try setup.set(5)
    #expect(setup.rig.render(100, block: block).first == 5)
  }

  @Test(arguments: blockSizes)
  func `changes are ordered by frame, and on equal frames by sending order`(block: Int) throws {
    let setup = try Setup()
    for (value, frame) in [(9, 1600), (4, 1300), (5, 1300), (2, 1100), (7, 1500), (3, 1200), (8, 1500)]
      as [(Float, Int64)]
    {
      try setup.set(value, at: frame)
    }
    let heard = changes(setup.rig.render(1024, block: block), from: 1024)
    #expect(heard == [1100: 2, 1200: 3, 1300: 5, 1500: 8, 1600: 9])
  }

  //   farther ahead than the changes that the audio thread receives, and sent out of order
  @Test(arguments: [64, 1000]) func `changes far ahead wait for their frames`(block: Int) throws {
    let setup = try Setup()
    var expected: [Int: Float] = [:]
    for step in [3, 1, 5, 2, 4] {
      let frame = 1024 + step * 40_003
      try setup.set(Float(step + 1), at: Int64(frame))
      expected[frame] = Float(step + 1)
    }
    #expect(changes(setup.rig.render(250_000, block: block), from: 1024) == expected)
  }

  //   one ──► late 300 ──► scale: a change at frame f of the source applies to sound that arrives 300 frames later
  @Test(arguments: blockSizes) func `latency in front of a node delays its changes`(block: Int) throws {
    let setup = try Setup(latency: 300)
    try setup.set(2, at: 1500)
    try setup.set(3, at: 1100)
    #expect(changes(setup.rig.render(1024, block: block), from: 1024) == [1400: 3, 1800: 2])
  }

  @Test func `a reset affects its node only`() throws {
    let setup = try Setup()
    try setup.rig.controller.reset(setup.node)
    setup.rig.render(64)
    #expect(setup.scale.resets == 1)
    try setup.set(2, over: 0)
    try setup.rig.controller.set(-5, of: setup.node, to: 4, over: 0)
    setup.rig.render(64)
    #expect(setup.scale.resets == 1, "no number that a user may say is taken for a reset")
  }

  @Test func `a change that finds no room is an error, and none of the earlier ones is lost`() throws {
    let setup = try Setup()
    var sent = 0
    #expect(throws: GraphError.tooManyEvents) {
      for index in 0..<10_000 {
        try setup.set(Float(index + 2) / 1000, at: Int64(2000 + index))
        sent += 1
      }
    }
    #expect(sent == PendingEvents.capacity)
    let heard = setup.rig.render(12_000)
    #expect(heard.max() == Float(sent + 1) / 1000)
    #expect(changes(heard, from: 1024).count == sent)
    try setup.set(1)
    #expect(setup.rig.render(64).first == 1)
  }

  //   4000 changes, shuffled, sent at once: sorted over several cycles, and still each on its frame
  @Test func `a flood of unordered changes is sorted in time`() throws {
    let setup = try Setup()
    var random = SeededGenerator(seed: 7)
    var expected: [Int: Float] = [:]
    for index in (0..<4000).shuffled(using: &random) {
      let frame = 20_000 + 3 * index, value = Float(index + 2) / 1000
      try setup.set(value, at: Int64(frame))
      expected[frame] = value
    }
    #expect(changes(setup.rig.render(36_000), from: 1024) == expected)
  }

  @Test func `changes of a removed node make room for others`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let one = try sketch.source("one", Emitter.constant(1)), output = try sketch.output()
    let scale = try sketch.node("scale", Scale(1))
    try sketch.chain(one, scale, output)
    try rig.play(sketch)
    for round in 0..<4 {
      let extra = try sketch.node("extra\(round)")
      try sketch.chain(one, extra, output)
      try rig.play(sketch)
      rig.render(1200)
      // All the room there is, for a frame after the node's removal.
      for index in 0..<PendingEvents.capacity {
        try rig.controller.set(0, of: extra, to: 1, over: 0, at: rig.frame + 20_000 + Int64(index))
      }
      rig.render(64)
      try sketch.graph.remove(extra)
      try rig.play(sketch)
      rig.render(2400)
      #expect(rig.controller.isSettled)
    }
    try rig.controller.set(0, of: scale, to: 5, over: 0)
    #expect(rig.render(64).last == 5)
  }

  @Test func `a removed node takes its pending changes with it`() throws {
    let setup = try Setup(), rig = setup.rig
    var sketch = Sketch()
    sketch.graph = rig.controller.graph
    let output = try #require(sketch.graph.node(named: "desk")?.id)
    let extra = try sketch.node("extra")
    try sketch.chain(setup.node, extra, output)
    try rig.play(sketch)
    rig.render(2400)
    // As many as may wait, and as many again behind them.
    for index in 0..<2 * PendingEvents.capacity {
      try rig.controller.set(0, of: extra, to: 1, over: 0, at: rig.frame + 20_000 + Int64(index))
      if index == PendingEvents.capacity - 1 { rig.render(64) }
    }
    try sketch.graph.remove(extra)
    try rig.play(sketch)
    rig.render(4800)
    try setup.set(5)
    rig.render(128)
    #expect(rig.render(64).last == 5)
  }

  //   one ──► scale ──► desk      scale is removed, and restored by the former graph
  @Test func `a restored node receives changes again`() throws {
    let setup = try Setup(), rig = setup.rig
    var sketch = Sketch()
    sketch.graph = rig.controller.graph
    let before = sketch.graph
    try sketch.graph.remove(setup.node)
    try rig.play(sketch)
    rig.render(4800)
    #expect(rig.controller.isSettled && rig.controller.dismissed.contains(Int32(setup.node.slot)))
    sketch.graph = before
    sketch.processors = [setup.node: setup.scale]
    try rig.play(sketch)
    rig.render(4800)
    try setup.set(5)
    rig.render(64)
    #expect(rig.render(64).last == 5)
  }

  @Test func `a fader moved for hours while suspended ends at its last value`() throws {
    let setup = try Setup(), controller = setup.rig.controller
    controller.suspend()
    setup.rig.render(4800)
    #expect(controller.isAtRest)
    for step in 0..<100_000 { try setup.set(Float(step % 1000) / 1000, over: 0) }
    try setup.set(7, over: 0)
    setup.rig.render(4800)
    controller.resume()
    setup.rig.render(2400)
    #expect(setup.rig.render(64).last == 7)
  }

  @Test func `changes made while suspended keep their order`() throws {
    let setup = try Setup(), controller = setup.rig.controller
    controller.suspend()
    setup.rig.render(4800)
    try setup.set(3, over: 0)
    try controller.reset(setup.node)
    try setup.set(2, over: 0)
    let later = setup.rig.frame + 9600
    try setup.set(4, at: later)
    controller.resume()
    setup.rig.render(2400)
    #expect(setup.rig.render(64).last == 2)
    #expect(setup.scale.resets == 1)
    #expect(setup.rig.render(9600).last == 4)
  }

  //   one ──► (new) scale: the change is sent before the plan with the node plays
  @Test func `changes wait for a node that does not play yet`() throws {
    let setup = try Setup()
    var sketch = Sketch()
    sketch.graph = setup.rig.controller.graph
    let next = try sketch.node("next", Scale(1)), output = try #require(sketch.graph.node(named: "desk")?.id)
    try sketch.unwire(setup.node, output)
    try sketch.chain(setup.node, next, output)
    try setup.rig.controller.set(0, of: next, to: 3, over: 0)
    setup.rig.render(256)
    try setup.rig.play(sketch)
    setup.rig.render(4800)
    #expect(setup.rig.render(64).last == 3)
  }
}
