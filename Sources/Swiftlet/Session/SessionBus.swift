// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads
internal import Synchronization

/// The message bus between sessions of this user on one JACK server: a folder with a datagram socket for each
/// session, to which the other sessions send their state.
///
/// No session coordinates the others. A new session sends its state to all sockets, and is answered. Twice a second
/// each session sends its state to all sockets, also to those from which it has not received a message. So a message
/// that is lost because a socket's queue of ten messages is full is sent again. The socket of a process that was killed
/// refuses messages; it is then removed.
final class SessionBus: Sendable {
  /// The time between two messages to all others, in seconds.
  static let interval = 0.5
  /// The maximum number of other sessions.
  static let mostPeers = 64

  /// The path of this session's socket.
  var path: String { socket.path }
  private let socket: NamedSocket
  private let folders: @Sendable () -> [String]
  /// The server's name, and the prefix of its sessions' sockets.
  private let server: String, prefix: String
  private let peers = Mutex<[String: SessionMessage]>([:])
  private let own: Mutex<SessionMessage>
  private let isOver = Atomic(false)
  private let onChange: @Sendable () -> Void

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
    guard let folder = folder ?? RuntimeFolder.path(),
      let socket = NamedSocket(.session, of: server, in: folder)
    else { return nil }
    self.socket = socket
    self.server = server
    prefix = NamedSocket.prefix(of: .session, server)
    own = Mutex(message)
    self.onChange = onChange
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
    socket.remove()
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
      // Also those that killed sessions on other servers left.
      NamedSocket.removeLeft(.session, in: folder)
      for peer in NamedSocket.paths(of: .session, server, in: folder).prefix(Self.mostPeers * 4)
      where peer != path && !known.contains(peer) {
        _ = send(message, to: peer)
      }
    }
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
      NamedSocket.removeIfStale(peer)
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
}
