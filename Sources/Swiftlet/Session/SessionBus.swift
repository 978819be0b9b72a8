// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads
internal import Synchronization

/// Where sessions of this user on one JACK server find each other: a folder with a socket for each, to which the
/// others send what they have to tell.
///
/// Nobody is in charge. Who comes greets all sockets that are there and is answered. Twice a second all tell
/// each other anew, and greet those that they have not heard of: what finds no room, since a socket holds ten
/// messages, is said again. A socket that nobody listens at any more, since its process was killed, refuses what is sent
/// to it: so it is noticed and taken away.
final class SessionBus: Sendable {
  /// How often all are told anew, in seconds.
  static let interval = 0.5
  /// The most others that are listened to.
  static let mostPeers = 64

  /// Where this session's socket is.
  let path: String
  private let socket: Socket
  private let lock: LockFile
  private let folders: @Sendable () -> [String]
  private let prefix: String
  private let peers = Mutex<[String: SessionMessage]>([:])
  private let own: Mutex<SessionMessage>
  private let isOver = Atomic(false)
  private let onChange: @Sendable () -> Void
  private static let count = Atomic(0)
  /// The beginning of all sockets' names, and what stands behind a socket's path where its lock is.
  private static let namePrefix = "session-", lockSuffix = ".lock"
  /// How many sockets of other servers are looked at: a folder may be full of them.
  private static let mostLeft = 1000

  /// A socket that is open as long as somebody holds it: its number is not another's while anybody uses it.
  private final class Socket: Sendable {
    let descriptor: Int32

    init?() {
      let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      descriptor = Glibc.socket(AF_UNIX, kind, 0)
      if descriptor < 0 { return nil }
    }

    deinit { Glibc.close(descriptor) }
  }

  /// Joins the sessions on a server; nil where no socket can be had.
  ///
  /// - Parameters:
  ///   - server: the server's name.
  ///   - folder: where all sockets are; nil for this user's own: the socket is made in the first of
  ///     ``RuntimeFolder/all(_:)``, and those of the others may be in any.
  ///   - message: what this session has to tell.
  ///   - onChange: is called each time that ``others`` say something else, by the bus's own thread or one that calls
  ///     ``say(_:)``. It asks what that is itself: of two calls at a time either may be the later one.
  init?(
    server: String, folder: String? = nil, _ message: SessionMessage,
    onChange: @escaping @Sendable () -> Void
  ) {
    folders = { folder.map { [$0] } ?? RuntimeFolder.all() }
    guard let folder = folder ?? RuntimeFolder.path(), let socket = Socket() else { return nil }
    self.socket = socket
    prefix = Self.namePrefix + Self.digest(server) + "-"
    path = "\(folder)/\(prefix)\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    guard let lock = try? LockFile(path + Self.lockSuffix) else { return nil }
    self.lock = lock
    own = Mutex(message)
    self.onChange = onChange
    unlink(path)
    guard let address = SocketAddress(path), address.use({ bind(socket.descriptor, $0, $1) }) == 0 else {
      return nil
    }
    greet()
    startThread("swiftlet-bus") { [weak self] in
      var due = ContinuousClock.now + .seconds(Self.interval)
      while let bus = self, bus.turn(&due) { _ = consume bus }
    }
  }

  deinit { close() }

  /// Tells all others something else. Any thread.
  func say(_ message: SessionMessage) {
    guard !isOver.load(ordering: .acquiring) else { return }
    own.withLock { $0 = message }
    tellAll()
  }

