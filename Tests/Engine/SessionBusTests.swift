// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import Testing

@testable import Swiftlet

@Suite struct SessionBusTests {
  private let folder: String

  init() throws {
    // A socket's path is limited to about a hundred bytes.
    folder = "/tmp/swiftlet-bus-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func join(_ name: String, server: String = "studio", isRunning: Bool = false) throws -> SessionBus {
    let message = SessionMessage(
      AudioSession(), name: name, process: 7, since: isRunning ? 1 : nil)
    return try #require(SessionBus(server: server, folder: folder, message) {})
  }

  private func names(_ bus: SessionBus) -> [String] { bus.others.map(\.name).sorted() }
  private func sockets() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  @Test func `sessions of one server find each other, receive messages, and notice departures`() throws {
    defer { remove() }
    let first = try join("first"), second = try join("second"), third = try join("third")
    let elsewhere = try join("elsewhere", server: "other")
    #expect(soon { names(first) == ["second", "third"] && names(second) == ["first", "third"] })
    #expect(soon { names(third) == ["first", "second"] })
    #expect(elsewhere.others.isEmpty)
    var message = SessionMessage(AudioSession(options: [.exclusive]), name: "second", process: 7, since: 3)
    second.publish(message)
    #expect(soon { first.others.contains { $0 == message } && third.others.contains { $0 == message } })
    second.close()
    #expect(soon { names(first) == ["third"] && names(third) == ["first"] })
    // A closed session stays closed.
    message.name = "ghost"
    second.publish(message)
    for bus in [first, third, elsewhere] { bus.close() }
    #expect(soon { sockets().isEmpty })
  }

  @Test func `a message that cannot be sent loses no session`() throws {
    defer { remove() }
    let first = try join("first"), second = try join("second")
    #expect(soon { names(first) == ["second"] && names(second) == ["first"] })
    let long = String(repeating: "x", count: SessionMessage.mostBytes)
    first.publish(SessionMessage(AudioSession(), name: long, process: 7, since: nil))
    #expect(names(first) == ["second"])
    for bus in [first, second] { bus.close() }
  }

  @Test func `a socket without a listener is removed`() throws {
    defer { remove() }
    let left = "\(folder)/session-\(NamedSocket.digest(of: "studio"))-99-1"
    let abandoned = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let address = try #require(SocketAddress(left))
    #expect(address.use { bind(abandoned, $0, $1) } == 0)
    close(abandoned)
    #expect(sockets().count == 1)
    let bus = try join("heir")
    let own = (bus.path as NSString).lastPathComponent
    #expect(sockets().sorted() == [own, own + ".lock"])
    bus.close()
    #expect(sockets() == [])
  }

  @Test func `files left by killed sessions on former servers are removed`() throws {
    defer { remove() }
    for name in ["session-0123-7-1", "session-0123-7-1.lock", "session-4567-8-1.lock", "diary"] {
      try "".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
    let other = try join("elsewhere", server: "other"), bus = try join("alone")
    #expect(sockets().filter { !$0.hasSuffix(".lock") && $0 != "diary" }.count == 2)
    #expect(sockets().count == 5 && sockets().contains("diary"))
    for bus in [other, bus] { bus.close() }
  }

  @Test func `a socket whose owner holds its lock stays, even without a listener`() throws {
    defer { remove() }
    let left = "\(folder)/session-\(NamedSocket.digest(of: "studio"))-99-1"
    let lock = try LockFile(left + ".lock")
    let abandoned = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let address = try #require(SocketAddress(left))
    #expect(address.use { bind(abandoned, $0, $1) } == 0)
    close(abandoned)
    let bus = try join("heir")
    #expect(sockets().contains((left as NSString).lastPathComponent))
    bus.close()
    withExtendedLifetime(lock) {}
  }

  @Test func `invalid messages are ignored, and the number of peers is limited`() throws {
    defer { remove() }
    let bus = try join("target")
    let target = try #require(SocketAddress(bus.path))
    /// Sends from a socket with this name.
    func send(_ bytes: [UInt8], from name: String?) throws {
      let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(sender) }
      if let name {
        let path = "\(folder)/\(name)"
        defer { if name.contains("/") { unlink(path) } }
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(prefix)6", withIntermediateDirectories: true)
        unlink(path)
        let address = try #require(SocketAddress(path))
        #expect(address.use { bind(sender, $0, $1) } == 0)
      }
      _ = target.use { sendto(sender, bytes, bytes.count, 0, $0, $1) }
    }
    let good = try #require(SessionMessage(AudioSession(), name: "friend", process: 7, since: 1).bytes)
    let prefix = "session-\(NamedSocket.digest(of: "studio"))-"
    try send(Array("nonsense".utf8), from: prefix + "1")
    try send([UInt8](repeating: 123, count: 60_000), from: prefix + "2")
    try send([], from: prefix + "3")
    // Foundation's decoder traps on more than 512 levels.
    for bracket in ["[", "{\"a\":"] {
      try send(Array(String(repeating: bracket, count: 1000).utf8.prefix(1000)), from: prefix + "4")
    }
    try send([UInt8](repeating: UInt8(ascii: "["), count: 513), from: prefix + "5")
    // The sender's path leads out of the folder.
    try send(good, from: prefix + "6/../../stray-\((folder as NSString).lastPathComponent)")
    // From an unnamed socket, and from one with an invalid name, which could not be answered.
    try send(good, from: nil)
    try send(good, from: "stranger")
    let friend = try join("friend")
    #expect(soon { names(bus) == ["friend"] })
    // Peers whose sockets have no listener are removed, so these must stay open.
    var crowd: [SessionBus] = []
    for number in 0..<SessionBus.mostPeers + 10 { crowd.append(try join("one of many \(number)")) }
    #expect(soon { bus.others.count == SessionBus.mostPeers })
    usleep(50_000)
    #expect(bus.others.count == SessionBus.mostPeers)
    for bus in crowd + [friend, bus] { bus.close() }
  }

  @Test func `a folder path too long for a socket is not an error`() {
    let message = SessionMessage(AudioSession(), name: "far", process: 7, since: nil)
    let long = folder + String(repeating: "/x", count: 60)
    #expect(SessionBus(server: "studio", folder: long, message) {} == nil)
    #expect(SessionBus(server: "studio", folder: "/nowhere", message) {} == nil)
    remove()
  }
}
