// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Pass 3: latency compensation of paths that meet.
@Suite struct LatencyTests {
  /// Returns the frames with sound, and their levels.
  private func strikes(_ samples: [Float]) -> [Int: Float] {
    Dictionary(uniqueKeysWithValues: samples.enumerated().filter { $1 != 0 }.map { ($0, $1) })
  }

  //   hit ──► late 100 ──► late 37 ──┐
  //    ├────► late 250 ──────────────┼──► desk
  //    └─────────────────────────────┘
  @Test(arguments: [1, 7, 64, 256, 1024])
  func `an impulse on three paths arrives on one frame`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 10)), output = try sketch.output()
    let a = try sketch.node("a", Late(100)), b = try sketch.node("b", Late(37)),
      c = try sketch.node("c", Late(250))
    try sketch.chain(hit, a, b, output)
    try sketch.chain(hit, c, output)
    try sketch.wire(hit, output)
    try rig.play(sketch)
    #expect(strikes(rig.render(2048, block: block)) == [260: 3])
    #expect(rig.controller.latency(of: output) == 250)
  }

  //   left ──► late 64 ──► desk[1]
  //   right ─────────────► desk[2]
  @Test func `the channels of an output node are aligned`() throws {
    let rig = Rig(outputs: [stereo])
    var sketch = Sketch()
    let left = try sketch.source("left", Emitter.impulse(at: 5)),
      right = try sketch.source("right", Emitter.impulse(at: 5))
    let late = try sketch.node("late", Late(64)), output = try sketch.output("desk", 0, stereo)
    try sketch.wire(left, late)
    try sketch.wire(Endpoint(late), Endpoint(output, channel: 0))
    try sketch.wire(Endpoint(right), Endpoint(output, channel: 1))
    try rig.play(sketch)
    rig.render(512)
    #expect(rig.heard[0].map { strikes($0) } == [[69: 1], [69: 1]])
  }

  //   voice ──► late 480 ──► desk        two independent output nodes: each as early as possible
  //   click ──────────────► phones
  @Test func `output nodes are not delayed to match each other`() throws {
    let rig = Rig(outputs: [mono, mono])
    var sketch = Sketch()
    let voice = try sketch.source("voice", Emitter.impulse(at: 0)),
      click = try sketch.source("click", Emitter.impulse(at: 0))
    let late = try sketch.node("late", Late(480)), output = try sketch.output(),
      phones = try sketch.output("phones", 1)
    try sketch.chain(voice, late, output)
    try sketch.wire(click, phones)
    try rig.play(sketch)
    rig.render(1024)
    #expect(rig.heard.map { strikes($0[0]) } == [[480: 1], [0: 1]])
    #expect(rig.controller.latency(of: output) == 480 && rig.controller.latency(of: phones) == 0)
  }

  //   hit ──► late 100 ──► striker.0        keys ──► striker.1
  @Test(arguments: [1, 7, 64, 1024])
  func `events are delayed with the sound that they belong to`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 50)), late = try sketch.node("late", Late(100))
    let keys = try sketch.source("keys", Keys([(3, 1), (50, 2), (50, 3), (900, 4)]), .events)
    let instrument = ImpulsePlayer()
    let node = try sketch.node("striker", instrument, inputs: [mono, .events])
    try sketch.chain(hit, late, node, try sketch.output())
    try sketch.wire(Endpoint(keys), Endpoint(node, bus: 1))
    try rig.play(sketch)
    #expect(strikes(rig.render(2048, block: block)) == [103: 10, 150: 21, 1000: 10])
    #expect(instrument.struck.map(\.byte) == [1, 2, 3, 4])
    #expect(rig.controller.planText.contains("hold events 100"))
  }

  //   mic ──► late 100 ──► late 20 ──► desk       with taps at four places
  @Test func `the graph reports each tap's latency`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), output = try sketch.output()
    let a = try sketch.node("a", Late(100)), b = try sketch.node("b", Late(20))
    try sketch.chain(hit, a, b, output)
    let captures = (0..<4).map { _ in CaptureProcessor() }
    let taps = [
      try sketch.tap(a, .before, captures[0]), try sketch.tap(a, .after, captures[1]),
      try sketch.tap(b, .after, captures[2]),
      try sketch.tap(output, .before, captures[3]),
    ]
    try rig.play(sketch)
    rig.render(512)
    #expect(taps.map { rig.controller.latency(of: $0) } == [0, 100, 120, 120])
    #expect(captures.map { strikes($0.heard[0]) } == [[0: 1], [100: 1], [120: 1], [120: 1]])
  }

  //   hit ──► late 480 ──► ear       the transport is relocated while the sound is delayed
  @Test func `a node behind latency receives the transport of its sound`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), late = try sketch.node("late", Late(480))
    let first = CaptureProcessor(), second = CaptureProcessor()
    let a = try sketch.node("first", first), b = try sketch.node("second", second)
    try sketch.chain(hit, a, late, b)
    rig.transport = Transport(isRolling: true, position: 48_000, tempo: 120, bar: 2, beat: 0.01)
    try rig.play(sketch)
    rig.render(64)
    #expect(first.transports.first == rig.transport)
    // 480 frames are 10 ms: 0.02 beats at 120 a minute, back over the bar line.
    let past = try #require(second.transports.first)
    #expect(past.position == 47_520 && past.bar == 1 && abs(past.beat - 3.99) < 1e-9)
  }

  //   hit ──► late n ──┐
  //    └───────────────┴──► desk       n changes while the sound plays
  @Test func `a changed latency is compensated`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter { $0 % 4800 == 0 ? 1 : 0 }),
      late = try sketch.node("late", Late(100))
    let output = try sketch.output()
    try sketch.chain(hit, late, output)
    try sketch.wire(hit, output)
    try rig.play(sketch)
    #expect(strikes(rig.render(4800)) == [100: 2])
    try rig.controller.set(0, of: late, to: 300, over: 0)
    rig.render(4800)
    #expect(rig.controller.latency(of: output) == 300)
    #expect(strikes(rig.render(4800)) == [300: 2])
    try rig.controller.set(0, of: late, to: 0, over: 0)
    rig.render(4800)
    #expect(strikes(rig.render(4800)) == [0: 2])
  }

  //   200 nodes with a latency of 2²² frames each, and a wire around them all
  @Test func `latencies that need more memory than a plan may use are refused`() throws {
    var sketch = Sketch()
    let hit = try sketch.source("hit", Emitter.impulse(at: 0)), output = try sketch.output()
    var last = hit
    for index in 0..<200 {
      let node = try sketch.node("late\(index)", Late(1 << 22))
      try sketch.wire(last, node)
      last = node
    }
    try sketch.wire(last, output)
    try sketch.wire(hit, output)
    #expect(throws: GraphError.tooLarge) { try sketch.plan() }
  }
}