  /// Leaves. Others notice at once. Safe more than once.
  func close() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unlink(path)
    lock.remove()
    var message = own.withLock { $0 }
    message.isRunning = false
    for peer in peers.withLock({ Array($0.keys) }) { _ = send(message, to: peer) }
    // Wakes the thread, which sees that it is over.
    Glibc.shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }

  /// What the others say now.
  var others: [SessionMessage] { peers.withLock { Array($0.values) } }

  /// Sends to all sockets that have not been heard of, also those that nobody may listen at any more.
  private func greet() {
    var message = own.withLock { $0 }
    message.wantsAnswer = true
    let known = peers.withLock { Set($0.keys) }
    for folder in folders() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let sockets = names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(Self.lockSuffix) }
      removeLeft(in: folder, names)
      for name in sockets.sorted().prefix(Self.mostPeers * 4) {
        let peer = "\(folder)/\(name)"
        if peer != path, !known.contains(peer) { _ = send(message, to: peer) }
      }
    }
  }

  /// Removes what killed sessions left, on servers that may never come again: their sockets, and locks of those that had
  /// none yet.
  private func removeLeft(in folder: String, _ names: [String]) {
    let sockets = names.filter { $0.hasPrefix(Self.namePrefix) }.map { name in
      name.hasSuffix(Self.lockSuffix) ? String(name.dropLast(Self.lockSuffix.count)) : name
    }
    for name in Set(sockets).prefix(Self.mostLeft) where "\(folder)/\(name)" != path {
      removeIfStale("\(folder)/\(name)")
    }
  }

  /// Removes the socket of a session that has ended without doing so. A session that is stopped keeps its lock, and its
  /// socket.
  private func removeIfStale(_ peer: String) {
    guard let lock = try? LockFile(peer + Self.lockSuffix) else { return }
    unlink(peer)
    lock.remove()
  }

  private func tellAll() {
    let message = own.withLock { $0 }
    var hasLost = false
    for peer in peers.withLock({ Array($0.keys) }) where !send(message, to: peer) {
      peers.withLock { _ = $0.removeValue(forKey: peer) }
      hasLost = true
    }
    if hasLost { onChange() }
  }

  /// Sends a message; false where nobody is there to take it.
  private func send(_ message: SessionMessage, to peer: String) -> Bool {
    // What cannot be said does not mean that nobody would hear it.
    guard let bytes = message.bytes else { return true }
    guard let address = SocketAddress(peer) else { return false }
    let sent = address.use {
      sendto(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
    }
    guard sent < 0 else { return true }
    switch errno {
    case ECONNREFUSED:
      removeIfStale(peer)
      return false
    case ENOENT: return false
    // It has too much to read: it is there.
    default: return true
    }
  }

  /// Waits for messages, or for the time to tell all others anew; false when it is over.
  private func turn(_ due: inout ContinuousClock.Instant) -> Bool {
    guard !isOver.load(ordering: .acquiring) else { return false }
    let now = ContinuousClock.now
    guard now < due else {
      due = now + .seconds(Self.interval)
      tellAll()
      greet()
      return true
    }
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, Int32(clamping: Int64((due - now) / .milliseconds(1)) + 1)) > 0 {
      // A flood of messages must not keep us from telling ours.
      for _ in 0..<256 where !isOver.load(ordering: .acquiring) { guard receive() else { break } }
    }
    return !isOver.load(ordering: .acquiring)
  }

  /// Reads one message; false where there is none.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: SessionMessage.mostBytes + 1)
    let (count, sender) = SocketAddress.reading { address, length in
      recvfrom(socket.descriptor, &bytes, bytes.count, 0, address, length)
    }
    guard count >= 0 else { return false }
    guard let sender, isPeer(sender),
      let message = SessionMessage(bytes[..<count])
    else { return true }
    let isNews = peers.withLock { peers -> Bool in
      guard peers[sender] != nil || peers.count < Self.mostPeers else { return false }
      var kept = message
      kept.wantsAnswer = false
      defer { peers[sender] = kept }
      return peers[sender] != kept
    }
    if message.wantsAnswer { _ = send(own.withLock { $0 }, to: sender) }
    if isNews { onChange() }
    return true
  }

  /// Whether a path is that of another session on this server, in a folder of this user's own.
  private func isPeer(_ sender: String) -> Bool {
    sender != path && FilePath.name(of: sender).hasPrefix(prefix)
      && folders().contains(FilePath.folder(of: sender))
  }

  /// Sixteen digits for a name of any length (FNV-1a).
  static func digest(_ name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
