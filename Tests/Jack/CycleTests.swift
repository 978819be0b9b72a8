// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack

extension RealServerTests {
  @Test func `a sine passes through JACK bit by bit, with the reported latency`() throws {
    //  tone ──► through:in ──64 late──► through:out ──► ear
    let tone = try TestServer.client("sine-tone"), through = try TestServer.client("sine-through")
    let listener = try TestServer.client("sine-ear")
    defer { [tone, through, listener].forEach { $0.close() } }
    let capture = CaptureProcessor(), late = Late(64)
    let first = try tone.addPlayback(node: "out", channels: 1, rule: .ports(["sine-through:in"]))
    let into = try through.addCapture(node: "in", rule: .none)
    let out = try through.addPlayback(node: "out", channels: 1, rule: .ports(["sine-ear:in"]))
    let last = try listener.addCapture(node: "in", rule: .none)
    let controllers = [
      try GraphController.chain(Score(), in: nil, out: first),
      try GraphController.chain(late, in: into, out: out),
      try GraphController.chain(capture, in: last, out: nil),
    ]
    try listener.activate(controllers[2].renderer)
    try through.activate(controllers[1].renderer)
    try tone.activate(controllers[0].renderer)
    try through.setLatency([LatencyPath(from: into, to: out, frames: 64...64)])
    #expect(TestServer.eventually { listener.captureLatency(of: "in") == 64...64 })
    #expect(TestServer.eventually { capture.end.load(ordering: .acquiring) > 96_000 })
    let end = min(Int(capture.end.load(ordering: .acquiring)), capture.capacity)
    [tone, through, listener].forEach { $0.close() }
    let shift = tone.opened.offset - listener.opened.offset + 64
    var heard = 0, wrong = 0, whole = 0
    for frame in 0..<end {
      // After a cycle that the server lost, the delay line is behind by its own length.
      whole = capture.samples[frame].isNaN ? -64 : whole + 1
      guard whole > 0, capture.samples[frame] != 0 || heard > 0 else { continue }
      heard += 1
      if capture.samples[frame] != sine(at: Int64(frame) - shift) { wrong += 1 }
    }
    #expect(heard > 48_000)
    #expect(wrong == 0)
  }

  @Test func `MIDI arrives on its exact frame, in split and unsplit cycles`() throws {
    let tone = try TestServer.client("midi-out"), listener = try TestServer.client("midi-in")
    defer { [tone, listener].forEach { $0.close() } }
    let capture = CaptureProcessor()
    let out = try tone.addMIDIOut(node: "out", rule: .ports(["midi-in:in"]))
    let into = try listener.addMIDIIn(node: "in", rule: .none)
    // The period is 256; one side renders it in three parts of 100, 100 and 56 frames.
    let controllers = [
      try GraphController.chain(Score(), in: nil, out: out, .events, longestBlock: 100),
      try GraphController.chain(capture, in: into, out: nil, .events),
    ]
    try listener.activate(controllers[1].renderer)
    try tone.activate(controllers[0].renderer)
    #expect(TestServer.eventually { capture.noteCount.load(ordering: .acquiring) > 60 })
    [tone, listener].forEach { $0.close() }
    let shift = tone.opened.offset - listener.opened.offset
    for index in 0..<capture.noteCount.load(ordering: .acquiring) {
      let frame = capture.notes[index].frame - shift
      #expect(frame % 997 == 0)
      #expect(capture.notes[index].key == UInt8(frame / 997 % 128))
    }
    let lost = tone.opened.edge.pointee.lostEvents.load(ordering: .relaxed)
    #expect(lost == 0)
  }

