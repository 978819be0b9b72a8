// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// Who is heard while some are soloed.
@Suite struct SoloTests {
  //   a ──► main ──► desk         an eighth, a quarter, a half, and a hall that gives back 8 times what it is sent
  //   b ──►  ▲
  //   c ──►  │
  //   ╰┄► hall
  private struct Console {
    let rig = Rig()
    var sketch = Sketch()
    var strips: [Wire] = []
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
      try sketch.graph.connect(Wire(sendOf: strips[strip], to: Endpoint(hall), isPreFader: isPreFader))
    }

    mutating func heard(_ change: (inout [Wire]) -> Void = { _ in }) throws -> Float {
      change(&strips)
      for strip in strips { try sketch.graph.update(strip) }
      try rig.play(sketch)
      rig.render(2000)
      return rig.heard[0][0].last ?? .nan
    }
  }

  @Test func `solo silences the others into the same mixer, but for those that are safe`() throws {
    var console = try Console()
    #expect(try console.heard() == 0.875)
    #expect(try console.heard { $0[0].isSolo = true } == 0.125)
    #expect(console.sketch.graph.silenced.count == 3)
    #expect(try console.heard { $0[1].isSolo = true } == 0.375)
    #expect(try console.heard { $0[2].isSoloSafe = true } == 0.875)
    // What is soloed and muted is muted.
    #expect(try console.heard { $0[0].isMuted = true } == 0.75)
    #expect(try console.heard { $0[1].isSolo = false } == 0.5)
    #expect(try console.heard { $0[0].isSolo = false } == 0.75)
    #expect(console.sketch.graph.silenced.isEmpty)
  }

  @Test(arguments: [false, true]) func `the hall of what is soloed is heard, and only of that`(
    isPreFader: Bool
  ) throws {
    var console = try Console()
    try console.send(0, isPreFader: isPreFader)
    try console.send(1, isPreFader: isPreFader)
    #expect(try console.heard() == 0.875 + 3)
    #expect(try console.heard { $0[0].isSolo = true } == 0.125 + 1)
    #expect(try console.heard { ($0[0].isSolo, $0[2].isSolo) = (false, true) } == 0.5)
    #expect(try console.heard { $0[3].isSolo = true } == 0.5, "nothing is sent there by what is heard")
  }

  //   a ──► drums ──► main ◄── b       solo within the group leaves b alone
  @Test func `solo goes no further than the bus`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let drums = try sketch.mixer("drums"), main = try sketch.mixer("main")
    let a = try sketch.source("a", Emitter.constant(1)), b = try sketch.source("b", Emitter.constant(2))
    let c = try sketch.source("c", Emitter.constant(4))
    var strip = try sketch.wire(a, drums)
    try sketch.wire(c, drums)
    try sketch.wire(drums, main)
    try sketch.wire(b, main)
    try sketch.wire(main, sketch.output())
    strip.isSolo = true
    try sketch.graph.update(strip)
    try rig.play(sketch)
    #expect(rig.render(64).last == 3)
  }

  //   tone ──► main, and a second that is soloed, un-soloed, and taken out while it is soloed
  @Test func `solo fades, in and out`() throws {
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
