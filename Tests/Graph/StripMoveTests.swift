// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// Faders, pans and mutes that move while a plan plays, without compiling a plan.
@Suite struct StripMoveTests {
  //   a (1) ══► main (2) ══► desk (2)       b also sends to cue, which has its own output, ear
  //   b (2) ══► ▲
  //    ╰┄┄► cue (1) ──► ear (1)
  private struct Console {
    let rig = Rig(outputs: [stereo, mono])
    var sketch = Sketch()
    var a: Graph.Wire, b: Graph.Wire, send: Graph.Wire
    let main: NodeID

    init() throws {
      var sketch = Sketch()
      main = try sketch.mixer("main", stereo)
      a = try sketch.wire(sketch.source("a", Emitter.sine(100)), main, gain: -6, pan: 0.25)
      b = try sketch.wire(sketch.source("b", Emitter.sine(70), stereo), main, gain: -3, pan: -0.5)
      let cue = try sketch.mixer("cue")
      send = Graph.Wire(sendOf: b, to: Endpoint(cue), gain: -1)
      try sketch.graph.connect(send)
      try sketch.graph.setGain(-2, of: main)
      try sketch.wire(main, sketch.output("desk", 0, stereo))
      try sketch.wire(cue, sketch.output("ear", 1))
      self.sketch = sketch
    }

    mutating func play() throws {
      for wire in [a, b, send] { try sketch.graph.update(wire) }
      try rig.play(sketch)
    }

    /// Moves a fader, pan or mute as at a mixing console.
    mutating func move(_ random: inout SeededGenerator) throws {
      let level = Float.random(in: 0.1...1, using: &random), side = Float.random(in: -1...1, using: &random)
      let glide = Double.random(in: 0...0.03, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: (a.volume, a.glide) = (level, glide)
      case 1: (b.volume, b.glide) = (level, glide)
      case 2: a.pan = Bool.random(using: &random) ? side : nil
      case 3: (b.pan, b.panLaw) = (side, PanLaw.allCases.randomElement(using: &random) ?? .usual)
      case 4: a.isMuted.toggle()
      case 5: b.isSolo.toggle()
      case 6: a.isInverted.toggle()
      case 7: (send.volume, send.glide) = (level, glide)
      case 8: b.trim = Float.random(in: -6...6, using: &random)
      default: try sketch.graph.setGain(20 * log10(level), of: main, over: glide)
      }
    }
  }

  @Test func `a thousand moves compile no plan, and end at the values of the formula`() throws {
    var console = try Console(), random = SeededGenerator(seed: 1)
    try console.play()
    console.rig.settle()
    let compiled = console.rig.controller.compiledPlans, plans = console.rig.controller.planNumber
    for _ in 0..<1000 {
      try console.move(&random)
      try console.play()
      console.rig.render(Int.random(in: 1..<200, using: &random), block: 64)
    }
    (console.a.isMuted, console.a.isInverted, console.b.isSolo) = (true, false, false)
    (console.b.gain, console.b.trim, console.b.pan, console.b.panLaw) = (-8, 2, 0.5, .linear)
    try console.sketch.graph.setGain(-4, of: console.main)
    try console.play()
    console.rig.render(4800)
    #expect(console.rig.controller.compiledPlans == compiled && console.rig.controller.planNumber == plans)
    #expect(console.rig.controller.isSettled)
    let loudest = (0...1).map { console.rig.heard[0][$0].suffix(2400).map(abs).max() ?? 0 }
    let level = 0.5 * pow(10, (-8 + 2 - 4) / 20.0), (left, _) = StripTests.shares(.linear, 0.5)
    #expect(abs(Double(loudest[0]) - level * left / 0.5) < 1e-3 && abs(Double(loudest[1]) - level) < 1e-3)
    // The plan's text shows the strips' current values.
    #expect(console.rig.controller.planText.contains("pan 0.5"), "\(console.rig.controller.planText)")
    #expect(console.rig.controller.planText.contains("× 0.501"))
  }

