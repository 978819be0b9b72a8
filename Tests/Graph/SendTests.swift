// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletGraph

/// Sends of strips: their sound, when they are silent, and their alignment.
@Suite struct SendTests {
  //   mic ──► main ──► desk
  //    ╰┄┄┄┄► cue ───► ear         the send
  private struct Console {
    let rig = Rig(inputs: [mono], outputs: [mono, mono])
    var sketch = Sketch()
    var strip: Graph.Wire, send: Graph.Wire
    let mic: NodeID, main: NodeID, cue: NodeID

    init(isPreFader: Bool) throws {
      rig.source = { _, _, _ in 1 }
      mic = try sketch.input("mic")
      main = try sketch.mixer("main")
      cue = try sketch.mixer("cue")
      strip = try sketch.wire(mic, main)
      send = Graph.Wire(sendOf: strip, to: Endpoint(cue), gain: -20, isPreFader: isPreFader)
      try sketch.graph.connect(send)
      try sketch.wire(main, sketch.output("desk", 0))
      try sketch.wire(cue, sketch.output("ear", 1))
    }

    /// Applies the wires, and returns the final levels at desk and ear.
    mutating func heard() throws -> [Float] {
      try sketch.graph.update(strip)
      try sketch.graph.update(send)
      try rig.play(sketch)
      rig.render(2000)
      return rig.heard.map { $0[0].last ?? .nan }
    }
  }

  private func expect(
    _ heard: [Float], _ wanted: [Float], at location: SourceLocation = #_sourceLocation
  ) {
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(heard)", sourceLocation: location)
  }

  @Test(arguments: [false, true])
  func `a send carries the strip's sound from before or after the fader`(isPreFader: Bool) throws {
    var console = try Console(isPreFader: isPreFader)
    expect(try console.heard(), [1, 0.1])
    console.strip.gain = -20
    expect(try console.heard(), [0.1, isPreFader ? 0.1 : 0.01])
    console.strip.volume = 0
    expect(try console.heard(), [0, isPreFader ? 0.1 : 0])
    (console.strip.gain, console.strip.trim) = (0, 6.0206)
    expect(try console.heard(), [2, 0.2])
    console.strip.isInverted = true
    expect(try console.heard(), [-2, -0.2])
    console.send.isInverted = true
    expect(try console.heard(), [-2, 0.2])
    console.send.isMuted = true
    expect(try console.heard(), [-2, 0])
    console.send.isMuted = false
    console.strip.isMuted = true
    expect(try console.heard(), [0, 0])
  }

  @Test func `a send follows its strip's fade frame by frame`() throws {
    var console = try Console(isPreFader: false)
    expect(try console.heard(), [1, 0.1])
    (console.strip.volume, console.strip.glide) = (0, 0.02)
    _ = try console.heard()
    let output = console.rig.heard[0][0], monitor = console.rig.heard[1][0]
    #expect(zip(output, monitor).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
    #expect(output[2000] < 1 && abs(output[2479] - 0.5) < 1e-5 && output[2959] == 0)
  }

  //   mic fades over a second, or its trim does, or both at once; meanwhile a send is made, to a node before main
  //   in the plan, or after it
  @Test(arguments: [1, 64, 1000], [false, true])
  func `a send made during a fade starts at the fade's current value`(block: Int, isEarly: Bool) throws {
    for (isPreFader, isTrim, latency) in [
      (false, false, 0), (false, true, 0), (true, true, 0), (true, false, 0), (false, false, 300),
    ] {
      let rig = Rig(inputs: [mono], outputs: [mono, mono])
      rig.source = { _, _, _ in 1 }
      var sketch = Sketch()
      let mic = try sketch.input("mic"), early = try sketch.mixer("early")
      let main = try sketch.mixer("main"), late = try sketch.mixer("late")
      let cue = isEarly ? early : late
      var strip = try sketch.wire(mic, main)
      try sketch.wire(main, sketch.output("desk", 0))
      try sketch.wire(cue, sketch.output("ear", 1))
      if latency > 0 { try sketch.chain(mic, sketch.node("slow", Late(latency)), cue) }
      try rig.play(sketch)
      rig.render(1000, block: block)
      if isTrim { strip.trim = -20 } else { strip.gain = -20 }
      strip.glide = 1
      try sketch.graph.update(strip)
      try rig.play(sketch)
      rig.render(20_000, block: block)
      try sketch.graph.connect(Graph.Wire(sendOf: strip, to: Endpoint(cue), isPreFader: isPreFader))
      try rig.play(sketch)
      rig.render(40_000, block: block)
      // At the end, including the delay of the send's path, which delays it unless the change itself is slow.
      let base: Float = latency > 0 ? 1 : 0
      for frame in 23_000..<61_000 {
        let output = rig.heard[0][0][frame], wanted = base + (isPreFader && !isTrim ? 1 : output)
        guard abs(rig.heard[1][0][frame] - wanted) < 2e-6 else {
          Issue.record(
            "\(rig.heard[1][0][frame]), not \(wanted), at \(frame) (\(isPreFader), \(isTrim), \(latency))")
          break
        }
      }
      #expect(abs((rig.heard[0][0].last ?? 0) - 0.1) < 1e-6)
    }
  }

