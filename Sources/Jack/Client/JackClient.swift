// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Dispatch
internal import Foundation
package import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// A client of a JACK server.
///
/// Open it, add the ports of the graph's input and output nodes, and activate it with the renderer that fills them.
/// All functions may be called from any thread except JACK's own. They call the server, so they may block briefly.
/// libjack supports one server at a time in a process, and several clients of it.
package final class JackClient: Sendable {
  /// The client's name in the JACK graph.
  package let name: String
  /// The server's name: the given one, otherwise that of `JACK_DEFAULT_SERVER`, otherwise `default`.
  package let server: String
  /// The sample rate in Hz.
  package let sampleRate: Double
  let life: Mutex<Life>
  private let subscriber: Int
  /// Whether the server's name was given instead of chosen by libjack.
  private let isNamed: Bool
  private let onEvent: @Sendable (JackEvent) -> Void
  /// Serialises the functions that leave and rejoin a server.
  let returning = Mutex(())

  /// The changing state of the client.
  struct Life: Sendable {
    /// The client on the server. After the server has ended, the remains of that client.
    var opened: OpenClient
    /// The ports to register again; set from when the client leaves a server that has ended until it has joined the
    /// next.
    var away: PortLayout?
    var isClosed = false
  }
  var opened: OpenClient { life.withLock { $0.opened } }

  /// The maximum length of a server's name, in bytes. With a name of 300 bytes, libjack (jackd2 1.9.21) overflows its
  /// stack.
  private static let longestServerName = 127
  /// The longest time to wait for a server when leaving it. After that, the client is abandoned.
  private static let leaveTimeout = DispatchTimeInterval.seconds(3)

  /// Joins a running server; never starts one.
  ///
  /// - Parameters:
  ///   - name: the client's name. The client gets exactly this name or fails.
  ///   - server: the server's name; nil for that of `JACK_DEFAULT_SERVER`, otherwise for the default server.
  ///   - log: receives libjack's messages, on any thread; they never reach the terminal.
  ///   - onEvent: receives the client's events one at a time, on a thread of the client. It may call the client, also
  ///     to close it.
  /// - Throws: ``JackError/noServer(_:)``, ``JackError/nameTaken(_:)``, ``JackError/badName(_:longest:)``,
  ///   ``JackError/badServer(_:longest:)``, ``JackError/versionMismatch(server:)``,
  ///   ``JackError/serverFailed(server:status:)``, ``JackError/noAnswer(_:)`` after five seconds,
  ///   ``JackError/otherServer(open:wanted:)``.
  package init(
    name: String, server: String? = nil, log: @escaping @Sendable (JackMessage) -> Void = { _ in },
    onEvent: @escaping @Sendable (JackEvent) -> Void = { _ in }
  ) throws(JackError) {
    // jackd2 1.9.21 states 65 bytes including the NUL, but refuses a name of 64.
    let longest = min(Int(jack_client_name_size()) - 1, 63)
    guard 1...longest ~= name.utf8.count, !name.utf8.contains(UInt8(ascii: ":")), !name.utf8.contains(0)
    else {
      throw .badName(name, longest: longest)
    }
    let serverName = server ?? ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] ?? "default"
    guard 1...Self.longestServerName ~= serverName.utf8.count, !serverName.utf8.contains(0) else {
      throw .badServer(serverName, longest: Self.longestServerName)
    }
    let subscriber = JackLog.subscribe(log)
    do {
      try JoinedServer.join(serverName)
    } catch {
      JackLog.unsubscribe(subscriber)
      throw error
    }
    let opened: OpenClient
    do {
      opened = try Self.open(name, on: serverName, asked: server, counts: .init(), onEvent: onEvent)
    } catch {
      JackLog.unsubscribe(subscriber)
      throw error
    }
    life = Mutex(Life(opened: opened))
    self.name = opened.name
    sampleRate = opened.edge.pointee.sampleRate
    opened.startControlThread()
    self.subscriber = subscriber
    self.server = serverName
    isNamed = server != nil
    self.onEvent = onEvent
  }

  /// Opens a client, with callbacks and without ports, on a server that this process has joined. If that fails, the
  /// process leaves the server.
  private static func open(
    _ name: String, on server: String, asked: String?, counts: OpenClient.Counts,
    onEvent: @escaping @Sendable (JackEvent) -> Void
  ) throws(JackError) -> OpenClient {
    guard let answer = ClientOpening.open(name, on: asked, late: JoinedServer.leave) else {
      throw .noAnswer(server)
    }
    guard let handle = answer.handle else {
      let error = error(answer.status, name: name, server: server, asked: asked)
      JoinedServer.leave()
      throw error
    }
    let opened = OpenClient(handle, longestBlock: longestBlock, counts: counts, onEvent: onEvent)
    registerCallbacks(of: handle, for: opened)
    return opened
  }

  /// Opens the client again, on the server of the same name.
  func reopen(counts: OpenClient.Counts) throws(JackError) -> OpenClient {
    try JoinedServer.join(server)
    return try Self.open(name, on: server, asked: isNamed ? server : nil, counts: counts, onEvent: onEvent)
  }

  deinit { close() }

  /// The longest block that a renderer gets, in frames; longer cycles are split.
  package static let longestBlock = 8192

  /// The server's period in frames.
  package var blockLength: Int {
    (try? opened.edit { _ in Int(jack_get_buffer_size(opened.client)) }) ?? 0
  }

  /// Activates the client: JACK calls the renderer in every cycle from now on. Also makes the connections that the
  /// rules ask for.
  ///
  /// - Parameters:
  ///   - renderer: fills the buffers of this client's ports. Nothing else may use it while the client is open.
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
      edits.layout.manager.start()
      let events = opened.connect(&edits)
      edits.watch = RouteWatch(opened.route(edits), sockets: opened.sockets())
      return events
    }
    for event in events { opened.onEvent(event) }
  }

  /// Closes the client and its ports. Returns when the server has released the client, or after three seconds. Then
  /// the renderer is no longer called.
  ///
  /// Safe after the server has ended, and may be called more than once.
  package func close() {
    let last = life.withLock { life -> OpenClient? in
      guard !life.isClosed else { return nil }
      life.isClosed = true
      return life.opened
    }
    guard let last else { return }
    Self.leave(last)
    JackLog.unsubscribe(subscriber)
  }

  /// Closes an open client on its server, if it is not closed yet. Returns when that is done, or after three seconds.
  /// Then the renderer is no longer called.
  static func leave(_ opened: OpenClient) {
    let done = DispatchSemaphore(value: 0)
    // Uses a thread of its own, which retains the open client: a server that hangs may never return.
    startThread("swiftlet-leave") {
      if opened.close() { JoinedServer.leave() }
      done.signal()
    }
    if done.wait(timeout: .now() + Self.leaveTimeout) == .timedOut { opened.abandon() }
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

/// Pacing of freewheeling: while JACK freewheels, a cycle may wait until the sound of its frames is prepared.
extension JackClient {
  /// Sets whether cycles wait for ``grant(_:)`` while JACK freewheels. Call this before the client is activated, and
  /// only if something calls ``grant(_:)`` from then on.
  package func setPaced(_ isOn: Bool) { opened.edge.pointee.isPaced.store(isOn, ordering: .releasing) }

  /// The number of frames that may be rendered without a further grant; nil unless JACK freewheels.
  package var grantedFrames: Int? {
    let edge = opened.edge
    guard edge.pointee.isFreewheeling.load(ordering: .acquiring) else { return nil }
    return edge.pointee.budget.load(ordering: .acquiring)
  }

  /// Allows the audio thread to render `frameCount` more frames while JACK freewheels. The caller has made sure that
  /// players have read them ahead, and that takes have space for them.
  package func grant(_ frameCount: Int) { opened.edge.pointee.budget.add(frameCount, ordering: .releasing) }
}

/// Returns whether the server has a client of this name. jackd2's library does not report that reason when it fails
/// to open a client.
private func isTaken(_ name: String, on server: String?) -> Bool {
  ignoringBrokenPipe {
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
