// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// A successor processor releases its predecessor once the successor plays.
@Suite struct SuccessorProcessorTests {
  /// Processors that were in use, held weakly.
  private struct ProcessorHistory {
    private struct Step { weak var processor: Processor? }
    private var steps: [Step] = []

    mutating func add(_ processor: Processor?) {
      if let processor, steps.last?.processor !== processor { steps.append(Step(processor: processor)) }
    }

    var count: Int { steps.count }
    var living: Int { steps.filter { $0.processor != nil }.count }
  }

  //   tone ──► late n ──► desk
  //     └───────────────────┘ delayed by n
  @Test func `a wire whose delay grows repeatedly keeps one delay line alive`() throws {
    let rig = Rig()
    var sketch = Sketch(), trail = ProcessorHistory()
    let tone = try sketch.source("tone", Emitter.sine(440)), late = try sketch.node("late", Late(10)),
      output = try sketch.output()
    try sketch.chain(tone, late, output)
    let wire = try sketch.wire(tone, output)
    try rig.play(sketch)
    for delay in [10, 20_000, 45_000, 60_000, 100, 65_000] {
      try rig.controller.set(0, of: late, to: Float(delay), over: 0)
      rig.render(1024, block: 512)
      rig.settle(block: 512)
      trail.add(rig.controller.store.wires[wire.id])
    }
    #expect(trail.count == 3)
    #expect(trail.living == 1)
    #expect(rig.controller.store.successors.isEmpty)
  }

  @Test func `a bypass whose delay grows repeatedly keeps one delay line alive`() throws {
    let rig = Rig()
    var sketch = Sketch(), trail = ProcessorHistory()
    let tone = try sketch.source("tone", Emitter.sine(440)), late = try sketch.node("late", Late(10))
    try sketch.chain(tone, late, try sketch.output())
    try sketch.graph.setBypass(true, of: late)
    try rig.play(sketch)
    for delay in [10, 5000, 20_000, 50_000] {
      try rig.controller.set(0, of: late, to: Float(delay), over: 0)
      rig.render(1024, block: 512)
      rig.settle(block: 512)
      trail.add(rig.controller.store.bypasses[late])
    }
    #expect(trail.count == 4)
    #expect(trail.living == 1)
  }

  @Test func `a feedback wire whose delay grows repeatedly keeps one delay line alive`() throws {
    let rig = Rig()
    var sketch = Sketch(), trail = ProcessorHistory()
    let tone = try sketch.source("tone", Emitter.sine(440)), echo = try sketch.node("echo", Scale(0.5))
    try sketch.chain(tone, echo, try sketch.output())
    var wire = try sketch.wire(echo, echo, feedback: 100)
    try rig.play(sketch)
    for delay in [100, 1000, 10_000, 100_000] {
      wire.feedback = delay
      try sketch.graph.update(wire)
      try rig.play(sketch)
      rig.render(1024, block: 512)
      rig.settle(block: 512)
      trail.add(rig.controller.store.feedback[wire.id])
    }
    #expect(trail.count == 4)
    #expect(trail.living == 1)
  }

  //   tone ──► echo ──► desk
  //             └◄┘ feedback 100, then 400: directly, or through two lines that never play
  @Test func `edits between two cycles keep the sound in a feedback loop`() throws {
    func play(_ delays: [Int]) throws -> [Float] {
      let rig = Rig()
      var sketch = Sketch()
      let tone = try sketch.source("tone", Emitter { $0 < 80 ? Float($0) : 0 }),
        echo = try sketch.node("echo", Scale(0.9))
      try sketch.chain(tone, echo, try sketch.output())
      var wire = try sketch.wire(echo, echo, feedback: 100)
      try rig.play(sketch)
      rig.render(512)
      for delay in delays {
        wire.feedback = delay
        try sketch.graph.update(wire)
        try rig.play(sketch)
      }
      return rig.render(2048)
    }
    let once = try play([400])
    #expect(once.contains { $0 > 1 })
    #expect(try play([200, 300, 400]) == once)
  }

  @Test func `a successor processor that never plays is released with its graph`() throws {
    let rig = Rig()
    var sketch = Sketch(), trail = ProcessorHistory()
    let tone = try sketch.source("tone", Emitter.sine(440)), echo = try sketch.node("echo", Scale(0.5))
    try sketch.chain(tone, echo, try sketch.output())
    var wire = try sketch.wire(echo, echo, feedback: 100)
    try rig.play(sketch)
    rig.controller.isLive = false
    for delay in [200, 2000, 20_000] {
      wire.feedback = delay
      try sketch.graph.update(wire)
      try rig.play(sketch)
      trail.add(rig.controller.store.feedback[wire.id])
    }
    try sketch.graph.remove(echo)
    try rig.play(sketch)
    rig.controller.isLive = true
    rig.render(1024)
    rig.settle()
    #expect(trail.count == 3)
    #expect(trail.living == 0)
    #expect(rig.controller.store.successors.isEmpty)
  }
}
