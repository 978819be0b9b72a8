// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack

extension RealServerTests {
  private func silence() -> Renderer { Renderer(sampleRate: 48_000) }

  @Test func `connections exist when activation returns`() throws {
    let client = try TestServer.client("wired")
    defer { client.close() }
    _ = try client.addCapture(node: "mic")
    _ = try client.addCapture(node: "box", channels: 2, rule: .physical(from: 3))
    _ = try client.addPlayback(node: "desk", channels: 2)
    _ = try client.addPlayback(node: "ear", channels: 1, rule: .pattern("system:playback_[34]"))
    _ = try client.addPlayback(node: "quiet", channels: 1, rule: .none)
    try client.activate(silence())
    #expect(try client.connections(of: "wired:mic") == ["system:capture_1"])
    #expect(try client.connections(of: "wired:box_1") == ["system:capture_3"])
    #expect(try client.connections(of: "wired:box_2") == ["system:capture_4"])
    #expect(try client.connections(of: "wired:desk_1") == ["system:playback_1"])
    #expect(try client.connections(of: "wired:desk_2") == ["system:playback_2"])
    #expect(try client.connections(of: "wired:ear").sorted() == ["system:playback_3", "system:playback_4"])
    #expect(try client.connections(of: "wired:quiet") == [])
    let seen = try TestServer.output(of: "jack_lsp", "-c", "wired:mic")
    #expect(seen.contains("system:capture_1"), "\(seen)")
  }

  @Test func `a missing port is reported, and connected when it appears`() throws {
    let events = Events()
    let client = try TestServer.client("patient", events)
    defer { client.close() }
    _ = try client.addCapture(node: "keys", rule: .ports(["organ:out"]))
    try client.activate(silence())
    #expect(events.all.contains(.waiting(node: "keys", rule: .ports(["organ:out"]))))
    for _ in 0..<2 {
      let organ = try TestServer.client("organ")
      _ = try organ.addPlayback(node: "out", channels: 1, rule: .none)
      try organ.activate(silence())
      #expect(try TestServer.eventually { try client.connections(of: "patient:keys") == ["organ:out"] })
      organ.close()
      #expect(try TestServer.eventually { try client.connections(of: "patient:keys") == [] })
      // Longer than the period after which a connection without ports would count as removed by hand.
      usleep(400_000)
    }
    #expect(
      events.all.filter { $0 == .connected(PortConnection(from: "organ:out", to: "patient:keys")) }.count == 2
    )
    #expect(events.all.filter { $0 == .waiting(node: "keys", rule: .ports(["organ:out"])) }.count == 1)
  }

  @Test func `a port of a client being opened is connected once it is open, without a report`() throws {
    let organ = try TestServer.client("opening")
    defer { organ.close() }
    _ = try organ.addPlayback(node: "out", channels: 1, rule: .none)
    let events = Events()
    let client = try TestServer.client("early", events)
    defer { client.close() }
    _ = try client.addCapture(node: "keys", rule: .ports(["opening:out"]))
    try client.activate(silence())
    #expect(try client.connections(of: "early:keys") == [])
    try organ.activate(silence())
    #expect(try TestServer.eventually { try client.connections(of: "early:keys") == ["opening:out"] })
    usleep(500_000)
    #expect(!events.contains { if case .refused = $0 { true } else { false } }, "\(events.all)")
  }

  @Test func `a connection that JACK keeps refusing is reported once`() throws {
    let organ = try TestServer.client("never-open")
    defer { organ.close() }
    _ = try organ.addPlayback(node: "out", channels: 1, rule: .none)
    let events = Events()
    let client = try TestServer.client("refused", events)
    defer { client.close() }
    _ = try client.addCapture(node: "keys", rule: .ports(["never-open:out"]))
    try client.activate(silence())
    let refusal = JackEvent.refused(PortConnection(from: "never-open:out", to: "refused:keys"))
    #expect(TestServer.eventually(within: 20) { events.all.contains(refusal) })
    // New ports make the client apply the rules again.
    let other = try TestServer.client("refused-other")
    defer { other.close() }
    _ = try other.addPlayback(node: "out", channels: 1, rule: .none)
    try other.activate(silence())
    usleep(500_000)
    #expect(events.all.filter { $0 == refusal }.count == 1, "\(events.all)")
  }

  @Test func `a connection that the user removes stays removed until the next start`() throws {
    let connection = PortConnection(from: "system:capture_1", to: "pulled:mic")
    let client = try TestServer.client("pulled")
    _ = try client.addCapture(node: "mic")
    try client.activate(silence())
    #expect(try client.connections(of: "pulled:mic") == ["system:capture_1"])
    _ = try TestServer.output(of: "jack_disconnect", connection.source, connection.destination)
    #expect(try TestServer.eventually { try client.connections(of: "pulled:mic") == [] })
    // A new port makes the client apply the rules again: at once, and after the grace period.
    for number in 0..<2 {
      let other = try TestServer.client("other-\(number)")
      _ = try other.addPlayback(node: "out", channels: 1, rule: .none)
      try other.activate(silence())
      usleep(400_000)
      #expect(try client.connections(of: "pulled:mic") == [])
      other.close()
    }
    client.close()
    let again = try TestServer.client("pulled")
    defer { again.close() }
    _ = try again.addCapture(node: "mic")
    try again.activate(silence())
    #expect(try again.connections(of: "pulled:mic") == ["system:capture_1"])
  }

  @Test func `latency is reported in both directions`() throws {
    //  first:out ──► middle:in ──300..500──► middle:out ──► last:in
    let clients = try ["first", "middle", "last"].map { try TestServer.client("late-\($0)") }
    defer { clients.forEach { $0.close() } }
    _ = try clients[0].addPlayback(node: "out", channels: 1, rule: .ports(["late-middle:in"]))
    let into = try clients[1].addCapture(node: "in", rule: .none)
    let out = try clients[1].addPlayback(node: "out", channels: 1, rule: .ports(["late-last:in"]))
    _ = try clients[2].addCapture(node: "in", rule: .none)
    for client in clients { try client.activate(silence()) }
    try clients[1].setLatency([LatencyPath(from: into, to: out, frames: 300...500)])
    #expect(TestServer.eventually { clients[2].captureLatency(of: "in") == 300...500 })
    #expect(TestServer.eventually { clients[0].playbackLatency(of: "out") == 300...500 })
    #expect(clients[0].captureLatency(of: "out") == 0...0)
    #expect(clients[1].captureLatency(of: "in") == 0...0, "what comes in is not as late as what goes out")
    #expect(clients[2].playbackLatency(of: "in") == 0...0)
    let seen = try TestServer.output(of: "jack_lsp", "-l", "late-middle:out")
    #expect(seen.contains("port capture latency = [ 300 500 ] frames"), "\(seen)")
  }
}
