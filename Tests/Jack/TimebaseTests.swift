// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import SwiftletTimeline
import Synchronization
import Testing

@testable import SwiftletJack

extension RealServerTests {
  @Test func `the timebase reaches other clients and JACK's own program`() throws {
    let source = try TestServer.client("leader"), other = try TestServer.client("led")
    defer { [source, other].forEach { $0.close() } }
    let controllers = [GraphController(sampleRate: 48_000), GraphController(sampleRate: 48_000)]
    try source.activate(controllers[0].renderer)
    try other.activate(controllers[1].renderer)
    var tempoMap = try TempoMap(96, timeSignature: .init(6, 8))
    try tempoMap.setTempo(60, at: 6)
    #expect(try source.setTimebase(tempoMap) == .agreed)
    try source.locateTransport(to: 0)
    try source.startTransport()
    defer { try? source.stopTransport() }
    #expect(TestServer.eventually { other.transport.isRolling && other.transport.tempo == 192 })
    #expect(other.transport.beatsPerBar == 6 && other.transport.beatUnit == 8)
    // Relocated by JACK's own program into the second tempo, then stopped there.
    let table = TempoTable(tempoMap, sampleRate: 48_000)
    try source.stopTransport()
    try other.locateTransport(to: 480_000)
    #expect(TestServer.eventually { source.transport.position == 480_000 && source.transport.tempo == 120 })
    let there = source.transport, wanted = table.moment(at: 480_000)
    #expect(there.bar == wanted.bar && abs(there.beat - wanted.beat) < 1e-3)
    // A client's own new tempo map is not another client's timebase; that of another client is.
    #expect(try source.setTimebase(tempoMap) == .agreed)
    #expect(try other.setTimebase(TempoMap(75)) == .tookOver)
    #expect(TestServer.eventually { source.transport.tempo == 75 })
    #expect(try other.setTimebase(TempoMap(80)) == .agreed)
    #expect(try other.setTimebase(nil) == .agreed)
    #expect(try source.setTimebase(tempoMap) == .agreed)
    #expect(try source.setTimebase(nil) == .agreed)
  }

  @Test func `tempo maps no longer in use are released`() throws {
    let source = try TestServer.client("composer")
    defer { source.close() }
    func kept() throws -> Int { try source.opened.edit { $0.timebases.count } }
    for _ in 0..<3 { try source.setTimebase(TempoMap(90)) }
    #expect(try kept() == 2)
    let controller = GraphController(sampleRate: 48_000)
    try source.activate(controller.renderer)
    let sequence = { source.opened.edge.pointee.sequence.load(ordering: .acquiring) }
    for tempo in 60..<90 {
      try source.setTimebase(TempoMap(Double(tempo)))
      let start = sequence()
      #expect(TestServer.eventually { sequence() >= start + 2 })
    }
    #expect(try kept() <= 2)
    #expect(try source.setTimebase(nil) == .agreed)
  }

  @Test func `the server waits for a following client until it is ready`() throws {
    let follower = try TestServer.client("follower"), other = try TestServer.client("impatient")
    defer { [follower, other].forEach { $0.close() } }
    let controllers = [GraphController(sampleRate: 48_000), GraphController(sampleRate: 48_000)]
    try follower.activate(controllers[0].renderer)
    try other.activate(controllers[1].renderer)
    try follower.setFollowing(true)
    defer { try? other.stopTransport() }
    for frame in [96_000, 5000, 5000] as [Int64] {
      try other.stopTransport()
      try other.locateTransport(to: frame)
      try other.startTransport()
      #expect(TestServer.eventually { follower.awaitedFrame == frame })
      #expect(!other.transport.isRolling)
      follower.becomeReady(at: frame)
      #expect(TestServer.eventually { other.transport.isRolling })
      #expect(TestServer.eventually { follower.awaitedFrame == nil })
    }
    try follower.setFollowing(false)
    try other.stopTransport()
    try other.startTransport()
    #expect(TestServer.eventually { other.transport.isRolling })
  }
}
