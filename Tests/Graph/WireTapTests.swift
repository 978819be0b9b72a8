// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// Taps on wires: before the fader, and at the end of a wire.
@Suite struct WireTapTests {
  //   a (1) ══► main (2) ──► desk         b (2) ══► main
  private struct Console {
    let rig: Rig
    var sketch = Sketch()
    var strip: Graph.Wire
    let a: NodeID, b: NodeID, main: NodeID
    let before = CaptureProcessor(), after = CaptureProcessor(channels: 2)
    private(set) var taps: [TapID] = []

    init() throws {
      rig = Rig(inputs: [mono, stereo], outputs: [stereo])
      rig.source = { input, channel, frame in input == 0 ? 0.5 : Float(channel + 1) / 10 }
      a = try sketch.input("a", 0)
      b = try sketch.input("b", 1, stereo)
      main = try sketch.mixer("main", stereo)
      strip = try sketch.wire(a, main)
      try sketch.wire(b, main)
      try sketch.wire(main, sketch.output("desk", 0, stereo))
      taps = [try sketch.graph.tap(strip.id, .before), try sketch.graph.tap(strip.id, .after)]
      (sketch.taps[taps[0]], sketch.taps[taps[1]]) = (before, after)
    }

    mutating func play(_ change: (inout Graph.Wire) -> Void = { _ in }) throws {
      change(&strip)
      try sketch.graph.update(strip)
      try rig.play(sketch)
      rig.render(1000)
    }

    /// The levels before the fader, after it left and right, and at the desk left and right.
    func last() -> [Float] {
      (before.heard + after.heard + rig.heard[0]).map { $0.last ?? .nan }
    }
  }

  private func expect(
    _ heard: [Float], _ wanted: [Float], at location: SourceLocation = #_sourceLocation
  ) {
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(heard)", sourceLocation: location)
  }

  @Test func `a tap before the fader has trim and phase, and one after it has all of the strip`() throws {
    var console = try Console()
    try console.play()
    expect(console.last(), [0.5, 0.5, 0.5, 0.6, 0.7])
    try console.play { $0.volume = 0.5 }
    expect(console.last(), [0.5, 0.25, 0.25, 0.35, 0.45])
    try console.play { $0.pan = -1 }
    expect(console.last(), [0.5, 0.25, 0, 0.35, 0.2])
    try console.play { ($0.isInverted, $0.trim) = (true, 6.0206) }
    expect(console.last(), [-1, -0.5, 0, -0.4, 0.2])
    try console.play { $0.isMuted = true }
    expect(console.last(), [-1, 0, 0, 0.1, 0.2])
    #expect(console.sketch.graph.format(of: console.sketch.graph.taps[0]) == mono)
    #expect(console.sketch.graph.format(of: console.sketch.graph.taps[1]) == stereo)
  }

  @Test func `a tap records each frame of a fade, and does not change the output`() throws {
    var plain = try Console(), tapped = try Console()
    for tap in plain.taps { try plain.sketch.graph.remove(tap) }
    for step in 0..<6 {
      for isTapped in [false, true] {
        let change: (inout Graph.Wire) -> Void = {
          ($0.volume, $0.pan) = (Float(step % 3) / 2, Float(step % 2))
        }
        if isTapped { try tapped.play(change) } else { try plain.play(change) }
      }
    }
    #expect(plain.rig.heard == tapped.rig.heard)
    let sum = zip(tapped.after.heard[0], tapped.rig.heard[0][0])
    #expect(sum.allSatisfy { abs($0 + 0.1 - $1) < 1e-6 } && tapped.after.heard[0].count == 6000)
  }

  //   a ══► late ══► desk      alone on its bus, a wire that changes nothing is no step, tapped or not
  @Test func `a tap on a wire without a step records the wire's source`() throws {
    let rig = Rig(inputs: [mono])
    rig.source = { _, _, frame in Float(frame % 100) / 100 }
    var sketch = Sketch()
    let a = try sketch.input("a"), late = try sketch.node("late", Late(100))
    try sketch.wire(a, late)
    let wire = try sketch.wire(late, sketch.output())
    let captures = [CaptureProcessor(), CaptureProcessor()]
    for (side, capture) in zip([Graph.Tap.Side.before, .after], captures) {
      sketch.taps[try sketch.graph.tap(wire.id, side)] = capture
    }
    try rig.play(sketch)
    rig.render(500)
    #expect(!rig.controller.planText.contains("\n  wire"))
    #expect(captures.allSatisfy { $0.heard[0] == rig.heard[0][0] })
    #expect(sketch.graph.taps.allSatisfy { rig.controller.latency(of: $0.id) == 100 })
  }

  @Test func `a tap is removed with its wire, or with a node of that wire`() throws {
    var console = try Console()
    let strip = console.strip, send = Graph.Wire(sendOf: strip, to: Endpoint(try console.sketch.mixer("cue")))
    try console.sketch.graph.connect(send)
    _ = try console.sketch.graph.tap(send.id)
    #expect(console.sketch.graph.taps.count == 3)
    try console.play()
    try console.sketch.graph.disconnect(strip.id)
    #expect(console.sketch.graph.taps.isEmpty)
    try console.rig.play(console.sketch)
    console.rig.render(2000)
    #expect(console.rig.controller.isSettled)
    #expect(throws: GraphError.unknownWire(source: "a", destination: "main")) {
      _ = try console.sketch.graph.tap(strip.id)
    }
    try console.sketch.graph.connect(strip)
    _ = try console.sketch.graph.tap(strip.id, .before)
    try console.sketch.graph.remove(console.main)
    #expect(console.sketch.graph.taps.isEmpty)
  }

  //   a ══► main     the strip's volume follows a lane, and so does a send after the fader
  @Test(arguments: [false, true]) func `a send follows its strip's lane`(isPreFader: Bool) throws {
    let rig = Rig(inputs: [mono], outputs: [mono, mono])
    rig.source = { _, _, _ in 1 }
    var sketch = Sketch()
    let a = try sketch.input("a"), main = try sketch.mixer("main"), cue = try sketch.mixer("cue")
    let strip = try sketch.wire(a, main)
    try sketch.graph.connect(Graph.Wire(sendOf: strip, to: Endpoint(cue), gain: -20, isPreFader: isPreFader))
    try sketch.wire(main, sketch.output("desk", 0))
    try sketch.wire(cue, sketch.output("ear", 1))
    var fade = Automation(1)
    try fade.ramp(from: 1, to: 0, in: .zero..<(.milliseconds(100)))
    try sketch.graph.automate(Lane.Target(.wire(strip.id), .volume), with: fade)
    try rig.play(sketch)
    rig.render(6000, block: 100)
    let output = rig.heard[0][0], monitor = rig.heard[1][0]
    #expect(abs(output[2400] - 0.5) < 1e-3 && output[5000] == 0)
    #expect(zip(output, monitor).allSatisfy { abs(isPreFader ? $1 - 0.1 : $0 * 0.1 - $1) < 1e-6 })
  }
}