  //   the edit that makes the send also begins the fade, or replaces it with another
  @Test(arguments: [1, 64, 1000])
  func `a send and a fade of its strip may begin in one edit`(block: Int) throws {
    for isFading in [false, true] {
      var console = try Console(isPreFader: false)
      try console.sketch.graph.disconnect(console.send.id)
      try console.rig.play(console.sketch)
      console.rig.render(1000, block: block)
      if isFading {
        (console.strip.volume, console.strip.glide) = (0.5, 1)
        try console.sketch.graph.update(console.strip)
        try console.rig.play(console.sketch)
        console.rig.render(20_000, block: block)
      }
      (console.strip.volume, console.strip.glide) = (0.1, 0.8)
      try console.sketch.graph.update(console.strip)
      try console.sketch.graph.connect(Graph.Wire(sendOf: console.strip, to: Endpoint(console.cue)))
      try console.rig.play(console.sketch)
      console.rig.render(50_000, block: block)
      let count = console.rig.heard[0][0].count
      for frame in (count - 47_000)..<count {
        let (output, monitor) = (console.rig.heard[0][0][frame], console.rig.heard[1][0][frame])
        guard abs(output - monitor) < 2e-6 else {
          Issue.record("\(monitor), not \(output), at \(frame)")
          break
        }
      }
    }
  }

  //   mic (2, left louder) ──► main (2), hard right
  //    ╰┄┄► cue (2)
  @Test func `a send branches off before the pan, and has its own pan`() throws {
    let rig = Rig(inputs: [stereo], outputs: [stereo, stereo])
    rig.source = { _, channel, _ in channel == 0 ? 1 : 0.5 }
    var sketch = Sketch()
    let mic = try sketch.input("mic", 0, stereo)
    let main = try sketch.mixer("main", stereo), cue = try sketch.mixer("cue", stereo)
    var strip = try sketch.wire(mic, main)
    strip.pan = 1
    try sketch.graph.update(strip)
    var send = Graph.Wire(sendOf: strip, to: Endpoint(cue))
    try sketch.graph.connect(send)
    try sketch.wire(main, sketch.output("desk", 0, stereo))
    try sketch.wire(cue, sketch.output("ear", 1, stereo))
    func heard() throws -> [[Float]] {
      try rig.play(sketch)
      rig.render(1000)
      return rig.heard.map { $0.map { $0.last ?? .nan } }
    }
    #expect(try heard() == [[0, 0.5], [1, 0.5]])
    send.pan = -1
    try sketch.graph.update(send)
    #expect(try heard() == [[0, 0.5], [1, 0]])
  }

  //   mic ──────────────────────► main ──► desk       hall is 300 frames late, mic itself 100
  //    ╰┄┄► hall (late) ──────────►┘
  @Test(arguments: [1, 64, 1000])
  func `a send's return and the strip arrive on the same frame`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let tick = try sketch.source("tick", Emitter.impulse(at: 1000)), mic = try sketch.node("mic", Late(100))
    let main = try sketch.mixer("main"), hall = try sketch.node("hall", Late(300))
    try sketch.wire(tick, mic)
    let strip = try sketch.wire(mic, main, gain: -6)
    try sketch.graph.connect(Graph.Wire(sendOf: strip, to: Endpoint(hall), gain: -14))
    try sketch.wire(hall, main)
    try sketch.wire(main, sketch.output())
    try rig.play(sketch)
    rig.render(3000, block: block)
    let heard = rig.heard[0][0]
    let loud = heard.indices.filter { heard[$0] != 0 }
    #expect(loud == [1400] && abs(heard[1400] - (0.5011872 + 0.1)) < 1e-6)
  }

  //   mic ──► main      a send is added and removed while sound plays; then its strip is removed
  @Test func `a send fades in and out, and is removed with its strip`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let tone = try sketch.source("tone", Emitter.sine(100)), main = try sketch.mixer("main")
    let hall = try sketch.node("hall", Scale(1)), other = try sketch.mixer("other")
    let strip = try sketch.wire(tone, main)
    try sketch.wire(hall, main)
    try sketch.wire(main, sketch.output())
    try sketch.wire(other, sketch.output("side", 1))
    try rig.play(sketch)
    rig.render(1000)
    let send = Graph.Wire(sendOf: strip, to: Endpoint(hall))
    try sketch.graph.connect(send)
    try rig.play(sketch)
    rig.render(3000)
    #expect(
      rig.controller.planText.contains("send tone -> hall") || rig.controller.planText.contains("hall  in b"))
    try sketch.graph.disconnect(strip.id)
    #expect(sketch.graph.wire(send.id) == nil)
    try rig.play(sketch)
    rig.render(3000)
    #expect(rig.heard[0][0].suffix(100).allSatisfy { $0 == 0 })
    Smoothness(frequency: 100, amplitude: 1, fades: 2).expect(rig.heard[0][0])
    // Removing the strip's destination removes the strip and its sends.
    try sketch.graph.connect(strip)
    try sketch.graph.connect(send)
    try sketch.graph.remove(main)
    #expect(sketch.graph.wires.allSatisfy { $0.source.node != tone })
  }

  @Test func `a send without a strip, a duplicate, and a send of a send are refused`() throws {
    var console = try Console(isPreFader: false)
    let missing = Graph.Wire(from: Endpoint(console.mic), to: Endpoint(console.cue))
    #expect(throws: GraphError.unknownWire(source: "mic", destination: "cue")) {
      try console.sketch.graph.connect(Graph.Wire(sendOf: missing, to: Endpoint(console.main)))
    }
    #expect(throws: GraphError.duplicateWire(source: "mic", destination: "cue")) {
      try console.sketch.graph.connect(console.send)
    }
    // A plain wire between the same ends is a different wire, and may be a strip itself.
    try console.sketch.graph.connect(missing)
    try console.sketch.graph.connect(Graph.Wire(sendOf: missing, to: Endpoint(console.main)))
    expect(try console.heard(), [2, 1.1])
    #expect(throws: GraphError.cycle(["main", "main"])) {
      let loop = try console.sketch.wire(console.main, console.cue)
      try console.sketch.graph.connect(Graph.Wire(sendOf: loop, to: Endpoint(console.main)))
      try console.rig.play(console.sketch)
    }
  }
}
