// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// Which strips are audible while some are soloed.
@Suite struct SoloTests {
  //   a ──► main ──► desk         an eighth, a quarter, a half, and a hall that returns 8 times its input
  //   b ──►  ▲
  //   c ──►  │
  //   ╰┄► hall
  private struct Console {
    let rig = Rig()
    var sketch = Sketch()
    var strips: [Graph.Wire] = []
    let hall: NodeID, main: NodeID

    init() throws {
      main = try sketch.mixer("main")
      hall = try sketch.node("hall", Scale(8))
      for (name, value) in [("a", 0.125), ("b", 0.25), ("c", 0.5)] as [(String, Float)] {
        let source = try sketch.source(name, Emitter.constant(value))
        strips.append(try sketch.wire(source, main))
      }
      strips.append(try sketch.wire(hall, main))
      try sketch.wire(main, sketch.output())
    }

    mutating func send(_ strip: Int, isPreFader: Bool = false) throws {
      try sketch.graph.connect(Graph.Wire(sendOf: strips[strip], to: Endpoint(hall), isPreFader: isPreFader))
    }

    mutating func heard(_ change: (inout [Graph.Wire]) -> Void = { _ in }) throws -> Float {
      change(&strips)
      for strip in strips { try sketch.graph.update(strip) }
      try rig.play(sketch)
      rig.render(2000)
      return rig.heard[0][0].last ?? .nan
    }
  }

  @Test func `solo silences all other strips into the same mixer, except solo-safe ones`() throws {
    var console = try Console()
    #expect(try console.heard() == 0.875)
    #expect(try console.heard { $0[0].isSolo = true } == 0.125)
    #expect(console.sketch.graph.silenced.count == 3)
    #expect(try console.heard { $0[1].isSolo = true } == 0.375)
    #expect(try console.heard { $0[2].isSoloSafe = true } == 0.875)
    // A soloed strip that is muted stays muted.
    #expect(try console.heard { $0[0].isMuted = true } == 0.75)
    #expect(try console.heard { $0[1].isSolo = false } == 0.5)
    #expect(try console.heard { $0[0].isSolo = false } == 0.75)
    #expect(console.sketch.graph.silenced.isEmpty)
  }

  @Test(arguments: [false, true]) func `the hall is heard for soloed strips only`(isPreFader: Bool) throws {
    var console = try Console()
    try console.send(0, isPreFader: isPreFader)
    try console.send(1, isPreFader: isPreFader)
    #expect(try console.heard() == 0.875 + 3)
    #expect(try console.heard { $0[0].isSolo = true } == 0.125 + 1)
    #expect(try console.heard { ($0[0].isSolo, $0[2].isSolo) = (false, true) } == 0.5)
    // The hall itself is soloed, too: its inputs are heard in it, except those that a soloed strip's sends exclude.
    #expect(try console.heard { $0[3].isSolo = true } == 0.5 + 3)
    #expect(try console.heard { $0[0].isSolo = true } == 0.5 + 0.125 + 1)
    #expect(try console.heard { ($0[0].isSolo, $0[2].isSolo) = (false, false) } == 3)
  }

  //   the console, with an echo behind the hall that leads back into it: hall ──► echo ──► hall
  @Test func `solo terminates in graphs with loops and long paths`() throws {
    var console = try Console()
    let echo = try console.sketch.node("echo", Scale(0))
    try console.sketch.wire(console.hall, echo)
    try console.sketch.wire(echo, console.hall, feedback: 64)
    try console.send(0)
    try console.send(1)
    #expect(try console.heard { $0[0].isSolo = true } == 0.125 + 1)
    #expect(try console.heard { ($0[0].isSolo, $0[3].isSolo) = (false, true) } == 3)
  }

  //   a, c ──► drums ──► main ◄── b            d ──► other, which receives none of the rest
  private struct Buses {
    let rig = Rig(outputs: [mono, mono])
    var sketch = Sketch()
    var a: Graph.Wire, b: Graph.Wire, c: Graph.Wire, d: Graph.Wire, drums: Graph.Wire

    init() throws {
      var made = Sketch()
      let group = try made.mixer("drums"), main = try made.mixer("main"), other = try made.mixer("other")
      let strips = try [("a", 0.125, group), ("b", 0.25, main), ("c", 0.5, group), ("d", 0.75, other)].map {
        (name: String, value: Float, bus: NodeID) in
        let source = try made.source(name, Emitter.constant(value))
        return try made.wire(source, bus)
      }
      (a, b, c, d) = (strips[0], strips[1], strips[2], strips[3])
      drums = try made.wire(group, main)
      try made.wire(main, made.output("desk", 0))
      try made.wire(other, made.output("booth", 1))
      sketch = made
    }

    mutating func heard(_ change: (inout Buses) -> Void) throws -> Float {
      change(&self)
      for wire in [a, b, c, d, drums] { try sketch.graph.update(wire) }
      try rig.play(sketch)
      rig.render(2000)
      #expect(rig.heard[1][0].last == 0.75, "nothing that is soloed comes there")
      return rig.heard[0][0].last ?? .nan
    }
  }

  @Test func `solo reaches across buses: a soloed strip is heard at its usual destination`() throws {
    var console = try Buses()
    #expect(try console.heard { _ in } == 0.875)
    // A strip of a sub-mix: the sub-mix's own strip carries it on.
    #expect(try console.heard { $0.a.isSolo = true } == 0.125)
    #expect(console.sketch.graph.silenced == [console.b.id, console.c.id])
    // A strip of the sub-mix and one of the main mix.
    #expect(try console.heard { $0.b.isSolo = true } == 0.375)
    // A bus: its inputs are heard, except those that a solo within it silences.
    #expect(try console.heard { ($0.a.isSolo, $0.b.isSolo, $0.drums.isSolo) = (false, false, true) } == 0.625)
    #expect(try console.heard { $0.c.isSolo = true } == 0.5)
    #expect(try console.heard { ($0.drums.isSolo, $0.b.isSoloSafe) = (false, true) } == 0.75)
    // A solo-safe strip in a sub-mix without a solo.
    #expect(try console.heard { ($0.c.isSolo, $0.b.isSolo, $0.a.isSoloSafe) = (false, true, true) } == 0.25)
    #expect(try console.heard { $0.drums.isSoloSafe = true } == 0.875)
    #expect(try console.heard { $0.b.isSolo = false } == 0.875)
    #expect(console.sketch.graph.silenced.isEmpty)
  }

  //   tone ──► main, and a second strip that is soloed, un-soloed, and removed while soloed
  @Test func `solo fades in and out`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.sine(100)), main = try sketch.mixer("main")
    let silence = try sketch.source("silence", Emitter.constant(0))
    try sketch.wire(tone, main)
    var strip = try sketch.wire(silence, main)
    try sketch.wire(main, sketch.output())
    try rig.play(sketch)
    rig.render(1000)
    for isSolo in [true, false, true] {
      strip.isSolo = isSolo
      try sketch.graph.update(strip)
      try rig.play(sketch)
      let heard = rig.render(1000)
      #expect(((heard.suffix(480).map(abs).max() ?? 0) < 1e-6) == isSolo)
    }
    try sketch.graph.disconnect(strip.id)
    try rig.play(sketch)
    #expect(abs((rig.render(2000).suffix(480).map(abs).max() ?? 0) - 0.5) < 1e-3)
    Smoothness(frequency: 100, amplitude: 0.5).expect(rig.heard[0][0])
  }
}
