// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads
internal import Synchronization

/// The message bus between sessions of this user on one JACK server: a folder with a datagram socket for each
/// session, to which the other sessions send their state.
///
/// No session coordinates the others. A new session sends its state to all sockets, and is answered. Twice a second
/// each session sends its state to all others, and to sockets that it has not had a message from. So a message that
/// is lost because a socket's queue of ten messages is full is sent again. The socket of a process that was killed
/// refuses messages; it is then removed.
final class SessionBus: Sendable {
  /// The time between two messages to all others, in seconds.
  static let interval = 0.5
  /// The maximum number of other sessions.
  static let mostPeers = 64

  /// The path of this session's socket.
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
  /// The prefix of all sockets' file names, and the suffix of a socket's lock file.
  private static let namePrefix = "session-", lockSuffix = ".lock"
  /// The maximum number of sockets of other servers that are examined, since a folder may be full of them.
  private static let mostLeft = 1000

  /// A socket that stays open until its last reference is released, so that its descriptor is not reused while a
  /// thread uses it.
  private final class Socket: Sendable {
    let descriptor: Int32

    init?() {
      let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      descriptor = Glibc.socket(AF_UNIX, kind, 0)
      if descriptor < 0 { return nil }
    }

    deinit { Glibc.close(descriptor) }
  }

  /// Joins the sessions on a server; nil if no socket can be made.
  ///
  /// - Parameters:
  ///   - server: the server's name.
  ///   - folder: the folder of all sockets; nil for this user's own folders. Then the socket is made in the first of
  ///     ``RuntimeFolder/all(_:)``, and those of other sessions may be in any.
  ///   - message: the state of this session.
  ///   - onChange: called each time the messages in ``others`` change, by the thread of the bus or a thread that
  ///     calls ``publish(_:)``. It must read ``others`` itself, since of two simultaneous calls either may be the later
  ///     one.
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
    announce()
    startThread("swiftlet-peers") { [weak self] in
      var due = ContinuousClock.now + .seconds(Self.interval)
      while let bus = self, bus.runOnce(&due) { _ = consume bus }
    }
  }

  deinit { close() }

  /// Sends a changed state to all others. Any thread.
  func publish(_ message: SessionMessage) {
    guard !isOver.load(ordering: .acquiring) else { return }
    own.withLock { $0 = message }
    sendToAll()
  }

  /// Leaves the bus, and notifies the other sessions. May be called more than once.
  func close() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    unlink(path)
    lock.remove()
    var message = own.withLock { $0 }
    message.isRunning = false
    for peer in peers.withLock({ Array($0.keys) }) { _ = send(message, to: peer) }
    // Wakes the thread, which then ends.
    Glibc.shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }

  /// The latest messages of the other sessions.
  var others: [SessionMessage] { peers.withLock { Array($0.values) } }

  /// Sends the state to all sockets that no message has come from, including those of ended sessions.
  private func announce() {
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

  /// Removes what killed sessions left, also those of other servers: their sockets, and the locks of those that had
  /// no socket yet.
  private func removeLeft(in folder: String, _ names: [String]) {
    let sockets = names.filter { $0.hasPrefix(Self.namePrefix) }.map { name in
      name.hasSuffix(Self.lockSuffix) ? String(name.dropLast(Self.lockSuffix.count)) : name
    }
    for name in Set(sockets).prefix(Self.mostLeft) where "\(folder)/\(name)" != path {
      removeIfStale("\(folder)/\(name)")
    }
  }

  /// Removes the socket of a session that has ended without removing it. A session whose process is stopped keeps its
  /// lock, and so its socket.
  private func removeIfStale(_ peer: String) {
    guard let lock = try? LockFile(peer + Self.lockSuffix) else { return }
    unlink(peer)
    lock.remove()
  }

  private func sendToAll() {
    let message = own.withLock { $0 }
    var hasLost = false
    for peer in peers.withLock({ Array($0.keys) }) where !send(message, to: peer) {
      peers.withLock { _ = $0.removeValue(forKey: peer) }
      hasLost = true
    }
    if hasLost { onChange() }
  }

  /// Sends a message. Returns false if the receiver no longer exists.
  private func send(_ message: SessionMessage, to peer: String) -> Bool {
    // A message that cannot be encoded proves nothing about the receiver.
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
    // The receiver exists, but its queue is full.
    default: return true
    }
  }

  /// Waits for messages, or for the time to send the state again. Returns false when the bus is closed.
  private func runOnce(_ due: inout ContinuousClock.Instant) -> Bool {
    guard !isOver.load(ordering: .acquiring) else { return false }
    let now = ContinuousClock.now
    guard now < due else {
      due = now + .seconds(Self.interval)
      sendToAll()
      announce()
      return true
    }
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, Int32(clamping: Int64((due - now) / .milliseconds(1)) + 1)) > 0 {
      // Read a limited number, so that a flood of messages cannot keep this session from sending its own.
      for _ in 0..<256 where !isOver.load(ordering: .acquiring) { guard receive() else { break } }
    }
    return !isOver.load(ordering: .acquiring)
  }

  /// Reads one message. Returns false if there is none.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: SessionMessage.mostBytes + 1)
    let (count, sender) = SocketAddress.reading { address, length in
      recvfrom(socket.descriptor, &bytes, bytes.count, 0, address, length)
    }
    guard count >= 0 else { return false }
    guard let sender, isPeer(sender),
      let message = SessionMessage(bytes[..<count])
    else { return true }
    let isNew = peers.withLock { peers -> Bool in
      guard peers[sender] != nil || peers.count < Self.mostPeers else { return false }
      var kept = message
      kept.wantsAnswer = false
      defer { peers[sender] = kept }
      return peers[sender] != kept
    }
    if message.wantsAnswer { _ = send(own.withLock { $0 }, to: sender) }
    if isNew { onChange() }
    return true
  }

  /// Returns whether a path is that of another session's socket for this server, in a folder of this user.
  private func isPeer(_ sender: String) -> Bool {
    sender != path && FilePath.name(of: sender).hasPrefix(prefix)
      && folders().contains(FilePath.folder(of: sender))
  }

  /// Returns a hash of a name as sixteen hexadecimal digits (FNV-1a).
  static func digest(_ name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
