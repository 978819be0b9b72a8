// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Protection of ears and loudspeakers at the output nodes.
@Suite struct OutputGuardTests {
  //   one ──► desk
  @Test(arguments: [1, 64, 1024]) func `the first sound fades in over 300 ms`(block: Int) throws {
    let rig = Rig(fadesIn: true)
    var sketch = Sketch()
    try sketch.chain(try sketch.source("one", Emitter.constant(1)), try sketch.output())
    try rig.play(sketch)
    let heard = rig.render(20_000, block: block)
    for frame in [0, 100, 7199, 14_398, 14_399, 14_400, 19_999] {
      #expect(abs(heard[frame] - min(Float(frame + 1) / 14_400, 1)) < 1e-6)
    }
  }

  /// `good ──► bad ──► scale ──► desk`: from frame 9600 on, `bad` plays `fault`.
  private func setup(_ fault: @escaping @Sendable (Int64) -> Float?) throws -> (
    rig: Rig, bad: NodeID, output: NodeID
  ) {
    let rig = Rig()
    var sketch = Sketch()
    let good = try sketch.source("good", Emitter.sine(100))
    let bad = try sketch.node("bad", FaultInjector { $0 >= 9600 ? fault($0) : nil })
    let scale = try sketch.node("scale", Scale(1)), output = try sketch.output()
    try sketch.chain(good, bad, scale, output)
    try rig.play(sketch)
    rig.render(9600)
    return (rig, bad, output)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity], [64, 1000])
  func `a sample that is no number mutes at once, with a ramp, and the report names the node`(
    fault: Float, block: Int
  ) throws {
    let (rig, bad, output) = try setup { _ in fault }
    rig.render(4800, block: block)
    let heard = rig.heard[0][0]
    #expect(heard.allSatisfy { abs($0) <= 0.5 }, "nothing that is no number gets out")
    #expect(heard[(9600 + 240)...].allSatisfy { $0 == 0 })
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    #expect(
      (steps.max() ?? 1) < 0.5 * 0.0131 + 0.5 / 240 + 1e-4, "it falls from the last good sample, in a line")
    #expect(rig.controller.takeReports() == [.muted(output, .notANumber), .cause(bad)])
    #expect(rig.controller.takeReports().isEmpty)
  }

  @Test func `a level above +20 dBFS mutes after 10 ms, and not before`() throws {
    let (rig, bad, output) = try setup { 9600..<9600 + 400 ~= $0 ? 11 : ($0 >= 24_000 ? -11 : nil) }
    rig.render(4800)
    #expect(rig.controller.takeReports().isEmpty)
    #expect(rig.heard[0][0][9700] == 11)
    rig.render(24_000)
    #expect(rig.controller.takeReports() == [.muted(output, .tooLoud), .cause(bad)])
    // 480 frames above the limit, at most one block to detect it, and 240 frames of fade-out.
    #expect(rig.heard[0][0][24_300] == -11)
    #expect(rig.heard[0][0][(24_000 + 480 + 64 + 240)...].allSatisfy { $0 == 0 })
  }

  @Test func `the report names a node that was too loud for 10 ms, even if it is silent by then`() throws {
    let (rig, bad, output) = try setup { 24_000..<24_481 ~= $0 ? 11 : nil }
    rig.render(24_000)
    #expect(rig.controller.takeReports() == [.muted(output, .tooLoud), .cause(bad)])
  }

  @Test func `a short peak is not reported, even if another follows later`() throws {
    let (rig, bad, output) = try setup { $0 % 9600 < 200 && $0 < 40_000 ? 11 : ($0 >= 48_000 ? -11 : nil) }
    rig.render(38_400 - 9600)
    #expect(rig.controller.takeReports().isEmpty)
    rig.render(48_000)
    #expect(rig.controller.takeReports() == [.muted(output, .tooLoud), .cause(bad)])
  }

  @Test func `a level just below the limit is not reported`() throws {
    let (rig, _, _) = try setup { _ in 9.99 }
    #expect(rig.render(48_000).last == 9.99)
    #expect(rig.controller.takeReports().isEmpty)
  }

  @Test func `a muted output node opens on request, and mutes again if the fault persists`() throws {
    let (rig, bad, output) = try setup { 9600..<48_000 ~= $0 ? .nan : nil }
    rig.render(9600)
    #expect(rig.controller.takeReports() == [.muted(output, .notANumber), .cause(bad)])
    rig.controller.open(output)
    rig.render(9600)
    #expect(rig.controller.takeReports() == [.muted(output, .notANumber), .cause(bad)])
    rig.render(28_800)
    #expect(rig.render(480).allSatisfy { $0 == 0 }, "it stays muted")
    rig.controller.open(output)
    rig.render(960)
    #expect(abs((rig.render(480).max() ?? 0) - 0.5) < 1e-3)
    #expect(rig.controller.takeReports().isEmpty)
  }

  //   good ──► desk      bad ──► phones
  @Test func `muting one output node leaves the others playing`() throws {
    let rig = Rig(outputs: [mono, mono])
    var sketch = Sketch()
    let good = try sketch.source("good", Emitter.constant(0.5)),
      bad = try sketch.source("bad", Emitter.constant(.nan))
    let phones = try sketch.output("phones", 1)
    try sketch.chain(good, try sketch.output())
    try sketch.chain(bad, phones)
    try rig.play(sketch)
    rig.render(9600)
    #expect(rig.heard[0][0].allSatisfy { $0 == 0.5 })
    #expect(rig.heard[1][0].allSatisfy { $0 == 0 })
    #expect(rig.controller.takeReports() == [.muted(phones, .notANumber), .cause(bad)])
  }

  //   3000 events into a bus with room for about a thousand
  @Test func `events that find no room are counted`() throws {
    let rig = Rig(outputs: [.events])
    var sketch = Sketch()
    let keys = try sketch.source(
      "keys", Keys((0..<3000).map { (Int64($0 % 64), UInt8($0 % 128)) }.sorted { $0.0 < $1.0 }), .events)
    try sketch.chain(keys, try sketch.output("midi", 0, .events))
    try rig.play(sketch)
    rig.render(256)
    // Each takes 16 bytes of header and 8 bytes of data; a buffer has a header of 16 bytes.
    let room = (EventMemory.byteCount - 32) / 24
    let dropped = rig.controller.takeReports().reduce(0) {
      if case .eventsDropped(let count) = $1 { $0 + count } else { $0 }
    }
    #expect(rig.eventsOut.count == room)
    #expect(dropped == 3000 - room)
  }

  //   slow ──► fast ──► desk
  @Test func `the report of the worst cycle names its slowest node and the cost of each step`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let fast = try sketch.node("fast", Scale(1)), slow = try sketch.node("slow", Slow())
    try sketch.chain(slow, fast, try sketch.output())
    try rig.play(sketch)
    #expect(rig.controller.takeSlowest() == nil)
    rig.render(640)
    let slowest = try #require(rig.controller.takeSlowest())
    #expect(slowest.nodes == [slow])
    #expect(slowest.seconds > 0.0009 && slowest.seconds <= slowest.cycleSeconds)
    rig.controller.setProfiling(true)
    rig.render(640)
    rig.controller.setProfiling(false)
    let costs = rig.controller.costs()
    #expect(costs.map(\.label) == ["slow", "fast", "send out desk"])
    #expect(costs[0].node == slow && costs[0].mean > 0.0009 && costs[0].worst >= costs[0].mean)
    #expect(costs[1].mean < costs[0].mean && costs[1].mean > 0)
  }

  @Test(arguments: [1, 64, 1000])
  func `an output node glides to another loudness in 200 ms`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    try sketch.chain(try sketch.source("one", Emitter.constant(1)), try sketch.output())
    try rig.play(sketch)
    rig.render(1000, block: block)
    rig.controller.setLoudness(0.25)
    rig.render(12_000, block: block)
    rig.controller.setLoudness(1)
    rig.render(12_000, block: block)
    let heard = rig.heard[0][0]
    for frame in 0..<25_000 {
      let down = min(max(Float(frame - 999) / 9600, 0), 1), up = min(max(Float(frame - 12_999) / 9600, 0), 1)
      let expected = frame < 13_000 ? 1 - 0.75 * down : 0.25 + 0.75 * up
      guard abs(heard[frame] - expected) > 1e-6 else { continue }
      Issue.record("frame \(frame): \(heard[frame]), not \(expected)")
      break
    }
  }
}

/// Passes sound on, except for frames where it plays a fault.
private final class FaultInjector: Processor, @unchecked Sendable {
  private let fault: (Int64) -> Float?

  init(_ fault: @escaping (Int64) -> Float?) {
    self.fault = fault
    super.init()
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    for frame in 0..<block.frameCount {
      block.output()[0][frame] = fault(block.frame + Int64(frame)) ?? block.input()[0][frame]
    }
  }
}

/// Takes one millisecond per block.
private final class Slow: Processor, @unchecked Sendable {
  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let end = ContinuousClock.now + .milliseconds(1)
    while ContinuousClock.now < end {}
    block.output()[0].clear()
  }
}
