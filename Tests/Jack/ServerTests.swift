// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack

extension RealServerTests {
  private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test func `when the server dies the client is told, and leaves in peace`() throws {
    let server = try DummyServer(.init(isPatient: true), patience: 120)
    let events = Events()
    let client = try JackClient(name: "orphan", server: server.name, onEvent: { events.add($0) })
    _ = try client.addCapture(node: "mic")
    _ = try client.addPlayback(node: "desk")
    let renderer = Renderer(sampleRate: 48_000)
    try client.activate(renderer)
    #expect(Studio.eventually { renderer.cycleCount.load(ordering: .relaxed) > 3 })
    // Another client closes itself where it is told.
    let selfish = Mutex<JackClient?>(nil), hasLeft = Events()
    let second = try JackClient(
      name: "selfish", server: server.name,
      onEvent: { event in
        guard case .shutdown = event else { return }
        selfish.withLock { $0 }?.close()
        hasLeft.add(event)
      })
    selfish.withLock { $0 = second }
    try second.activate(Renderer(sampleRate: 48_000))
    kill(server.processIdentifier, SIGKILL)
    #expect(Studio.eventually { !hasLeft.all.isEmpty })
    #expect(Studio.eventually { events.contains { if case .shutdown = $0 { true } else { false } } })
    let time = ContinuousClock().measure { client.close() }
    #expect(time < .seconds(3))
    #expect(throws: JackError.closed("orphan")) { try client.ports() }
    client.close()
    server.stop()
    #expect(!isAlive(server.processIdentifier))
    // The next server, which also reclaims the memory of the dead one, takes us.
    let next = try DummyServer(.init(isPatient: true), patience: 120)
    let again = try JackClient(name: "orphan", server: next.name)
    #expect(try again.ports().count == 4)
    again.close()
    next.stop()
  }

  @Test func `a private server has the rate, period and ports that were asked for, and leaves nothing`()
    throws
  {
    let server = try DummyServer(
      .init(sampleRate: 44_100, period: 512, captureCount: 1, playbackCount: 3, isPatient: true),
      patience: 120)
    let client = try JackClient(name: "guest", server: server.name)
    #expect(client.sampleRate == 44_100)
    #expect(client.blockLength == 512)
    #expect(client.server == server.name)
    #expect(client.isRealtime == server.isRealtime)
    #expect(
      try client.ports().filter(\.isPhysical).map(\.name) == [
        "system:capture_1", "system:playback_1", "system:playback_2", "system:playback_3",
      ])
    client.close()
    #expect(isAlive(server.processIdentifier))
    server.stop()
    #expect(!isAlive(server.processIdentifier))
    let left = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter {
      $0.contains(server.name)
    }
    #expect(left == [])
  }

  @Test func `at most four private servers run at once`() throws {
    var held: [ServerPlace] = []
    while held.count < DummyServer.most, let place = try? ServerPlace(patience: 0) { held.append(place) }
    #expect(throws: JackError.tooManyServers(most: 4)) { try ServerPlace(patience: 0.2) }
    #expect(throws: JackError.tooManyServers(most: 4)) { try DummyServer() }
    if !held.isEmpty {
      held.removeLast()
      #expect((try? ServerPlace(patience: 0)) != nil)
    }
  }

  @Test func `a guarded program ends when its keeper does`() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    func start(_ script: String, _ words: Words = Words()) throws -> GuardedProcess {
      let started = GuardedProcess("/bin/sh", ["-c", script], keepingOpen: null, log: { words.add($0) })
      return try #require(started)
    }
    let words = Words()
    let process = try start("echo hello; exec sleep 1000", words)
    #expect(isAlive(process.identifier))
    #expect(Studio.eventually { words.all == ["hello"] })
    let time = ContinuousClock().measure { process.end() }
    #expect(!isAlive(process.identifier))
    #expect(time < .seconds(1))
    let stubborn = try start("trap '' TERM; while :; do sleep 0.1; done")
    usleep(100_000)
    stubborn.end()
    #expect(!isAlive(stubborn.identifier))
    let brief = try start("echo oops; exit 3")
    #expect(Studio.eventually { !brief.isRunning })
    #expect(brief.lastWords == "oops")
    brief.end()
  }

  @Test(arguments: [0, 128, 300, 5000])
  func `a server's name that libjack could not bear is refused`(length: Int) throws {
    let name = String(repeating: "x", count: length)
    #expect(throws: JackError.badServer(name, longest: 127)) { try JackClient(name: "guest", server: name) }
  }

  @Test func `libjack's words go to the log`() throws {
    let words = Words()
    #expect(throws: JackError.noServer("swiftlet-nobody")) {
      try JackClient(name: "listener", server: "swiftlet-nobody", log: { words.add($0) })
    }
    #expect(Studio.eventually { !words.all.isEmpty })
  }
}
