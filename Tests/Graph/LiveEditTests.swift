// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Edits while a sine plays: the sound has no click, and the final level is that of the new graph.
@Suite struct LiveEditTests {
  /// `tone ──► a ──► b ──► c ──► desk`, a sine of 100 Hz at half level, after one second of playing.
  struct Setup {
    let rig = Rig()
    var sketch = Sketch()
    let tone, a, b, c, output: NodeID
    let scales = [Scale(1), Scale(1), Scale(1)]

    init(_ format: BusFormat = mono) throws {
      tone = try sketch.source("tone", Emitter.sine(100), format)
      a = try sketch.node("a", scales[0], inputs: [format], outputs: [format])
      b = try sketch.node("b", scales[1], inputs: [format], outputs: [format])
      c = try sketch.node("c", scales[2], inputs: [format], outputs: [format])
      output = try sketch.output("desk", 0, mono)
      try sketch.chain(tone, a, b, c, output)
      try rig.play(sketch)
      rig.render(4800)
    }

    /// Makes an edit and renders until it is done. Expects no bend beyond the bound, and `level` at the end.
    mutating func edit(
      amplitude: Double = 0.5, fades: Double = 1, level: Float? = nil, block: Int = 64,
      at location: SourceLocation = #_sourceLocation, _ body: (inout Sketch) throws -> Void
    ) throws {
      try body(&sketch)
      try rig.play(sketch)
      let start = Int(rig.frame)
      rig.render(9600, block: block)
      #expect(rig.controller.isSettled, sourceLocation: location)
      Smoothness(frequency: 100, amplitude: amplitude, fades: fades).expect(
        Array(rig.heard[0][0][(start - 100)...]), at: location)
      if let level {
        // Over whole periods of 480 frames the peak equals the level.
        let peak = rig.heard[0][0].suffix(480).map(abs).max() ?? 0
        #expect(abs(peak - level) < 1e-3, sourceLocation: location)
      }
    }
  }

  //   tone ──► a ──► b ──► c ──► desk
  //   more ─────────────────────┘          is added and removed
  @Test(arguments: [1, 64, 1024]) func `adding and removing a source makes no click`(block: Int) throws {
    var setup = try Setup()
    let output = setup.output
    try setup.edit(level: 1, block: block) {
      try $0.wire(try $0.source("more", Emitter.sine(100)), output)
    }
    try setup.edit(level: 0.5, block: block) { try $0.graph.remove($0.graph.nodes[5].id) }
  }

  //   a ──► b ──► c    becomes    a ──► c    and again    a ──► n ──► c
  @Test func `removing a node from a chain and inserting one makes no click`() throws {
    var setup = try Setup()
    let (a, b, c) = (setup.a, setup.b, setup.c)
    try setup.edit(level: 0.5) {
      try $0.graph.remove(b)
      try $0.wire(a, c)
    }
    // An equal-gain crossfade between two equal signals is inaudible.
    let sine = (0..<9600).map { 0.5 * Float(sineValue(100, at: setup.rig.frame - 9600 + Int64($0))) }
    #expect(zip(setup.rig.heard[0][0].suffix(9600), sine).allSatisfy { abs($0 - $1) < 1e-6 })
    try setup.edit(level: 0.25) {
      let n = try $0.node("n", Scale(0.5))
      try $0.unwire(a, c)
      try $0.chain(a, n, c)
    }
  }

  //   a ──► late 2000 ──► c      replaces a ──► c: no gap while it fills
  @Test func `inserting a node with latency leaves no gap`() throws {
    var setup = try Setup()
    let (b, c) = (setup.b, setup.c)
    try setup.edit(level: 0.5) {
      let late = try $0.node("late", Late(2000))
      try $0.unwire(b, c)
      try $0.chain(b, late, c)
    }
    let peaks = stride(from: 4800, to: setup.rig.heard[0][0].count, by: 480).map { start in
      setup.rig.heard[0][0][start..<min(start + 480, setup.rig.heard[0][0].count)].map(abs).max() ?? 0
    }
    // While a sine crossfades to itself 2000 frames earlier, a sixth of a period off, it may get softer but not vanish.
    #expect(peaks.allSatisfy { $0 > 0.3 })
  }

