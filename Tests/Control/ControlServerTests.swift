// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletControl
import SwiftletDisk
import Synchronization
import Testing

/// The socket of a session: clients, limits and bad input.
@Suite struct ControlServerTests {
  private let folder: SocketFolder
  private let session = FakeSession()
  private let tree: ControlTree

  init() throws {
    folder = try SocketFolder()
    tree = ControlTree(session)
  }

  private func serve(_ name: String = "fake", _ limits: ControlServer.Limits = .init()) throws
    -> ControlServer
  {
    try #require(ControlServer(tree, name: name, in: folder.path, limits: limits))
  }

  /// Opens a connection on which any bytes can be sent.
  private func raw(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let address = try #require(SocketAddress(path))
    try #require(address.use { connect(descriptor, $0, $1) } == 0)
    return descriptor
  }

  private func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) {
    let bytes = Array(bytes)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads until the other side closes the connection.
  private func readAll(_ descriptor: Int32) -> String {
    var all: [UInt8] = [], bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += bytes[..<count]
    }
  }

  /// Reads one line.
  private func readLine(_ descriptor: Int32) -> String {
    var line: [UInt8] = [], byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  private func error(_ body: () throws(ControlError) -> Void) -> ControlError? {
    do throws(ControlError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `clients set and read values, and get the errors of their own commands`() throws {
    let server = try serve()
    defer { server.close() }
    let one = try ControlConnection(server.path), two = try ControlConnection(server.path)
    _ = try one.perform(.set("echo.time", .number(350)))
    #expect(try two.perform(.get(["echo.time"])).values?.first?.text == "350 ms")
    #expect(error { () throws(ControlError) in _ = try one.perform(.get(["ecko"])) }?.kind == .unknownAddress)
    #expect(try two.perform(.list("echo")).addresses?.first?.maximum == 1000)
    #expect(try one.perform(.status).status?.name == "fake")
  }

  @Test func `only this user can open the socket, and it is removed at the end`() throws {
    let server = try serve()
    let attributes = try FileManager.default.attributesOfItem(atPath: server.path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(folder.names.count == 2)
    let client = try ControlConnection(server.path)
    server.close()
    #expect(folder.names == [])
    #expect(error { () throws(ControlError) in _ = try client.perform(.status) }?.kind == .noAnswer)
    #expect(error { () throws(ControlError) in _ = try ControlConnection(server.path) }?.kind == .noAnswer)
  }

  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func `another user gets no answer, even if the socket is open to all`() throws {
    let server = try serve()
    defer { server.close() }
    chmod(folder.path, 0o755)
    chmod(server.path, 0o666)
    let script = """
      import os, socket, sys
      os.setgroups([]); os.setgid(65534); os.setuid(65534)
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      try:
        s.sendall(b'{"command":"set","address":"echo.time","value":5}\\n')
        answer = s.recv(100)
      except OSError:
        answer = b''
      sys.exit(0 if answer == b'' else 1)
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", script, server.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(session.time == 250)
    _ = try ControlConnection(server.path).perform(.status)
  }

  @Test func `malformed lines are answered, and the connection goes on`() throws {
    let server = try serve()
    defer { server.close() }
    let client = try raw(server.path)
    defer { close(client) }
    write("nonsense\n\r\n   \n{\"command\":\"status\",\"id\":1}\r\n".utf8, to: client)
    #expect(readLine(client).contains("\"kind\":\"malformed\""))
    #expect(readLine(client).contains("\"id\":1"))
    write("{\"id\":2,\"comm".utf8, to: client)
    write("and\":\"set\",\"address\":\"echo.time\",\"value\":9999}\n".utf8, to: client)
    let refusal = readLine(client)
    #expect(refusal.contains("\"id\":2") && refusal.contains("bad-value"), "\(refusal)")
    shutdown(client, Int32(SHUT_WR))
    #expect(readAll(client) == "")
    #expect(session.time == 250)
  }

  @Test func `an overlong line is refused, and ends that connection alone`() throws {
    let server = try serve()
    defer { server.close() }
    let other = try ControlConnection(server.path), client = try raw(server.path)
    defer { close(client) }
    write(repeatElement(UInt8(ascii: "x"), count: ControlRequest.longestLine + 2), to: client)
    let answer = readAll(client)
    #expect(answer.contains("\"kind\":\"too-long\"") && answer.filter { $0 == "\n" }.count == 1, "\(answer)")
    _ = try other.perform(.status)
  }

  @Test func `random bytes change nothing`() throws {
    let server = try serve()
    defer { server.close() }
    for seed in 0..<100 as Range<UInt64> {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
      func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let client = try raw(server.path)
      // Every second packet has a newline at its end, so that it is parsed.
      let packet = (0..<Int(next()) * 4).map { _ in next() } + (seed % 2 == 0 ? [UInt8(ascii: "\n")] : [])
      write(packet, to: client)
      close(client)
    }
    _ = try ControlConnection(server.path).perform(.status)
    #expect(session.time == 250 && session.state.withLock { $0.recorded.isEmpty })
  }

  @Test func `a client that never reads is disconnected, and keeps no other client waiting`() throws {
    var limits = ControlServer.Limits()
    limits.patience = .milliseconds(200)
    let server = try serve("fake", limits)
    defer { server.close() }
    let silent = try raw(server.path)
    defer { close(silent) }
    _ = fcntl(silent, F_SETFL, O_NONBLOCK)
    let line = Array("{\"command\":\"list\"}\n".utf8)
    let other = try ControlConnection(server.path)
    // Sends until the session reads no more of it, and then until it closes the connection.
    var isRefused = false
    while !isRefused {
      while send(silent, line, line.count, Int32(MSG_NOSIGNAL)) > 0 {}
      isRefused = errno == EPIPE || errno == ECONNRESET
      _ = try other.perform(.status)
    }
    _ = try other.perform(.status)
  }

  @Test func `the number of clients is limited`() throws {
    var limits = ControlServer.Limits()
    limits.clients = 3
    let server = try serve("fake", limits)
    defer { server.close() }
    var clients: [ControlConnection] = []
    for _ in 0..<3 {
      let client = try ControlConnection(server.path)
      _ = try client.perform(.status)
      clients.append(client)
    }
    let next = try raw(server.path)
    defer { close(next) }
    #expect(readAll(next).contains("\"kind\":\"too-many-clients\""))
    _ = try clients[0].perform(.status)
    clients.removeLast()
    // The place is free once the session has seen that the client has gone.
    while (try? ControlConnection(server.path).perform(.status)) == nil { usleep(1000) }
  }

  @Test func `a subscriber gets all values, then changes and events`() throws {
    let server = try serve()
    defer { server.close() }
    let watcher = try ControlConnection(server.path), other = try ControlConnection(server.path)
    _ = try watcher.perform(.watch(ControlSubscription(addresses: ["echo.time", "echo.bypass"], rate: 30)))
    func next() throws -> ControlReply {
      let line = try #require(try watcher.readLine(within: .seconds(60)))
      return try #require(ControlReply(line: line))
    }
    #expect(try next().values?.map(\.text) == ["250 ms", "false"])
    _ = try other.perform(.set("echo.time", .number(10)))
    #expect(try next().values == [ControlReading(address: "echo.time", value: .number(10), text: "10 ms")])
    tree.events.add(ControlEvent(.warning, "the server is late"))
    let event = try next()
    #expect(event.events == [ControlEvent(.warning, "the server is late")] && event.values == nil)
    #expect(
      error { () throws(ControlError) in
        _ = try other.perform(.watch(ControlSubscription(addresses: ["ecko"])))
      }?.kind == .unknownAddress)
  }

  @Test func `sessions are found by name and process, and sockets of dead ones are removed`() throws {
    let left = "\(folder.path)/control-\(NamedSocket.digest(of: "dead"))-99-1"
    for path in [left, left + ".lock"] { FileManager.default.createFile(atPath: path, contents: nil) }
    func find(_ name: String?) -> ControlError? {
      error { () throws(ControlError) in _ = try RunningSession.find(name, in: [folder.path]) }
    }
    #expect(find(nil)?.kind == .noSession && find("dead")?.kind == .noSession)
    #expect(folder.names == [])
    let one = try serve("one")
    #expect(try RunningSession.find(nil, in: [folder.path]).path == one.path)
    let two = try serve("two")
    #expect(find(nil)?.text.hasPrefix("2 sessions are running (") == true)
    #expect(try RunningSession.find("two", in: [folder.path]).path == two.path)
    #expect(find("three")?.kind == .unknownSession)
    let twin = try serve("two")
    #expect(find("two")?.text.hasPrefix("2 sessions are called 'two' (process ") == true)
    twin.close()
    two.close()
    #expect(try RunningSession.find("\(getpid())", in: [folder.path]).path == one.path)
    one.close()
  }
}
