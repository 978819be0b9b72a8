// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack

extension RealServerTests {
  private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test func `writing to a dead server does not end the program`() {
    // As libjack writes, on a thread that does not block the signal.
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      var all = sigset_t()
      sigemptyset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      let written = ignoringBrokenPipe { write(ends[1], "x", 1) }
      #expect(written == -1)
      close(ends[1])
      done.signal()
    }
    thread.start()
    done.wait()
  }

  @Test func `joining a frozen server times out, and succeeds once it resumes`() throws {
    let server = try DummyServer(.init(waitsForClients: true), timeout: 120)
    kill(server.processIdentifier, SIGSTOP)
    #expect(throws: JackError.noAnswer(server.name)) { try JackClient(name: "early", server: server.name) }
    kill(server.processIdentifier, SIGCONT)
    // The name is free again once the late answer has arrived and its client has left.
    let isIn = TestServer.eventually {
      guard let client = try? JackClient(name: "early", server: server.name) else { return false }
      client.close()
      return true
    }
    #expect(isIn)
    server.stop()
  }

  @Test func `when the server dies, the client is notified and closes cleanly`() throws {
    let server = try DummyServer(.init(waitsForClients: true), timeout: 120)
    let events = Events()
    let client = try JackClient(name: "orphan", server: server.name, onEvent: { events.add($0) })
    _ = try client.addCapture(node: "mic")
    _ = try client.addPlayback(node: "desk")
    let renderer = Renderer(sampleRate: 48_000)
    try client.activate(renderer)
    #expect(TestServer.eventually { renderer.cycleCount.load(ordering: .relaxed) > 3 })
    // Another client closes itself in the notification.
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
    #expect(TestServer.eventually { !hasLeft.all.isEmpty })
    selfish.withLock { $0 = nil }
    #expect(TestServer.eventually { events.contains { if case .shutdown = $0 { true } else { false } } })
    let time = ContinuousClock().measure { client.close() }
    #expect(time < .seconds(3))
    #expect(throws: JackError.closed("orphan")) { try client.ports() }
    client.close()
    server.stop()
    #expect(!isAlive(server.processIdentifier))
    // The next server, which also reclaims the dead one's memory, accepts the client.
    let next = try DummyServer(.init(waitsForClients: true), timeout: 120)
    let again = try JackClient(name: "orphan", server: next.name)
    #expect(try again.ports().count == 4)
    again.close()
    next.stop()
  }

  @Test func `after close nothing is rendered and no call waits, even if the server hangs`() throws {
    let client = try TestServer.client("prisoner")
    _ = try client.addPlayback(node: "desk")
    let renderer = Renderer(sampleRate: 48_000)
    try client.activate(renderer)
    #expect(TestServer.eventually { renderer.cycleCount.load(ordering: .relaxed) > 3 })
    // A thread's call to the server does not return, as if the server hung, until `answer` is signalled.
    let hasAsked = DispatchSemaphore(value: 0), answer = DispatchSemaphore(value: 0)
    Thread { [opened = client.opened] in
      try? opened.edit { _ in
        hasAsked.signal()
        answer.wait()
      }
    }.start()
    hasAsked.wait()
    client.close()
    let sequence = client.opened.edge.pointee.sequence.load(ordering: .relaxed)
    let rendered = renderer.cycleCount.load(ordering: .relaxed)
    #expect(throws: JackError.closed("prisoner")) { try client.ports() }
    #expect(
      TestServer.eventually { client.opened.edge.pointee.sequence.load(ordering: .relaxed) > sequence + 9 })
    #expect(renderer.cycleCount.load(ordering: .relaxed) == rendered)
    answer.signal()
    #expect(
      try TestServer.eventually { try !TestServer.output(of: "jack_lsp").contains("prisoner") })
  }

  @Test func `a private server has the requested rate, period and ports, and leaves no files`() throws {
    let server = try DummyServer(
      .init(sampleRate: 44_100, period: 512, captureCount: 1, playbackCount: 3, waitsForClients: true),
      timeout: 120)
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

  @Test func `the next server frees the slot of a killed private server`() throws {
    // A server named as by a process that ended long ago.
    let name = "swiftlet-\(Int32.max)-\(getpid())"
    let first = Process()
    first.executableURL = URL(filePath: "/usr/bin/env")
    first.arguments = ["jackd", "-n", name, "--port-max", "64", "-r", "-d", "dummy"]
    first.standardOutput = FileHandle.nullDevice
    first.standardError = FileHandle.nullDevice
    try first.run()
    func isKnown() -> Bool { ServerRegistry().entries.contains { $0.name == name } }
    #expect(TestServer.eventually(isKnown))
    #expect(!ServerRegistry().abandoned().contains(name))
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    #expect(isKnown())
    let server = try DummyServer(.init(waitsForClients: true), timeout: 120)
    // A program of another test may free it at the same time.
    #expect(TestServer.eventually { !isKnown() })
    server.stop()
  }

  @Test func `a registry with another layout is ignored, and other users' servers are excluded`() {
    func head(_ servers: [(Int32, String)], size: UInt32 = 2136) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 2136)
      func put(_ word: UInt32, _ offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * index)) }
      }
      bytes.replaceSubrange(0..<4, with: Array("KCAJ".utf8))
      put(size, 16)
      for (index, server) in servers.enumerated() {
        put(UInt32(bitPattern: server.0), 24 + index * 264)
        bytes.replaceSubrange(
          28 + index * 264..<28 + index * 264 + server.1.utf8.count, with: Array(server.1.utf8))
      }
      return bytes
    }
    let servers: [(Int32, String)] = [
      (7, "jack-5:default:"), (8, "jack-5:swiftlet-9-1:"), (9, "jack-6:swiftlet-9-2:"),
      (0, "jack-5:swiftlet-9-3:"),
      (10, "jack-5:swiftlet-9-4:"),
    ]
    let registry = ServerRegistry(head(servers), user: 5)
    #expect(registry.entries.map(\.name) == ["default", "swiftlet-9-1", "swiftlet-9-4"])
    #expect(registry.abandoned { $0 == 10 } == ["swiftlet-9-1"])
    #expect(ServerRegistry(head(servers, size: 2140), user: 5).entries == [])
    #expect(ServerRegistry(Array(head(servers).dropLast()), user: 5).entries == [])
    #expect(ServerRegistry([], user: 5).entries == [])
  }

  @Test func `at most four private servers run at once`() throws {
    var held: [ServerSlot] = []
    while held.count < DummyServer.most, let slot = try? ServerSlot(timeout: 0) { held.append(slot) }
    #expect(throws: JackError.tooManyServers(most: 4)) { try ServerSlot(timeout: 0.2) }
    #expect(throws: JackError.tooManyServers(most: 4)) { try DummyServer() }
    if !held.isEmpty {
      held.removeLast()
      #expect((try? ServerSlot(timeout: 0)) != nil)
    }
  }

  @Test(arguments: [0, 128, 300, 5000])
  func `a server name that libjack does not support is refused`(length: Int) throws {
    let name = String(repeating: "x", count: length)
    #expect(throws: JackError.badServer(name, longest: 127)) { try JackClient(name: "guest", server: name) }
    #expect("\(JackError.badServer("", longest: 127))".hasPrefix("'' is not a JACK server name"))
  }

  @Test func `libjack's messages go to the log`() throws {
    let messages = MessageLog()
    #expect(throws: JackError.noServer("swiftlet-nobody")) {
      try JackClient(name: "listener", server: "swiftlet-nobody", log: { messages.add($0) })
    }
    #expect(TestServer.eventually { !messages.all.isEmpty })
  }
}