  //   a ──► echo ──► c       a delay, whose memory would repeat an abrupt beginning later
  @Test func `the sound that a new node delays fades in, too`() throws {
    var setup = try Setup()
    let (b, c) = (setup.b, setup.c)
    try setup.edit(level: 0.5) {
      let echo = Late(3000)
      echo.publish(latency: 0)
      let node = try $0.node("echo", echo)
      try $0.unwire(b, c)
      try $0.chain(b, node, c)
    }
  }

  //   a ──► b ──► c     becomes     a ──► c ──► b
  @Test func `reordering a chain makes no click`() throws {
    var setup = try Setup()
    let (a, b, c, output) = (setup.a, setup.b, setup.c, setup.output)
    try setup.edit(level: 0.5) {
      for (source, destination) in [(a, b), (b, c), (c, output)] { try $0.unwire(source, destination) }
      try $0.chain(a, c, b, output)
    }
    #expect(
      setup.rig.controller.planText.contains("a  in b0  out b1\n  c  in b1  out b0\n  b  in b0  out b1"))
  }

  //   b is bypassed; b is 100 frames late and inverts the sound
  @Test(arguments: [0, 100])
  func `bypassing a node and ending the bypass makes no click`(latency: Int) throws {
    var setup = try Setup()
    let (a, b, c) = (setup.a, setup.b, setup.c)
    var node: NodeID?
    try setup.edit(level: 0.5) {
      let late = try $0.node("late", Late(latency)), flip = try $0.node("flip", Scale(-1))
      try $0.graph.remove(b)
      try $0.chain(a, late, flip, c)
      node = late
    }
    guard let node else { return }
    for isBypassed in [true, false, true, false] {
      try setup.edit(level: 0.5) { try $0.graph.setBypass(isBypassed, of: node) }
      #expect(setup.rig.controller.planText.contains("  bypass late") == isBypassed)
    }
    // The bypass matches the latency, and this node only delays, so the change is inaudible.
    let late = setup.rig.frame - 9600 - Int64(latency)
    let sine = (0..<9600).map { -0.5 * Float(sineValue(100, at: late + Int64($0))) }
    #expect(zip(setup.rig.heard[0][0].suffix(9600), sine).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  //   tone ──► a … with gain and pan on a wire
  @Test func `changing gain and pan makes no click`() throws {
    let rig = Rig(outputs: [stereo])
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.sine(100), stereo),
      output = try sketch.output("desk", 0, stereo)
    var wire = try sketch.wire(tone, output)
    try rig.play(sketch)
    rig.render(4800)
    for (gain, pan) in [(-6, 0), (-6, 1), (-20, -1), (0, 0), (-.infinity, 0.3), (0, 0)] as [(Float, Float)] {
      (wire.gain, wire.pan) = (gain, pan)
      try sketch.graph.update(wire)
      try rig.play(sketch)
      // A second change before the glide is over.
      rig.render(100)
      wire.gain -= 3
      try sketch.graph.update(wire)
      try rig.play(sketch)
      rig.render(2400)
    }
    wire.gain = 0
    try sketch.graph.update(wire)
    try rig.play(sketch)
    rig.render(2400)
    // Level and pan glide at once: two ramps.
    for channel in rig.heard[0] { Smoothness(frequency: 100, amplitude: 0.5, fades: 2).expect(channel) }
    #expect(rig.heard[0].allSatisfy { abs(($0.suffix(480).map(abs).max() ?? 0) - 0.5) < 1e-3 })
    // At unity gain the next plan has no step for the wire.
    _ = try sketch.mixer("unused")
    try rig.play(sketch)
    rig.render(64)
    #expect(rig.controller.planText.contains("wire") == false)
  }

  //   tone ──► a ──► b ──► c ──► desk       a feedback wire is added, raised, lengthened, shortened and
  //            └◄────┘                          removed
  @Test(arguments: [16, 64, 1000])
  func `closing and opening a feedback loop makes no click`(block: Int) throws {
    var setup = try Setup()
    let (a, b) = (setup.a, setup.b)
    var wire = Graph.Wire(from: Endpoint(b), to: Endpoint(a), gain: -20, feedback: 480)
    try setup.edit(amplitude: 0.56, level: 0.5 / 0.9, block: block) { try $0.graph.connect(wire) }
    wire.gain = -6
    // 20 log 0.501187 = −6 dB: the level rises to 0.5 / (1 − 0.501187), echo by echo.
    try setup.edit(amplitude: 1.01, level: 0.5 / 0.498813, block: block) { try $0.graph.update(wire) }
    for delay in [960, 4800, 480] {
      wire.feedback = delay
      // Sound that returns while the delay changes returns again: one fade each time, each half as loud.
      try setup.edit(amplitude: 1.01, fades: 2, level: 0.5 / 0.498813, block: block) {
        try $0.graph.update(wire)
      }
      setup.rig.render(48_000, block: block)
    }
    try setup.edit(amplitude: 1.01, level: 0.5, block: block) { try $0.graph.disconnect(wire.id) }
    #expect(!setup.rig.controller.planText.contains("loop"))
  }

  //   tone ──► late n ──┐
  //    └────────────────┴──► desk      n changes: the delay of the other path moves between two read positions
  @Test func `changing a latency makes no click`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.sine(100)), output = try sketch.output()
    let late = try sketch.node("late", Processor(latency: 100), inputs: [mono], outputs: [mono])
    // The node itself is silent, so only the other path is heard.
    try sketch.chain(tone, late, output)
    try sketch.wire(tone, output)
    sketch.processors[late] = CaptureProcessor()
    let capture = try #require(sketch.processors[late])
    capture.publish(latency: 100)
    try rig.play(sketch)
    rig.render(4800)
    for latency in [300, 0, 50, 12_000, 20_000, 40_000, 7, 0] {
      capture.publish(latency: latency)
      rig.render(48_000)
      #expect(rig.controller.latency(of: output) == latency)
    }
    Smoothness(frequency: 100, amplitude: 0.5).expect(Array(rig.heard[0][0].dropFirst(200)))
  }

  //   tone ──► a ──► b ──► c ──► desk       desk is removed; another output node gets its number
  @Test func `removing an output node and reusing its number makes no click`() throws {
    var setup = try Setup()
    let (c, output) = (setup.c, setup.output)
    try setup.edit(level: 0) { try $0.graph.remove(output) }
    var second: NodeID?
    try setup.edit {
      let next = try $0.output("next")
      try $0.wire(c, next)
      second = next
    }
    guard let second else { return }
    try setup.edit(fades: 2) {
      try $0.graph.remove(second)
      try $0.wire(c, try $0.output("third"))
    }
  }

  //   tone ──► sum (endless) ──► desk      and edits elsewhere
  @Test func `tails survive unrelated edits`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), memory = try sketch.node("memory", Memory())
    let output = try sketch.output()
    try sketch.chain(hit, memory, output)
    try rig.play(sketch)
    rig.render(1000)
    for step in 0..<20 {
      let extra = try sketch.source("extra\(step)", Emitter.constant(0))
      try sketch.wire(extra, output)
      try rig.play(sketch)
      rig.render(300)
      try sketch.graph.remove(extra)
      try rig.play(sketch)
      rig.render(300)
    }
    try sketch.graph.remove(hit)
    try rig.play(sketch)
    rig.render(1000)
    #expect(rig.heard[0][0].allSatisfy { $0 == 1 })
  }
}
