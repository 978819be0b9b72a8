// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

/// Event routing: each event arrives once, in order and on its frame.
@Suite struct EventTests {
  //   keys ─┐
  //   pads ─┼──► out
  //   in  ──┘
  @Test(arguments: [1, 7, 64, 1000])
  func `events of several wires are merged in the order of their frames`(block: Int) throws {
    let rig = Rig(inputs: [.events], outputs: [.events])
    rig.eventsIn = [(0, 1), (70, 2), (200, 3), (500, 4)]
    var sketch = Sketch()
    let input = try sketch.input("in", 0, .events), out = try sketch.output("out", 0, .events)
    let keys = try sketch.source("keys", Keys([(5, 11), (70, 12), (70, 13), (999, 14)]), .events)
    let pads = try sketch.source("pads", Keys([(1, 21), (70, 22), (300, 23)]), .events)
    for node in [keys, pads, input] { try sketch.wire(node, out) }
    try rig.play(sketch)
    rig.render(1000, block: block)
    let heard = rig.eventsOut.map { [Int($0.frame), Int($0.byte)] }
    #expect(
      heard == [
        [0, 1], [1, 21], [5, 11], [70, 12], [70, 13], [70, 22], [70, 2], [200, 3], [300, 23], [500, 4],
        [999, 14],
      ])
  }

  //   song ──► out
  @Test(arguments: [1, 7, 64, 1000])
  func `a MIDI player plays each message on its frame, once per repetition`(block: Int) throws {
    let rig = Rig(outputs: [.events])
    var sketch = Sketch()
    let notes = [(0, 1), (70, 2), (70, 3), (100, 4)].map { frame, key in
      EventSource.Message(frame: frame, bytes: UInt32(key), size: 1)
    }
    let song = try sketch.source("song", EventSource(notes, length: 100, times: 3), .events)
    try sketch.wire(song, sketch.output("out", 0, .events))
    try rig.play(sketch)
    rig.render(1000, block: block)
    // The last message of a repetition and the first of the next fall on the same frame.
    let once = [[0, 1], [70, 2], [70, 3], [100, 4]]
    #expect(
      rig.eventsOut.map { [Int($0.frame), Int($0.byte)] }
        == (0..<3).flatMap { time in once.map { [$0[0] + 100 * time, $0[1]] } })
  }

  //   song ──► out
  @Test func `messages that exceed a block's room are sent later, and none is lost`() throws {
    let rig = Rig(outputs: [.events])
    var sketch = Sketch()
    let notes = (0..<3000).map { EventSource.Message(frame: 0, bytes: UInt32($0 % 128), size: 1) }
    let song = try sketch.source("song", EventSource(notes, length: 0, times: 1), .events)
    try sketch.wire(song, sketch.output("out", 0, .events))
    try rig.play(sketch)
    rig.render(1000, block: 64)
    #expect(rig.eventsOut.map { Int($0.byte) } == (0..<3000).map { $0 % 128 })
  }

  //   keys ─┬──► striker ──► desk         striker feeds back into itself, so it runs in slices
  //   pads ─┘     └◄──┘
  @Test(arguments: [16, 100, 1000])
  func `a feedback loop that runs in slices receives each event once`(block: Int) throws {
    let rig = Rig()
    var sketch = Sketch()
    let instrument = ImpulsePlayer()
    let keys = try sketch.source("keys", Keys([(3, 1), (40, 2), (500, 3)]), .events)
    let pads = try sketch.source("pads", Keys([(40, 4), (900, 5)]), .events)
    let node = try sketch.node("striker", instrument, inputs: [mono, .events])
    try sketch.wire(Endpoint(keys), Endpoint(node, bus: 1))
    try sketch.wire(Endpoint(pads), Endpoint(node, bus: 1))
    try sketch.wire(node, node, gain: -120, feedback: 32)
    try sketch.wire(node, try sketch.output())
    try rig.play(sketch)
    rig.render(1000, block: block)
    #expect(
      instrument.struck.map { [Int($0.frame), Int($0.byte)] } == [
        [3, 1], [40, 2], [40, 4], [500, 3], [900, 5],
      ])
  }

  //   tone ──► late n ──► striker.0      keys ──► striker.1: n changes while events are delayed
  @Test func `a changed latency neither loses nor reorders events`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let instrument = ImpulsePlayer()
    let events = (0..<600).map { (frame: Int64($0 * 37), byte: UInt8($0 % 128)) }
    let tone = try sketch.source("tone", Emitter.constant(0)),
      keys = try sketch.source("keys", Keys(events), .events)
    let late = try sketch.node("late", Late(500)),
      node = try sketch.node("striker", instrument, inputs: [mono, .events])
    try sketch.chain(tone, late, node, try sketch.output())
    try sketch.wire(Endpoint(keys), Endpoint(node, bus: 1))
    try rig.play(sketch)
    for latency in [500, 900, 100, 0, 0, 300, 0, 700, 20] {
      try rig.controller.set(0, of: late, to: Float(latency), over: 0)
      rig.render(2500)
    }
    rig.render(4800)
    #expect(instrument.struck.map(\.byte) == events.map(\.byte))
    #expect(zip(instrument.struck, instrument.struck.dropFirst()).allSatisfy { $0.frame <= $1.frame })
  }

  //   tone ──► late 500 ──► striker.0      keys ──► striker.1: delayed, and due in frames that are lost
  @Test func `events due in lost frames are sent after them, once and in order`() throws {
    let rig = Rig()
    var sketch = Sketch()
    let instrument = ImpulsePlayer()
    let tone = try sketch.source("tone", Emitter.constant(0)),
      keys = try sketch.source("keys", Keys([(10, 1), (100, 2), (130, 3), (250, 4)]), .events)
    let late = try sketch.node("late", Late(500)),
      node = try sketch.node("striker", instrument, inputs: [mono, .events])
    try sketch.chain(tone, late, node, try sketch.output())
    try sketch.wire(Endpoint(keys), Endpoint(node, bus: 1))
    try rig.play(sketch)
    rig.render(512)
    rig.lose(150)
    rig.render(512)
    #expect(
      instrument.struck.map { [Int($0.frame), Int($0.byte)] } == [[510, 1], [662, 2], [662, 3], [750, 4]])
  }
}
