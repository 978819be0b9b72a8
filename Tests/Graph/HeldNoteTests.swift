// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Foundation
import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Plays messages of three bytes at given frames.
private final class MessagePlayer: Processor, @unchecked Sendable {
  typealias Message = (frame: Int64, status: UInt8, key: UInt8, value: UInt8)
  private let messages: [Message]

  init(_ messages: [Message]) {
    self.messages = messages
    super.init()
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    for message in messages where block.frame..<block.frame + Int64(block.frameCount) ~= message.frame {
      let bytes = [message.status, message.key, message.value]
      block.output().events?.append(
        EventHeader(frame: message.frame, type: EventHeader.midi, size: 3), bytes: bytes)
    }
  }
}

/// Tracks which keys are down, as an instrument does: channel * 128 + key.
private final class Instrument: Processor, @unchecked Sendable {
  private(set) var held: Set<Int> = [], pedals: Set<Int> = []
  private(set) var releases: [(frame: Int64, key: Int)] = []
  private(set) var messages = 0

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    for bus in 0..<block.outputCount {
      for channel in 0..<block.output(bus: bus).channelCount { block.output(bus: bus)[channel].clear() }
    }
    var next = block.input().events?.first
    while let event = next {
      messages += 1
      let channel = Int(event[0] & 15), key = channel * 128 + Int(event[1])
      switch event[0] & 0xF0 {
      case 0x90: held.insert(key)
      case 0x80:
        held.remove(key)
        releases.append((event.header.frame, key))
      case 0xB0 where event[1] == 64:
        if event[2] >= 64 { pedals.insert(channel) } else { pedals.remove(channel) }
      default: break
      }
      next = block.input().events?.next(after: event)
    }
  }
}

/// No note hangs when the wire that carried its note-on is removed.
@Suite struct HeldNoteTests {
  //   keys ──┐
  //   pads ──┴─► synth ──► desk
  private struct Setup {
    let rig = Rig()
    let synth = Instrument()
    var sketch = Sketch()
    let keys: NodeID, pads: NodeID, node: NodeID, output: NodeID

    /// Keys hold 60 on channel 0 and 70 on channel 3, with its pedal, and release 62; pads hold 80.
    init() throws {
      keys = try sketch.source(
        "keys",
        MessagePlayer([
          (10, 0x90, 60, 100), (20, 0x93, 70, 1), (30, 0xB3, 64, 127), (40, 0x90, 62, 9), (50, 0x80, 62, 0),
        ]), .events)
      pads = try sketch.source("pads", MessagePlayer([(15, 0x90, 80, 100), (9000, 0x90, 81, 100)]), .events)
      node = try sketch.node("synth", synth, inputs: [.events], outputs: [mono])
      output = try sketch.output()
      try sketch.wire(keys, node)
      try sketch.wire(pads, node)
      try sketch.wire(node, output)
      try rig.play(sketch)
      rig.render(256)
      try #require(synth.held == [60, 3 * 128 + 70, 80] && synth.pedals == [3])
    }
  }

  @Test func `a removed wire releases its own notes and pedals, and no others`() throws {
    var setup = try Setup()
    try setup.sketch.unwire(setup.keys, setup.node)
    try setup.rig.play(setup.sketch)
    setup.rig.settle()
    #expect(setup.synth.held == [80] && setup.synth.pedals == [])
    #expect(setup.synth.releases.map(\.key) == [62, 60, 3 * 128 + 70])
    #expect(!setup.rig.controller.planText.contains("release"))
    #expect(setup.rig.controller.store.eventWires.count == 1)
  }

  @Test func `a removed source releases its notes`() throws {
    var setup = try Setup()
    try setup.sketch.graph.remove(setup.keys)
    try setup.rig.play(setup.sketch)
    setup.rig.settle()
    #expect(setup.synth.held == [80] && setup.synth.pedals == [])
  }

  @Test func `an inaudible instrument holds no note when it becomes audible again`() throws {
    var setup = try Setup()
    for source in [setup.keys, setup.pads] { try setup.sketch.unwire(source, setup.node) }
    try setup.sketch.unwire(setup.node, setup.output)
    try setup.rig.play(setup.sketch)
    setup.rig.settle()
    setup.rig.render(256)
    #expect(setup.synth.held == [] && setup.synth.pedals == [])
    #expect(!setup.rig.controller.planText.contains("release"))
    #expect(setup.rig.controller.store.eventWires.isEmpty)
  }

  @Test func `a wire removed while nothing renders releases its notes in the next block`() throws {
    var setup = try Setup()
    setup.rig.controller.isLive = false
    try setup.sketch.unwire(setup.keys, setup.node)
    try setup.rig.play(setup.sketch)
    for _ in 0..<5 { setup.rig.controller.tick() }
    setup.rig.controller.isLive = true
    setup.rig.render(1)
    #expect(setup.synth.held == [80])
    setup.rig.settle()
    #expect(!setup.rig.controller.planText.contains("release"))
  }

  @Test(arguments: [true, false])
  func `a stopped engine releases all notes, and plays again afterwards`(isRendered: Bool) throws {
    let setup = try Setup()
    setup.rig.controller.isLive = isRendered
    setup.rig.controller.suspend()
    if isRendered {
      setup.rig.render(5000)
      #expect(setup.synth.held == [] && setup.synth.pedals == [])
    }
    setup.rig.controller.tick()
    setup.rig.controller.resume()
    setup.rig.render(1)
    #expect(setup.synth.held == [] && setup.synth.pedals == [])
    setup.rig.controller.isLive = true
    setup.rig.render(9100)
    #expect(setup.synth.held == [81])
  }