  //   two consoles: one compiles a plan for each move
  @Test(arguments: 0..<4) func `moves give the same samples as compiled plans`(seed: UInt64) throws {
    var moved = try Console(), compiled = try Console(), random = SeededGenerator(seed: seed), others = random
    try moved.play()
    try compiled.play()
    for round in 0..<100 {
      try moved.move(&random)
      try compiled.move(&others)
      _ = try compiled.sketch.mixer("spare \(round)")
      try moved.play()
      try compiled.play()
      let block = [1, 64, 100][round % 3], frames = Int.random(in: 1..<400, using: &random)
      _ = Int.random(in: 1..<400, using: &others)
      moved.rig.render(frames, block: block)
      compiled.rig.render(frames, block: block)
    }
    #expect(moved.rig.heard == compiled.rig.heard)
    #expect(moved.rig.controller.planNumber < 3 && compiled.rig.controller.planNumber > 100)
  }

  //   mic ──► desk at −6 dB, to −20 dB in 100 ms, beginning with the next block
  @Test(arguments: [1, 64, 1000]) func `a move is a straight line from its beginning`(block: Int) throws {
    let rig = Rig(inputs: [mono])
    rig.source = { _, _, _ in 1 }
    var sketch = Sketch()
    var wire = try sketch.wire(sketch.input("mic"), sketch.output(), gain: -6)
    try rig.play(sketch)
    rig.render(1000, block: block)
    let plans = rig.controller.planNumber
    (wire.gain, wire.glide) = (-20, 0.1)
    try sketch.graph.update(wire)
    try rig.play(sketch)
    rig.render(6000, block: block)
    #expect(rig.controller.planNumber == plans)
    let start = pow(10, -6 / 20.0)
    for elapsed in 1...6000 {
      let wanted = start + (0.1 - start) * min(Double(elapsed) / 4800, 1)
      guard abs(Double(rig.heard[0][0][999 + elapsed]) - wanted) < 1e-6 else {
        Issue.record("\(rig.heard[0][0][999 + elapsed]) where \(wanted) is wanted, after \(elapsed) frames")
        return
      }
    }
  }

  @Test func `moves arrive even if there are too many, or if they precede their plan`() throws {
    var console = try Console()
    try console.play()
    console.rig.render(1000)
    for step in 0..<3000 {
      console.a.volume = Float(step % 100) / 100
      if step % 700 == 0 { _ = try console.sketch.mixer("spare \(step)") }
      try console.play()
    }
    (console.a.gain, console.a.pan, console.b.isMuted) = (-20, -1, true)
    try console.sketch.graph.setGain(0, of: console.main)
    try console.play()
    console.rig.render(4800)
    #expect(abs((console.rig.heard[0][0].suffix(2400).max() ?? 0) - 0.05) < 1e-4)
    #expect((console.rig.heard[0][1].suffix(2400).max() ?? 1) < 1e-6)
  }

  //   tone ──► main ──► desk: from a step to none, in edits that follow moves as closely as possible
  @Test(arguments: [1, 64, 500]) func `a strip at rest leaves the plan without a click`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let main = try sketch.mixer("main")
    var wire = try sketch.wire(sketch.source("tone", Emitter.sine(100)), main)
    try sketch.wire(main, sketch.output())
    try rig.play(sketch)
    rig.render(1000, block: block)
    for round in 0..<40 {
      for gain in [-6, 0] as [Float] {
        wire.gain = gain
        try sketch.graph.update(wire)
        try rig.play(sketch)
        if round % 3 == 0 { rig.render(block, block: block) }
      }
      _ = try sketch.mixer("spare \(round)")
      try rig.play(sketch)
      rig.render(round % 4 == 0 ? 600 : block, block: block)
    }
    rig.render(1000, block: block)
    _ = try sketch.mixer("spare")
    try rig.play(sketch)
    rig.settle()
    #expect(!rig.controller.planText.contains("wire tone"), "\(rig.controller.planText)")
    Smoothness(frequency: 100, amplitude: 0.5).expect(rig.heard[0][0])
  }
}
