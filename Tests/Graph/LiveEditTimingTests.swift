// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletGraph

/// When edits take effect: many at once, without a control thread, without rendering, and while the graph is suspended.
extension LiveEditTests {
  //   a dragged fader: 200 edits between two cycles
  @Test func `a burst of edits becomes one plan`() throws {
    var setup = try Setup()
    let (a, b) = (setup.a, setup.b)
    let before = setup.rig.controller.renderer.generation.load(ordering: .relaxed)
    for step in 0..<200 {
      try setup.sketch.graph.update(Graph.Wire(from: Endpoint(a), to: Endpoint(b), gain: -Float(step) / 10))
      try setup.rig.play(setup.sketch)
      let extra = try setup.sketch.source("extra\(step)", Emitter.sine(100))
      try setup.sketch.wire(extra, setup.output)
      try setup.rig.play(setup.sketch)
      try setup.sketch.graph.remove(extra)
      try setup.rig.play(setup.sketch)
    }
    #expect(setup.rig.controller.planCount <= 3)
    let start = Int(setup.rig.frame)
    var adopted: Set<Int> = []
    for _ in 0..<150 {
      setup.rig.render(64)
      adopted.insert(setup.rig.controller.renderer.generation.load(ordering: .relaxed))
    }
    #expect(adopted.filter { $0 > before }.count <= 4)
    #expect(setup.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5, fades: 2).expect(
      Array(setup.rig.heard[0][0][(start - 100)...]))
  }

  //   the control thread blocks: no ticks for ten seconds
  @Test func `a blocked control thread does not interrupt the sound during an edit`() throws {
    var setup = try Setup()
    setup.rig.ticks = false
    let (a, c) = (setup.a, setup.c)
    try setup.sketch.graph.remove(setup.b)
    try setup.sketch.wire(a, c)
    try setup.rig.play(setup.sketch)
    setup.rig.render(480_000, block: 1024)
    #expect(!setup.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5).expect(setup.rig.heard[0][0])
    setup.rig.ticks = true
    setup.rig.render(4800)
    #expect(setup.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5).expect(setup.rig.heard[0][0])
  }

  //   nothing renders
  @Test func `edits apply at once if nothing renders`() throws {
    let rig = Rig(isLive: false)
    var sketch = Sketch()
    let one = try sketch.source("one", Emitter.constant(1)), output = try sketch.output()
    var wire = try sketch.wire(one, output)
    try rig.play(sketch)
    wire.gain = -20
    try sketch.graph.update(wire)
    try sketch.wire(try sketch.source("two", Emitter.constant(2)), output)
    try rig.play(sketch)
    #expect(rig.controller.isSettled)
    #expect(rig.render(64).allSatisfy { abs($0 - 2.1) < 1e-6 })
  }

  //   song ──► half ──► desk            pause: silence within 5 ms, then nothing runs; resume: continues there
  //             └◄──┘ feedback
  @Test func `suspending keeps tails and makes no click`() throws {
    let rig = Rig(), tone = ToneSource()
    var sketch = Sketch()
    let source = try sketch.source("song", tone), half = try sketch.node("half", Scale(0.5))
    try sketch.chain(source, half, try sketch.output())
    try sketch.wire(half, half, feedback: 4800)
    try rig.play(sketch)
    rig.render(48_000)
    rig.controller.suspend()
    #expect(!rig.controller.isAtRest)
    rig.render(24_000)
    #expect(rig.controller.isAtRest)
    let asleep = tone.position
    #expect(asleep < 48_000 + 2048, "nodes rest")
    #expect(rig.heard[0][0][(48_000 + 512)...].allSatisfy { $0 == 0 })
    rig.controller.resume()
    #expect(!rig.controller.isAtRest)
    rig.render(48_000)
    #expect(tone.position == asleep + 48_000)
    Smoothness(frequency: 100, amplitude: 0.5, fades: 2).expect(rig.heard[0][0])
    // The loop continues where it was: half of 0.5, and as much again with each pass.
    #expect(abs((rig.heard[0][0].suffix(480).max() ?? 0) - 0.5) < 1e-3)
  }
}

/// A sine that counts its own frames, as a player does, so it resumes where it stopped.
private final class ToneSource: Processor, @unchecked Sendable {
  private(set) var position: Int64 = 0

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    for frame in 0..<block.frameCount {
      block.output()[0][frame] = 0.5 * Float(sineValue(100, at: position + Int64(frame)))
    }
    position += Int64(block.frameCount)
  }
}
