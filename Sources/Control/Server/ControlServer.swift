// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk
internal import SwiftletThreads
internal import Synchronization

/// The front end for other programs of this user: a socket in the ``RuntimeFolder`` that takes commands as lines of
/// JSON, and answers each with a line.
///
/// One thread accepts, reads, carries out and answers. It never waits for a client: a client that does not read its
/// answers is not read from, and is disconnected after ``Limits/patience``.
package final class ControlServer: Sendable {
  /// The limits of a server.
  package struct Limits: Sendable {
    /// The maximum number of clients.
    package var clients = 256
    /// The number of unread bytes above which a client gets no more messages, and none of its commands is read.
    package var unreadBytes = 1 << 16
    /// The time after which a client that takes no bytes is disconnected.
    package var patience = Duration.seconds(10)

    /// Creates the default limits.
    package init() {}
  }

  /// The socket's path.
  package var path: String { socket.path }
  private let socket: NamedSocket
  private let isOver = Atomic(false)
  private let hasEnded = Monitor(false)

  /// Starts to serve a session; nil if no socket can be made.
  ///
  /// - Parameters:
  ///   - tree: The model of the session.
  ///   - name: The session's name, by which clients find it.
  ///   - folder: The folder of the socket; nil for this user's own.
  ///   - limits: The limits.
  package init?(
    _ tree: ControlTree, name: String, in folder: String? = nil, limits: Limits = Limits()
  ) {
    guard let folder = folder ?? RuntimeFolder.path() else { return nil }
    NamedSocket.removeLeft(.control, in: folder)
    guard let socket = NamedSocket(.control, of: name, in: folder) else { return nil }
    self.socket = socket
    startThread("swiftlet-remote") { [weak self, hasEnded] in
      var loop = ControlServerLoop(socket, tree, limits)
      while self?.isOver.load(ordering: .acquiring) == false { loop.runOnce() }
      loop.refuseWaiting()
      hasEnded.change { $0 = true }
    }
  }

  deinit { close() }

  /// Removes the socket and disconnects all clients. Waits for the end of a running command, at most two seconds. May
  /// be called more than once.
  package func close() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    socket.remove()
    // Wakes the thread, which then ends.
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    hasEnded.wait(within: .seconds(2)) { $0 }
  }
}

/// The work of a server's thread.
private struct ControlServerLoop {
  private let socket: NamedSocket
  private let tree: ControlTree
  private let limits: ControlServer.Limits
  private var clients: [ServedClient] = []
  private var values: ValueWatch
  /// The maximum number of commands of one client in a row, so that no client keeps others waiting.
  private static let commandsInARow = 64
  /// The shortest time between two readings of watched values.
  private static let shortestTurn = Duration.milliseconds(33)

  init(_ socket: NamedSocket, _ tree: ControlTree, _ limits: ControlServer.Limits) {
    (self.socket, self.tree, self.limits) = (socket, tree, limits)
    values = ValueWatch(tree)
  }