  //   keys: 60 down, then a block with more events than it has room for, the last of which is the note-off
  @Test(arguments: [0, 100]) func `a release that found no room is sent later`(latency: Int) throws {
    let rig = Rig(longestBlock: 4096)
    let synth = Instrument()
    var sketch = Sketch()
    let flood: [MessagePlayer.Message] = (0..<3000).map {
      (frame: 4096 + $0, status: 0xB0, key: 7, value: 100)
    }
    let keys = try sketch.source(
      "keys", MessagePlayer([(10, 0x91, 60, 100)] + flood + [(8000, 0x81, 60, 0), (12_300, 0x91, 61, 1)]),
      .events)
    let node = try sketch.node("synth", synth, inputs: [.events, mono], outputs: [mono])
    let late = try sketch.node("late", Late(latency)), tone = try sketch.source("tone", Emitter.constant(0))
    try sketch.wire(keys, node)
    try sketch.wire(tone, late)
    try sketch.wire(Endpoint(late), Endpoint(node, bus: 1))
    try sketch.wire(node, try sketch.output())
    try rig.play(sketch)
    rig.render(4096, block: 4096)
    #expect(synth.held == [128 + 60])
    rig.render(4096, block: 4096)
    #expect(synth.held == [128 + 60], "its release was lost")
    rig.render(4096, block: 4096)
    #expect(synth.held == [])
    rig.render(4096, block: 4096)
    #expect(synth.held == [128 + 61])
    let lost = rig.controller.takeReports().map {
      if case .eventsDropped(let count) = $0 { count } else { 0 }
    }
    #expect(lost.reduce(0, +) == 3001 - (synth.messages - 3))
  }

  //   late 2000 ──► synth.1       keys: the note-off is delayed with the sound when the wire is removed
  @Test func `a removed wire releases a note at once, even if its note-off is still delayed`() throws {
    let rig = Rig()
    let synth = Instrument()
    var sketch = Sketch()
    let keys = try sketch.source("keys", MessagePlayer([(0, 0x90, 60, 100), (2500, 0x80, 60, 0)]), .events)
    let node = try sketch.node("synth", synth, inputs: [.events, mono], outputs: [mono])
    let late = try sketch.node("late", Late(2000)), tone = try sketch.source("tone", Emitter.constant(0))
    try sketch.wire(keys, node)
    try sketch.wire(tone, late)
    try sketch.wire(Endpoint(late), Endpoint(node, bus: 1))
    try sketch.wire(node, try sketch.output())
    try rig.play(sketch)
    rig.render(3000)
    #expect(synth.held == [60])
    try sketch.unwire(keys, node)
    try rig.play(sketch)
    rig.settle()
    #expect(synth.held == [])
    #expect(synth.releases.count == 1)
    #expect(synth.releases.allSatisfy { $0.frame < 3200 })
  }

  @Test func `a removed wire into an event output node releases its notes`() throws {
    let rig = Rig(outputs: [.events])
    var sketch = Sketch()
    let keys = try sketch.source("keys", MessagePlayer([(5, 0x90, 60, 100)]), .events)
    let out = try sketch.output("out", 0, .events)
    try sketch.wire(keys, out)
    try rig.play(sketch)
    rig.render(64)
    rig.controller.suspend()
    rig.render(2000)
    #expect(rig.eventsOut.map(\.byte) == [0x90, 0x80])
  }

  //   64 wires, each full of events
  @Test func `a flood of events on many wires is merged in order, in time proportional to it`() throws {
    let rig = Rig(outputs: [.events], longestBlock: 8192)
    var sketch = Sketch()
    let out = try sketch.node("ear", EventCounter(), inputs: [.events], outputs: [])
    for wire in 0..<64 {
      try sketch.wire(try sketch.source("flood \(wire)", Flood(Int64(wire % 6)), .events), out)
    }
    try rig.play(sketch)
    let start = threadTime()
    rig.renderBlock(8192)
    // Comparing each event with every other would take a thousand million steps.
    #expect(threadTime() - start < 5)
    let capture = try #require(sketch.processors[out] as? EventCounter)
    #expect(capture.count == 64 * 1364)
    #expect(capture.isInOrder)
  }
}

/// Plays 1364 events a block, six frames apart: as many as a bus has room for.
private final class Flood: Processor, @unchecked Sendable {
  private let first: Int64

  init(_ first: Int64) {
    self.first = first
    super.init()
  }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    guard let events = block.output().events else { return }
    for number in 0..<1364 {
      var bytes = UInt32(0xB0) | 7 << 8
      unsafe events.append(
        EventHeader(frame: block.frame + first + Int64(number) * 6, type: EventHeader.midi, size: 3),
        bytes: &bytes)
    }
  }
}

/// Counts incoming events and checks their order.
private final class EventCounter: Processor, @unchecked Sendable {
  private(set) var count = 0
  private(set) var isInOrder = true

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    var last = Int64.min
    var next = block.input().events?.first
    while let event = next {
      count += 1
      isInOrder = isInOrder && last <= event.header.frame
      last = event.header.frame
      next = block.input().events?.next(after: event)
    }
  }
}
