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
    var stage = try Stage()
    let (a, b) = (stage.a, stage.b)
    let before = stage.rig.controller.renderer.generation.load(ordering: .relaxed)
    for step in 0..<200 {
      try stage.sketch.graph.update(Graph.Wire(from: Endpoint(a), to: Endpoint(b), gain: -Float(step) / 10))
      try stage.rig.play(stage.sketch)
      let extra = try stage.sketch.source("extra\(step)", Emitter.sine(100))
      try stage.sketch.wire(extra, stage.desk)
      try stage.rig.play(stage.sketch)
      try stage.sketch.graph.remove(extra)
      try stage.rig.play(stage.sketch)
    }
    #expect(stage.rig.controller.planCount <= 3)
    let start = Int(stage.rig.frame)
    var adopted: Set<Int> = []
    for _ in 0..<150 {
      stage.rig.render(64)
      adopted.insert(stage.rig.controller.renderer.generation.load(ordering: .relaxed))
    }
    #expect(adopted.filter { $0 > before }.count <= 4)
    #expect(stage.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5, fades: 2).expect(
      Array(stage.rig.heard[0][0][(start - 100)...]))
  }

  //   the control thread blocks: no ticks for ten seconds
  @Test func `a blocked control thread does not interrupt the sound during an edit`() throws {
    var stage = try Stage()
    stage.rig.ticks = false
    let (a, c) = (stage.a, stage.c)
    try stage.sketch.graph.remove(stage.b)
    try stage.sketch.wire(a, c)
    try stage.rig.play(stage.sketch)
    stage.rig.render(480_000, block: 1024)
    #expect(!stage.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5).expect(stage.rig.heard[0][0])
    stage.rig.ticks = true
    stage.rig.render(4800)
    #expect(stage.rig.controller.isSettled)
    Smoothness(frequency: 100, amplitude: 0.5).expect(stage.rig.heard[0][0])
  }

  //   nothing renders
  @Test func `edits apply at once if nothing renders`() throws {
    let rig = Rig(isLive: false)
    var sketch = Sketch()
    let one = try sketch.source("one", Emitter.constant(1)), desk = try sketch.output()
    var wire = try sketch.wire(one, desk)
    try rig.play(sketch)
    wire.gain = -20
    try sketch.graph.update(wire)
    try sketch.wire(try sketch.source("two", Emitter.constant(2)), desk)
    try rig.play(sketch)
    #expect(rig.controller.isSettled)
    #expect(rig.render(64).allSatisfy { abs($0 - 2.1) < 1e-6 })
  }

  //   song ──► half ──► desk            pause: silence within 5 ms, then nothing runs; resume: continues there
  //             └◄──┘ feedback
  @Test func `suspending keeps tails and makes no click`() throws {
    let rig = Rig(), song = Song()
    var sketch = Sketch()
    let source = try sketch.source("song", song), half = try sketch.node("half", Scale(0.5))
    try sketch.chain(source, half, try sketch.output())
    try sketch.wire(half, half, feedback: 4800)
    try rig.play(sketch)
    rig.render(48_000)
    rig.controller.suspend()
    #expect(!rig.controller.isAtRest)
    rig.render(24_000)
    #expect(rig.controller.isAtRest)
    let asleep = song.position
    #expect(asleep < 48_000 + 2048, "nodes rest")
    #expect(rig.heard[0][0][(48_000 + 512)...].allSatisfy { $0 == 0 })
    rig.controller.resume()
    #expect(!rig.controller.isAtRest)
    rig.render(48_000)
    #expect(song.position == asleep + 48_000)
    Smoothness(frequency: 100, amplitude: 0.5, fades: 2).expect(rig.heard[0][0])
    // The loop continues where it was: half of 0.5, and as much again with each pass.
    #expect(abs((rig.heard[0][0].suffix(480).max() ?? 0) - 0.5) < 1e-3)
  }
}

/// A sine that counts its own frames, as a player does, so it resumes where it stopped.
private final class Song: Processor, @unchecked Sendable {
  private(set) var position: Int64 = 0

  override func process(_ block: Block) {
    rt_foreign_enter()
    defer { rt_foreign_exit() }
    for frame in 0..<block.frameCount {
      block.output()[0][frame] = 0.5 * Float(sineValue(100, at: position + Int64(frame)))
    }
    position += Int64(block.frameCount)
  }
}
