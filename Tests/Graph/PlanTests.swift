// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Testing

@testable import SwiftletGraph

/// Passes 4 and 5: the steps, and the buffers that they share.
@Suite struct PlanTests {
  //   mic ──► a ──► b ──► c ──► desk
  @Test func `a chain needs two buffers, and no step shares its input with its output`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), output = try sketch.output()
    let a = try sketch.node("a"), b = try sketch.node("b"), c = try sketch.node("c")
    try sketch.chain(mic, a, b, c, output)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          b  in b0  out b1
          c  in b1  out b0
          send out desk  in b0  out o0
        """)
  }

  //   mic ──► a ──► b ──► c ──► desk     a and b work in place, but a may not do so in JACK's memory
  @Test func `a node that works in place reuses its input, unless the backend owns that`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), output = try sketch.output()
    let a = try sketch.node("a", Scale(worksInPlace: true)),
      b = try sketch.node("b", Scale(worksInPlace: true))
    let c = try sketch.node("c")
    try sketch.chain(mic, a, b, c, output)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          b  in b0  out b0
          c  in b0  out b1
          send out desk  in b1  out o0
        """)
  }

  //   mic ──► a ──► b ──► desk     both desk and side read a, so b must not overwrite it
  //             └────────► side
  @Test func `no node works in place on a buffer that another still reads`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a")
    let b = try sketch.node("b", Scale(worksInPlace: true))
    let output = try sketch.output(), side = try sketch.output("side", 1)
    try sketch.chain(mic, a, b, output)
    try sketch.wire(a, side)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          b  in b0  out b1
          send out desk  in b1  out o0
          send out side  in b0  out o1
        """)
  }

  //   mic ──► a ──┐
  //    └────► b ──┴──► desk
  @Test func `fan-out shares a buffer, and a mix starts as its first source`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), b = try sketch.node("b")
    let output = try sketch.output()
    try sketch.chain(mic, a, output)
    try sketch.chain(mic, b, output)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          wire a -> desk  in b0  out b1
          b  in i0  out b0
          wire b -> desk  in b0  out b1  adding
          send out desk  in b1  out o0
        """)
  }

  //   mic ──► bus ──► group ──► desk     two mixers with one wire each need no step
  @Test func `a mixer with one plain wire is an alias of its source`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), bus = try sketch.mixer("bus"), group = try sketch.mixer("group")
    try sketch.chain(mic, bus, group, try sketch.output())
    #expect(try sketch.plan() == "  send out desk  in i0  out o0")
  }

  //   (open) ──► a ──► desk          side ◄── (open)
  @Test func `an unconnected input is silent and needs no step`() throws {
    var sketch = Sketch()
    let a = try sketch.node("a"), output = try sketch.output()
    _ = try sketch.output("side", 1)
    try sketch.wire(a, output)
    #expect(
      try sketch.plan() == """
          a  in 0  out b0
          send out desk  in b0  out o0
          send out side  in 0  out o1
        """)
  }

  //   mic ──► desk   with a gain of −6 dB, and a pan
  @Test func `a wire that changes sound is a step, and the plan describes it`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), output = try sketch.output("desk", 0, stereo)
    try sketch.wire(mic, output, gain: -6, pan: 0.25)
    #expect(
      try sketch.plan() == """
          wire mic -> desk  in i0  out b0,1  × 0.501  pan 0.25
          send out desk  in b0,1  out o0
        """)
  }

  //   mic ──► a ──► desk    with taps before and after a
  @Test func `a tap is a step next to its node`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), output = try sketch.output()
    try sketch.chain(mic, a, output)
    _ = try sketch.tap(a, .before, CaptureProcessor())
    _ = try sketch.tap(a, .after, CaptureProcessor())
    #expect(try sketch.steps() == ["tap before a", "a", "tap after a", "send out desk"])
  }

  //   keys ──► synth ◄── pads        MIDI from two sources
  @Test func `events of several wires are merged, and those of one wire are shared`() throws {
    var sketch = Sketch()
    let keys = try sketch.input("keys", 0, .events), pads = try sketch.input("pads", 1, .events)
    let synth = try sketch.node("synth", CaptureProcessor(), inputs: [.events], outputs: [mono])
    let echo = try sketch.node("echo", CaptureProcessor(), inputs: [.events], outputs: [mono])
    try sketch.wire(keys, synth)
    try sketch.wire(pads, synth)
    try sketch.wire(keys, echo)
    #expect(
      try sketch.plan() == """
          take in keys  out e1
          take in pads  out e2
          events keys -> synth  in e1  out e3
          events pads -> synth  in e2  out e4
          merge events  in e3 e4  out e5
          synth  in e5  out b0
          events keys -> echo  in e1  out e6
          echo  in e6  out b0
        """)
  }

  //   a random graph: 60 nodes, forward wires only, four roles
  @Test(arguments: 0..<40) func `in random graphs no step reads an overwritten buffer`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let sketch = try randomSketch(nodes: 60, wires: 120, using: &random)
    let store = ProcessorStore()
    store.nodes = sketch.processors
    let compiler = Compiler(sampleRate: 48_000, longestBlock: 64, fadesIn: false, store: store)
    let parts = try compiler.resolve(sketch.graph)
    let order = try compiler.order(parts)
    let latency = compiler.latency(parts, order)
    let schedule = try compiler.buffers(parts, order, latency, .init())
    var owner: [Int32: Int] = [:]
    for step in schedule.entries.indices {
      let entry = schedule.entries[step], label = schedule.label(of: step)
      for ref in schedule.inputs(of: step) {
        for buffer in schedule.buffers(of: ref.memory) {
          #expect(owner[buffer] == ref.memory, "\(label) reads what was overwritten")
        }
      }
      let read = Set(schedule.inputs(of: step).flatMap { schedule.buffers(of: $0.memory) })
      for ref in schedule.outputs(of: step) {
        let written = schedule.buffers(of: ref.memory)
        if entry.kind == .node, entry.processor?.worksInPlace != true {
          #expect(read.isDisjoint(with: written), "\(label) shares input and output")
        }
        for buffer in written { owner[buffer] = ref.memory }
      }
    }
    #expect(try sketch.plan() == sketch.plan(), "the same graph, the same plan")
  }
}