  /// Waits for clients or for the next message to subscribers, and serves them.
  mutating func runOnce() {
    var polled = [pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)]
    for client in clients {
      let reads = client.hasRoom && client.waiting <= limits.unreadBytes
      let events = (reads ? POLLIN : 0) | (client.waiting > 0 ? POLLOUT : 0)
      polled.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
    }
    poll(&polled, nfds_t(polled.count), timeout())
    for (client, state) in zip(clients, polled.dropFirst()) where state.revents != 0 {
      if state.revents & Int16(POLLOUT) != 0 { client.flush() }
      let isGone = state.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
      if state.revents & Int16(POLLIN) != 0 || isGone { client.receive() }
    }
    for client in clients { answer(client) }
    if polled[0].revents != 0 { accept() }
    feed()
    let now = ContinuousClock.now, patience = limits.patience
    clients.removeAll { client in
      client.isDone || (client.waiting > 0 && now - client.lastProgress > patience)
    }
  }

  /// Closes the connections that were not accepted yet, so that their clients do not wait for an answer.
  func refuseWaiting() {
    while true {
      let descriptor = Glibc.accept(socket.descriptor, nil, nil)
      guard descriptor >= 0 else { return }
      Glibc.close(descriptor)
    }
  }

  /// Returns the time until something is due, in milliseconds; −1 if nothing is.
  private func timeout() -> Int32 {
    let ready = clients.filter { $0.waiting <= limits.unreadBytes }
    if ready.contains(where: \.hasLine) { return 0 }
    let now = ContinuousClock.now
    var times = clients.filter { $0.waiting > 0 }.map { $0.lastProgress + limits.patience }
    times += ready.compactMap { $0.watch?.due }
    guard let next = times.min() else { return -1 }
    return Int32(clamping: max(Int64((next - now) / .milliseconds(1)) + 1, 0))
  }

  private mutating func accept() {
    // A limited number, so that many connections at once keep no client waiting.
    for _ in 0..<16 {
      let descriptor = Glibc.accept(socket.descriptor, nil, nil)
      guard descriptor >= 0 else {
        // Without free descriptors the connection stays in the queue, and the next call would return at once.
        if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) { Waiting.sleep(.milliseconds(50)) }
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let client = ServedClient(descriptor)
      guard PeerCredentials.isOwnUser(descriptor) else { continue }
      guard clients.count < limits.clients else {
        let error = ControlError(
          .tooManyClients, "the session has \(limits.clients) clients already; close one of them")
        client.send(ControlReply(error).line)
        continue
      }
      clients.append(client)
    }
  }

  /// Carries out the commands of a client, unless it has too many unread answers.
  private func answer(_ client: ServedClient) {
    for _ in 0..<Self.commandsInARow where client.waiting <= limits.unreadBytes {
      do throws(ControlError) {
        guard let line = try client.takeLine() else { return }
        guard let reply = reply(to: line, of: client) else { continue }
        client.send(reply.line)
      } catch {
        client.send(ControlReply(error).line)
      }
    }
  }

  /// Returns the answer to a line; nil for an empty line.
  private func reply(to line: [UInt8], of client: ServedClient) -> ControlReply? {
    guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
    var id: Int?
    do throws(ControlError) {
      let request = try ControlRequest(line: line)
      id = request.id
      let command = try request.read()
      var reply = try tree.perform(command)
      if case .watch(let subscription) = command { client.watch = try watch(subscription) }
      reply.id = id
      return reply
    } catch {
      return ControlReply(error, id: id)
    }
  }

  private func watch(_ subscription: ControlSubscription) throws(ControlError) -> ServedClient.Watch {
    ServedClient.Watch(
      subscription: subscription, indices: try tree.indices(of: subscription), events: tree.events.end,
      due: .now)
  }

  /// Sends changed values and events to the subscribers whose time has come. Subscribers with too many unread bytes get
  /// the newest values later.
  private mutating func feed() {
    let now = ContinuousClock.now
    let due = clients.filter { client in
      client.waiting <= limits.unreadBytes && client.watch.map { $0.due <= now } == true
    }
    guard !due.isEmpty else { return }
    values.refresh(due.reduce(into: []) { $0.formUnion($1.watch?.indices ?? []) })
    for client in due {
      guard var watch = client.watch else { continue }
      var reply = ControlReply()
      let changes = values.changes(of: watch.indices, after: watch.turn)
      if !changes.isEmpty { reply.values = changes }
      if watch.subscription.hasEvents {
        let new = tree.events.read(after: watch.events)
        if !new.events.isEmpty { reply.events = new.events }
        if new.lost > 0 { reply.lostEvents = new.lost }
        watch.events = new.end
      }
      watch.turn = values.turn
      watch.due = now + max(.seconds(1 / watch.subscription.rate), Self.shortestTurn)
      client.watch = watch
      if reply != ControlReply() { client.send(reply.line) }
    }
  }
}
