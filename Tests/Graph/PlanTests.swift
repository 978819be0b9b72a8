// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import Testing

@testable import SwiftletGraph

/// Passes 4 and 5: which steps there are, and which buffers they share.
@Suite struct PlanTests {
  //   mic ──► a ──► b ──► c ──► desk
  @Test func `a chain needs two buffers, and none shares input with output`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), desk = try sketch.output()
    let a = try sketch.node("a"), b = try sketch.node("b"), c = try sketch.node("c")
    try sketch.chain(mic, a, b, c, desk)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          b  in b0  out b1
          c  in b1  out b0
          send out desk  in b0  out o0
        """)
  }

  //   mic ──► a ──► b ──► c ──► desk     b may work in place, and so may a, but not on JACK's memory
  @Test func `what may work in place takes over its input, unless that is the outside world's`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), desk = try sketch.output()
    let a = try sketch.node("a", Scale(worksInPlace: true)),
      b = try sketch.node("b", Scale(worksInPlace: true))
    let c = try sketch.node("c")
    try sketch.chain(mic, a, b, c, desk)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          b  in b0  out b0
          c  in b0  out b1
          send out desk  in b1  out o0
        """)
  }

  //   mic ──► a ──► b ──► desk     a is heard by both, so b must not spoil it
  //             └────────► side
  @Test func `nothing works in place on what somebody else still reads`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a")
    let b = try sketch.node("b", Scale(worksInPlace: true))
    let desk = try sketch.output(), side = try sketch.output("side", 1)
    try sketch.chain(mic, a, b, desk)
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
  @Test func `fan-out shares a buffer, and a mix begins with its first source`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), b = try sketch.node("b")
    let desk = try sketch.output()
    try sketch.chain(mic, a, desk)
    try sketch.chain(mic, b, desk)
    #expect(
      try sketch.plan() == """
          a  in i0  out b0
          wire a -> desk  in b0  out b1
          b  in i0  out b0
          wire b -> desk  in b0  out b1  adding
          send out desk  in b1  out o0
        """)
  }

  //   mic ──► bus ──► group ──► desk     two mixers with one wire each are no work at all
  @Test func `a mixer with one plain wire is another name for its source`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), bus = try sketch.mixer("bus"), group = try sketch.mixer("group")
    try sketch.chain(mic, bus, group, try sketch.output())
    #expect(try sketch.plan() == "  send out desk  in i0  out o0")
  }

  //   (open) ──► a ──► desk          side ◄── (open)
  @Test func `an open input is silence, and costs nothing`() throws {
    var sketch = Sketch()
    let a = try sketch.node("a"), desk = try sketch.output()
    _ = try sketch.output("side", 1)
    try sketch.wire(a, desk)
    #expect(
      try sketch.plan() == """
          a  in 0  out b0
          send out desk  in b0  out o0
          send out side  in 0  out o1
        """)
  }

  //   mic ──► desk   with a gain of −6 dB, and a pan
  @Test func `a wire that changes something is a step, and the plan says what it does`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), desk = try sketch.output("desk", 0, stereo)
    try sketch.wire(mic, desk, gain: -6, pan: 0.25)
    #expect(
      try sketch.plan() == """
          wire mic -> desk  in i0  out b0,1  × 0.501  pan 0.25
          send out desk  in b0,1  out o0
        """)
  }

  //   mic ──► a ──► desk    with taps before and after a
  @Test func `a tap is a step beside its node`() throws {
    var sketch = Sketch()
    let mic = try sketch.input("mic"), a = try sketch.node("a"), desk = try sketch.output()
    try sketch.chain(mic, a, desk)
    _ = try sketch.tap(a, .before, Ear())
    _ = try sketch.tap(a, .after, Ear())
    #expect(try sketch.steps() == ["tap before a", "a", "tap after a", "send out desk"])
  }

  //   keys ──► synth ◄── pads        MIDI from two sources
  @Test func `events of several wires are merged, those of one are shared`() throws {
    var sketch = Sketch()
    let keys = try sketch.input("keys", 0, .events), pads = try sketch.input("pads", 1, .events)
    let synth = try sketch.node("synth", Ear(), inputs: [.events], outputs: [mono])
    let echo = try sketch.node("echo", Ear(), inputs: [.events], outputs: [mono])
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

  //   the random graph: 60 nodes, wires only forward, four different roles
  @Test(arguments: 0..<40) func `in random graphs no step reads what another has overwritten`(seed: Int)
    throws
  {
    var random = Dice(seed: UInt64(seed))
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
