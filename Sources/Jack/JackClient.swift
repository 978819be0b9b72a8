// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Dispatch
internal import Foundation
package import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// A client of a JACK server: Swiftlet's place in the studio.
///
/// Open it, add the ports of the graph's ways in and out, and activate it with the renderer that fills them.
/// All functions may be called from any thread but JACK's own; they ask the server, and so may take a moment.
/// libjack serves one server at a time in a process; several clients of it are fine.
package final class JackClient: Sendable {
  /// The client's name, as the studio shows it.
  package let name: String
  /// The server's name: as asked for, else from `JACK_DEFAULT_SERVER`, else `default`.
  package let server: String
  /// Frames a second.
  package let sampleRate: Double
  let life: Mutex<Life>
  private let listener: Int
  /// Whether the server was named, rather than found by libjack.
  private let isNamed: Bool
  private let tell: @Sendable (JackEvent) -> Void
  /// One at a time returns to a server.
  let returning = Mutex(())

  /// Where the client is in its life.
  struct Life: Sendable {
    /// The client on the server; after that has gone, what is left of it.
    var opened: OpenClient
    /// The ports to be made anew, from when the client let go of a server that has gone until it is on the next.
    var away: PortLayout?
    var isClosed = false
  }
  var opened: OpenClient { life.withLock { $0.opened } }

  /// The longest name of a server, in bytes: with one of 300, libjack (jackd2 1.9.21) smashes its stack.
  private static let longestServerName = 127
  /// The longest time that leaving may take; a server that hangs longer is left to itself.
  private static let patience = DispatchTimeInterval.seconds(3)

  /// Joins a server that runs already; it is never started.
  ///
  /// - Parameters:
  ///   - name: the client's name; it gets exactly this one, or none.
  ///   - server: the server's name; where nil, that of `JACK_DEFAULT_SERVER`, else the default one.
  ///   - log: takes libjack's own messages, on any thread; they never reach the terminal.
  ///   - onEvent: is told what happens, on a thread of the client's own, one event at a time. It may call the
  ///     client, also to close it.
  /// - Throws: ``JackError/noServer(_:)``, ``JackError/nameTaken(_:)``, ``JackError/badName(_:longest:)``,
  ///   ``JackError/badServer(_:longest:)``, ``JackError/versionMismatch(server:)``,
  ///   ``JackError/serverFailed(server:status:)``,
  ///   ``JackError/noAnswer(_:)`` after five seconds, ``JackError/otherServer(open:wanted:)``.
  package init(
    name: String, server: String? = nil, log: @escaping @Sendable (JackMessage) -> Void = { _ in },
    onEvent: @escaping @Sendable (JackEvent) -> Void = { _ in }
  ) throws(JackError) {
    // jackd2 1.9.21 states 65 bytes with the NUL, but refuses a name of 64.
    let longest = min(Int(jack_client_name_size()) - 1, 63)
    guard 1...longest ~= name.utf8.count, !name.utf8.contains(UInt8(ascii: ":")), !name.utf8.contains(0)
    else {
      throw .badName(name, longest: longest)
    }
    let serverName = server ?? ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] ?? "default"
    guard 1...Self.longestServerName ~= serverName.utf8.count, !serverName.utf8.contains(0) else {
      throw .badServer(serverName, longest: Self.longestServerName)
    }
    let listener = JackLog.listen(log)
    do {
      try OneServer.join(serverName)
    } catch {
      JackLog.forget(listener)
      throw error
    }
    let opened: OpenClient
    do {
      opened = try Self.open(name, on: serverName, asked: server, counts: .init(), tell: onEvent)
    } catch {
      JackLog.forget(listener)
      throw error
    }
    life = Mutex(Life(opened: opened))
    self.name = opened.name
    sampleRate = opened.edge.pointee.sampleRate
    opened.startControlThread()
    self.listener = listener
    self.server = serverName
    isNamed = server != nil
    tell = onEvent
  }

  /// Becomes a client, with callbacks and without ports, of a server that this process has joined; where that
  /// fails, the process leaves it.
  private static func open(
    _ name: String, on server: String, asked: String?, counts: OpenClient.Counts,
    tell: @escaping @Sendable (JackEvent) -> Void
  ) throws(JackError) -> OpenClient {
    guard let answer = ClientOpening.ask(name, on: asked, late: OneServer.leave) else {
      throw .noAnswer(server)
    }
    guard let handle = answer.handle else {
      let error = error(answer.status, name: name, server: server, asked: asked)
      OneServer.leave()
      throw error
    }
    let opened = OpenClient(handle, longestBlock: longestBlock, counts: counts, tell: tell)
    registerCallbacks(of: handle, for: opened)
    return opened
  }

  /// Becomes a client again, of the server of the same name.
  func reopen(counts: OpenClient.Counts) throws(JackError) -> OpenClient {
    try OneServer.join(server)
    return try Self.open(name, on: server, asked: isNamed ? server : nil, counts: counts, tell: tell)
  }

  deinit { close() }

  /// The longest block that is handed to a renderer, in frames; longer cycles are cut.
  package static let longestBlock = 8192

  /// The server's block now, in frames.
  package var blockLength: Int {
    (try? opened.edit { _ in Int(jack_get_buffer_size(opened.client)) }) ?? 0
  }

  /// Lets the renderer play: from now on it is called for every cycle. Also makes
  /// the cables that the rules ask for.
  ///
  /// - Parameters:
  ///   - renderer: fills our ports' buffers. Not to be used by anybody else while the client is open.
  ///   - frame: the absolute frame of the first cycle.
  /// - Throws: ``JackError/notActivated(_:)``, ``JackError/closed(_:)``.
  package func activate(_ renderer: Renderer, from frame: Int64 = 0) throws(JackError) {
    let opened = opened
    let events = try opened.edit { edits throws(JackError) -> [JackEvent] in
      guard !edits.isActive else { throw .notActivated(name) }
      opened.edge.pointee.renderer?.release()
      opened.edge.pointee.renderer = .passRetained(renderer)
      opened.edge.pointee.longestBlock = min(max(renderer.longestBlock, 1), Self.longestBlock)
      opened.edge.pointee.begin(at: frame)
      guard jack_activate(opened.client) == 0 else { throw .notActivated(name) }
      edits.isActive = true
      edits.layout.keeper.start()
      let events = opened.connect(&edits)
      edits.watch = RouteWatch(opened.route(edits), sockets: opened.sockets())
      return events
    }
    for event in events { opened.tell(event) }
  }

  /// Leaves the studio, with all ports. Returns when the server has let us go, or after three seconds. Then
  /// the renderer is not called any more.
  ///
  /// Safe after the server has died, and more than once.
  package func close() {
    let last = life.withLock { life -> OpenClient? in
      guard !life.isClosed else { return nil }
      life.isClosed = true
      return life.opened
    }
    guard let last else { return }
    Self.leave(last)
    JackLog.forget(listener)
  }

  /// Has a client leave its server, unless it has; returns when it has, or after three seconds. Then the
  /// renderer is not called any more.
  static func leave(_ opened: OpenClient) {
    let done = DispatchSemaphore(value: 0)
    // On a thread of its own, which keeps the open client alive: a server that hangs may never let it go.
    startThread("swiftlet-leaver") {
      if opened.close() { OneServer.leave() }
      done.signal()
    }
    if done.wait(timeout: .now() + Self.patience) == .timedOut { opened.abandon() }
  }

  private static func error(
    _ status: jack_status_t, name: String, server: String, asked: String?
  ) -> JackError {
    func has(_ bit: JackStatus) -> Bool { status.rawValue & bit.rawValue != 0 }
    if has(JackNameNotUnique) || (has(JackServerError) && isTaken(name, on: asked)) {
      return .nameTaken(name)
    }
    if has(JackVersionError) { return .versionMismatch(server: server) }
    if has(JackServerFailed) { return .noServer(server) }
    return .serverFailed(server: server, status: Int(status.rawValue))
  }
}

/// Whether the server has a client of this name. jackd2's library forgets that
/// reason when it fails to open one.
private func isTaken(_ name: String, on server: String?) -> Bool {
  quietly {
    var status = jack_status_t(0)
    guard let probe = swiftlet_jack_client_open("swiftlet-probe", JackNoStartServer, &status, server) else {
      return false
    }
    defer { jack_client_close(probe) }
    guard let found = jack_get_uuid_for_client_name(probe, name) else { return false }
    jack_free(found)
    return true
  }
}
