// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Glibc
internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// An open client, shared by the caller's threads, the control thread and JACK's threads.
///
/// It has two locks. `editing` serialises calls to the server and is never taken in a callback: the server may wait
/// for a callback before it answers. `shown` is held for a moment only, and never during a call to the server.
// @unchecked: `edits` is accessed under `editing`; everything else is constant, atomic, or has its own lock.
final class OpenClient: @unchecked Sendable {
  /// The ports of one node.
  // @unchecked: JACK synchronises access to the handles.
  struct NodePorts: @unchecked Sendable {
    let name: String
    let direction: JackPort.Direction
    let content: JackPort.Content
    let number: Int
    let handles: [OpaquePointer]
  }
  /// The state under the editing lock.
  struct Edits {
    var layout: PortLayout
    var nodes: [NodePorts] = []
    /// The tempo tables that were passed to JACK, the current one last. Each replaced table has the cycle count at
    /// which it was replaced.
    var timebases: [(timebase: Timebase, replaced: Int?)] = []
    var isActive = false
    var isClosed = false
    /// The number of ports that have been registered, which is the order in which other programs show them.
    var portCount = 0
    /// Connections that this client requested and JACK has not reported yet.
    var asked: Set<PortConnection> = []
    /// Connections that this client removed and JACK has not reported yet.
    var dropped: Set<PortConnection> = []
    var refused = RefusedConnections()
    /// The tracker of route changes; nil while the client is not active.
    var watch: RouteWatch?
    /// The time of the next look at the route.
    var routeCheckDue: ContinuousClock.Instant?
    /// The time at which to follow the rules that have alternatives.
    var choiceDue: ContinuousClock.Instant?
    /// Removed connections. It is not known yet whether the user removed them or a port is disappearing.
    var loose: [PendingRemoval] = []
  }
  struct PendingRemoval {
    let connection: PortConnection
    let source: UInt32, destination: UInt32
    let due: ContinuousClock.Instant
  }
  /// The data for the latency callback.
  struct LatencyInputs: Sendable {
    var nodes: [NodePorts] = []
    var paths: [LatencyPath]?
  }

  let name: String
  let client: OpaquePointer
  let edge: UnsafeMutablePointer<AudioThreadContext>
  let mailbox = Mailbox()
  let onEvent: @Sendable (JackEvent) -> Void
  private let editing = Mutex(())
  private var edits: Edits
  private let shown = Mutex(LatencyInputs())

  /// Wraps an open JACK client.
  ///
  /// - Parameters:
  ///   - client: JACK's handle of the client.
  ///   - longestBlock: the longest block in frames.
  ///   - counts: the counters to continue, if the client was on a server before.
  ///   - onEvent: receives the client's events.
  init(
    _ client: OpaquePointer, longestBlock: Int, counts: Counts = Counts(),
    onEvent: @escaping @Sendable (JackEvent) -> Void
  ) {
    name = String(cString: jack_get_client_name(client))
    self.client = client
    self.onEvent = onEvent
    edits = Edits(layout: PortLayout(client: name))
    edge = .allocate(capacity: 1)
    edge.initialize(
      to: AudioThreadContext(
        client: client, sampleRate: Double(jack_get_sample_rate(client)), longestBlock: longestBlock))
    mailbox.xruns.store(counts.xruns, ordering: .relaxed)
    edge.pointee.lostEvents.store(counts.lostEvents, ordering: .relaxed)
  }

  /// Counters that continue while the client moves from server to server.
  struct Counts: Sendable {
    var xruns = 0, lostEvents = 0
  }
  var counts: Counts {
    Counts(
      xruns: mailbox.xruns.load(ordering: .acquiring),
      lostEvents: edge.pointee.lostEvents.load(ordering: .relaxed))
  }

  deinit {
    edge.pointee.renderer?.release()
    edge.deinitialize(count: 1)
    edge.deallocate()
  }

  /// Runs `body`, which may call the server, under the editing lock. Throws at once if the client is closing, so that
  /// no thread waits for a server that hangs.
  func edit<Result>(_ body: (inout Edits) throws(JackError) -> Result) throws(JackError) -> Result {
    guard !mailbox.isOver.load(ordering: .acquiring) else { throw .closed(name) }
    return try ignoringBrokenPipe { () throws(JackError) -> Result in
      try editing.withLock { _ throws(JackError) -> Result in
        guard !edits.isClosed else { throw .closed(name) }
        return try body(&edits)
      }
    }
  }

  /// Ends the control thread and leaves the server. Returns false if that is done already. May block for as long as
  /// the server hangs.
  func close() -> Bool {
    mailbox.isOver.store(true, ordering: .releasing)
    mailbox.ring()
    return ignoringBrokenPipe {
      editing.withLock { _ in
        guard !edits.isClosed else { return false }
        edits.isClosed = true
        // Remove the metadata here: if the server has to do it, the server and all its clients are busy for seconds.
        for port in edits.nodes.flatMap(\.handles) { jack_remove_properties(client, jack_port_uuid(port)) }
        if edits.isActive { jack_deactivate(client) }
        jack_client_close(client)
        return true
      }
    }
  }

  /// Stops the audio thread from calling the renderer if the server hangs while it is left: the caller may free the
  /// memory that the renderer plays from.
  func abandon() {
    edge.pointee.isAbandoned.store(true, ordering: .sequentiallyConsistent)
    _ = waitForCycle()
  }

  /// Reads or changes the data for the latency callback.
  func show<Result: Sendable>(_ body: (inout LatencyInputs) -> Result) -> Result {
    shown.withLock { body(&$0) }
  }

  /// Returns the full name of a port by JACK's number; nil if there is no such port.
  func name(of port: UInt32) -> String? {
    guard let handle = jack_port_by_id(client, port), let name = jack_port_name(handle), name[0] != 0
    else { return nil }
    return String(cString: name)
  }

  /// Waits until the audio thread has finished its current cycle, if any. Returns false after 2 s.
  func waitForCycle() -> Bool {
    let seen = edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
    guard seen & 1 == 1 else { return true }
    return Waiting.until(every: .microseconds(500), tries: 4000) {
      edge.pointee.sequence.load(ordering: .acquiring) != seen
    }
  }
}

/// Runs `body`, which may write to a server that has ended, and suppresses the SIGPIPE that this causes.
func ignoringBrokenPipe<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
  -> Result
{
  var pipe = sigset_t(), before = sigset_t(), pending = sigset_t()
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&pending)
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  defer {
    // A SIGPIPE from `body` is pending while the mask blocks it. Discard it, unless one was pending before.
    var never = timespec()
    if sigismember(&pending, SIGPIPE) == 0 {
      while sigtimedwait(&pipe, nil, &never) == -1 && errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return try body()
}
