// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Feedback wires.
@Suite struct FeedbackTests {
  private func strikes(_ samples: [Float]) -> [Int: Float] {
    Dictionary(uniqueKeysWithValues: samples.enumerated().filter { $1 != 0 }.map { ($0, $1) })
  }

  //   hit ──► sum ──► half ──► desk
  //            └◄───────┘ feedback
  @Test(arguments: [1, 16, 64, 100, 1000], [16, 100, 1024])
  func `an echo returns after the wire's delay, for any block length`(block: Int, delay: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 3)), sum = try sketch.mixer("sum")
    let half = try sketch.node("half", Scale(0.5)), output = try sketch.output()
    try sketch.chain(hit, sum, half, output)
    try sketch.wire(half, sum, feedback: delay)
    try rig.play(sketch)
    let heard = strikes(rig.render(3100, block: block))
    let expected = (0...).prefix { 3 + $0 * delay < 3100 }.map { (3 + $0 * delay, exp2Float(-Float($0 + 1))) }
    #expect(heard == Dictionary(uniqueKeysWithValues: expected.filter { $0.1.isNormal }))
  }

  //   hit ──► sum ──► late 60 ──► half ──► desk
  //            └◄──────────────────┘ feedback 100
  @Test(arguments: [16, 64, 1000]) func `the loop's own latency counts as part of the delay`(block: Int)
    throws
  {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), sum = try sketch.mixer("sum")
    let late = try sketch.node("late", Late(60)), half = try sketch.node("half", Scale(0.5)),
      output = try sketch.output()
    try sketch.chain(hit, sum, late, half, output)
    try sketch.wire(half, sum, feedback: 100)
    try rig.play(sketch)
    #expect(strikes(rig.render(340, block: block)) == [60: 0.5, 160: 0.25, 260: 0.125])
    #expect(rig.controller.warnings.isEmpty)
  }

  //   sum ──► late 200 ──┐
  //    └◄────────────────┘ feedback 100: less than the loop's own latency
  @Test func `a warning reports a loop whose latency exceeds its feedback delay`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), sum = try sketch.mixer("sum")
    let late = try sketch.node("late", Late(200)), output = try sketch.output()
    try sketch.chain(hit, sum, late, output)
    try sketch.wire(late, sum, feedback: 100)
    try rig.play(sketch)
    #expect(
      rig.controller.warnings == [
        "the feedback wire from 'late' to 'sum' has a delay of 100 frames, but the loop's own latency is 200 frames: "
          + "the feedback arrives after 216 frames"
      ])
    #expect(strikes(rig.render(700)) == [200: 1, 416: 1, 632: 1])
  }

  //   mic ──► a ──► b ──► desk           c is outside
  //           └◄────┘ feedback 48
  @Test func `only the nodes of a loop run in slices`() throws {
    let rig = Rig(inputs: [mono])
    var sketch = Sketch()
    let inside = [Scale(), Scale()], outside = Scale()
    let mic = try sketch.input("mic"), a = try sketch.node("a", inside[0]),
      b = try sketch.node("b", inside[1])
    let c = try sketch.node("c", outside), output = try sketch.output()
    try sketch.chain(mic, c, a, b, output)
    try sketch.wire(b, a, feedback: 48)
    try rig.play(sketch)
    rig.render(256, block: 128)
    #expect(outside.blocks.map(\.count) == [128, 128])
    #expect(inside[0].blocks.map(\.count) == [48, 48, 32, 48, 48, 32])
    #expect(inside[1].blocks.map(\.frame) == [0, 48, 96, 128, 176, 224])
    #expect(rig.controller.planText.contains("loop in slices of 48:"))
  }

  //   sum ──► half ──┐ feedback 50: slices end on the 16-frame grid where possible, for plugins in the loop
  @Test func `slices of a loop end on the 16-frame grid`() throws {
    let rig = Rig(inputs: [mono])
    var sketch = Sketch()
    let half = Scale(0.5)
    let mic = try sketch.input("mic"), node = try sketch.node("half", half)
    try sketch.chain(mic, node, try sketch.output())
    try sketch.wire(node, node, feedback: 50)
    try rig.play(sketch)
    rig.render(200, block: 100)
    #expect(half.blocks.map { $0.frame } == [0, 48, 96, 100, 144, 192])
  }

  //   hit ──► a ──► desk
  //    └──────► (a feedback wire that closes no loop) ──► desk
  @Test(arguments: [16, 64, 1000])
  func `a feedback wire that closes no loop still delays`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), a = try sketch.node("a"),
      output = try sketch.output()
    try sketch.chain(hit, a, output)
    try sketch.wire(hit, output, feedback: 300)
    try rig.play(sketch)
    #expect(strikes(rig.render(1000, block: block)) == [0: 1, 300: 1])
  }

  //   hit ──► sum ──► desk       the wire's delay is changed while echoes are in it
  //            └◄──┘ feedback 100, then 200, then 20000
  @Test func `a changed delay keeps the echoes in the loop`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter { $0 < 96_000 ? 1 : 0 }), sum = try sketch.mixer("sum")
    let copy = try sketch.node("copy", Scale(1)), output = try sketch.output()
    try sketch.chain(hit, sum, copy, output)
    var wire = try sketch.wire(copy, sum, gain: -20, feedback: 100)
    try rig.play(sketch)
    for delay in [200, 20_000, 64] {
      wire.feedback = delay
      try sketch.graph.update(wire)
      rig.render(4800)
      try rig.play(sketch)
    }
    rig.render(96_000 - 14_400)
    // A loop with a gain of 0.1 settles at 1 / (1 − 0.1), and no fade may make it jump from there.
    let steady = rig.heard[0][0][4800..<96_000]
    #expect(steady.allSatisfy { abs($0 - 1 / 0.9) < 2e-3 })
  }

  private func exp2Float(_ x: Float) -> Float { Float(sign: .plus, exponent: Int(x), significand: 1) }
}
