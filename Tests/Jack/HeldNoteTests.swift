// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletJack
import CSwiftletRealtime
import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack
@testable import SwiftletSignal

/// Presses key 60, and releases it amid more events than JACK has room for.
private final class EventFlood: Processor, @unchecked Sendable {
  let isPressing = Atomic(false), isStorming = Atomic(false)
  private let releasesKey: Bool

  init(releasesKey: Bool) {
    self.releasesKey = releasesKey
    super.init()
  }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    guard let events = block.output().events else { return }
    if isPressing.exchange(false, ordering: .acquiring) {
      play(events, block.frame, 0x90 | 60 << 8 | 100 << 16)
    }
    guard isStorming.exchange(false, ordering: .acquiring) else { return }
    for _ in 0..<1300 { play(events, block.frame, 0xB0 | 7 << 8) }
    if releasesKey { play(events, block.frame + Int64(block.frameCount) - 1, 0x80 | 60 << 8) }
  }

  @_noLocks @_noAllocation private func play(_ events: EventBuffer, _ frame: Int64, _ message: UInt32) {
    var bytes = message
    events.append(EventHeader(frame: frame, type: EventHeader.midi, size: 3), bytes: &bytes)
  }
}

extension RealServerTests {
  //  storm ──┐
  //  storm ──┼──► out of one client ──► in of another
  //  storm ──┘
  @Test func `a note whose release found no room in JACK is released later`() throws {
    let sender = try TestServer.client("storm"), listener = try TestServer.client("shelter")
    defer { [sender, listener].forEach { $0.close() } }
    let out = try sender.addMIDIOut(node: "out", rule: .ports(["shelter:in"]))
    let into = try listener.addMIDIIn(node: "in", rule: .none)
    let storms = (0..<3).map { EventFlood(releasesKey: $0 == 0) }
    let controller = GraphController(sampleRate: 48_000, fadesIn: false)
    defer { withExtendedLifetime(controller) {} }
    var graph = Graph(), processors: [NodeID: Processor] = [:]
    let outputNode = try graph.add("out", .output(out), inputs: [.events], outputs: [])
    for (number, storm) in storms.enumerated() {
      let node = try graph.add("storm \(number)", .processor, inputs: [], outputs: [.events])
      processors[node] = storm
      try graph.connect(Graph.Wire(from: Endpoint(node), to: Endpoint(outputNode)))
    }
    try controller.apply(graph, processors: processors)
    let capture = KeyCaptureProcessor()
    let hearing = try GraphController.chain(capture, in: into, out: nil, .events)
    try listener.activate(hearing.renderer)
    #expect(TestServer.eventually { hearing.renderer.cycleCount.load(ordering: .acquiring) > 3 })
    try sender.activate(controller.renderer)
    // Repeatedly, until the connection exists.
    #expect(
      TestServer.eventually {
        storms[0].isPressing.store(true, ordering: .releasing)
        return capture.isDown.load(ordering: .acquiring)
      })
    #expect(TestServer.eventually { !storms[0].isPressing.load(ordering: .acquiring) })
    for storm in storms { storm.isStorming.store(true, ordering: .releasing) }
    #expect(TestServer.eventually { sender.opened.edge.pointee.lostEvents.load(ordering: .relaxed) > 0 })
    #expect(TestServer.eventually { !capture.isDown.load(ordering: .acquiring) })
    [sender, listener].forEach { $0.close() }
  }
}

/// Tracks whether key 60 is down.
private final class KeyCaptureProcessor: Processor, @unchecked Sendable {
  let isDown = Atomic(false)

  @_noLocks @_noAllocation override func process(_ block: Block) {
    var next = block.input().events?.first
    while let event = next {
      if event[1] == 60, event[0] & 0xF0 == 0x90 { isDown.store(true, ordering: .releasing) }
      if event[1] == 60, event[0] & 0xF0 == 0x80 { isDown.store(false, ordering: .releasing) }
      next = block.input().events?.next(after: event)
    }
  }
}