  @Test func `a cycle longer than the renderer's limit is split without a seam`() throws {
    let tone = try TestServer.client("cut-tone"), listener = try TestServer.client("cut-ear")
    defer { [tone, listener].forEach { $0.close() } }
    let capture = CaptureProcessor()
    let out = try tone.addPlayback(node: "out", channels: 1, rule: .ports(["cut-ear:in"]))
    let into = try listener.addCapture(node: "in", rule: .none)
    let controllers = [
      try GraphController.chain(Score(), in: nil, out: out, longestBlock: 100),
      try GraphController.chain(capture, in: into, out: nil, longestBlock: 48),
    ]
    try listener.activate(controllers[1].renderer, from: 1000)
    try tone.activate(controllers[0].renderer)
    #expect(TestServer.eventually { capture.end.load(ordering: .acquiring) > 24_000 })
    let end = min(Int(capture.end.load(ordering: .acquiring)), capture.capacity)
    [tone, listener].forEach { $0.close() }
    #expect(capture.longestBlock == 48)
    #expect(capture.shortestBlock == TestServer.period % 48)
    #expect(
      capture.samples[999].isNaN && !capture.samples[1000].isNaN, "the first frame is the one asked for")
    let shift = tone.opened.offset - listener.opened.offset
    var heard = 0, wrong = 0
    for frame in 1000..<end {
      let sample = capture.samples[frame]
      guard !sample.isNaN, sample != 0 || heard > 0 else { continue }
      heard += 1
      if sample != sine(at: Int64(frame) - shift) { wrong += 1 }
    }
    #expect(heard > 12_000)
    #expect(wrong == 0)
  }

  @Test func `the server's block length can change while sound plays`() throws {
    let events = Events(), capture = CaptureProcessor()
    let client = try TestServer.client("resized", events)
    defer { client.close() }
    let into = try client.addCapture(node: "in")
    let controller = try GraphController.chain(capture, in: into, out: nil)
    try client.activate(controller.renderer)
    defer { _ = try? client.setBlockLength(TestServer.period) }
    for length in [1024, 64, 512] {
      #expect(try client.setBlockLength(length))
      #expect(TestServer.eventually { events.all.contains(.blockLength(length)) })
      #expect(client.blockLength == length)
      let cycles = controller.renderer.cycleCount.load(ordering: .relaxed)
      #expect(TestServer.eventually { controller.renderer.cycleCount.load(ordering: .relaxed) > cycles + 3 })
    }
    #expect(capture.longestBlock == 1024)
    #expect(capture.shortestBlock == 64)
  }

  @Test func `a late cycle is counted and reported`() throws {
    let events = Events(), capture = CaptureProcessor()
    let client = try TestServer.client("tardy", events)
    defer { client.close() }
    let into = try client.addCapture(node: "in")
    let controller = try GraphController.chain(capture, in: into, out: nil)
    try client.activate(controller.renderer)
    let before = client.xruns
    capture.dawdle.store(UInt64(0.3 * swiftlet_ticks_per_second()), ordering: .relaxed)
    #expect(TestServer.eventually { client.xruns > before })
    #expect(
      TestServer.eventually {
        events.contains { if case .xrun(let total, _) = $0 { total == client.xruns } else { false } }
      })
  }

  @Test func `transport and freewheeling reach the graph`() throws {
    let events = Events(), capture = CaptureProcessor()
    let client = try TestServer.client("rolling", events)
    defer { client.close() }
    let into = try client.addCapture(node: "in")
    let controller = try GraphController.chain(capture, in: into, out: nil)
    try client.activate(controller.renderer)
    #expect(!capture.isRollingNow)
    client.opened.startTransport(true)
    defer { client.opened.startTransport(false) }
    #expect(TestServer.eventually { capture.isRollingNow })
    let before = client.currentFrame
    try client.setFreewheel(true)
    #expect(TestServer.eventually { events.all.contains(.freewheeling(true)) })
    // Ten seconds of sound in less than five.
    #expect(TestServer.eventually { capture.end.load(ordering: .relaxed) > before + 480_000 })
    try client.setFreewheel(false)
    #expect(TestServer.eventually { events.all.contains(.freewheeling(false)) })
    #expect(client.currentFrame > before + 480_000)
    #expect(client.load >= 0)
  }
}
