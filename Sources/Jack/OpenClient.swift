// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Glibc
internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// An open client as its threads share it: the caller's, the control thread's, and those of JACK.
///
/// Two locks. `editing` serialises whoever asks the server for something, and is never taken in
/// a callback: the server may wait for a callback before it answers. `shown` is held for a
/// moment only, and never while asking.
// @unchecked: `edits` is touched under `editing`; all else is constant, atomic, or has a lock of its own.
final class OpenClient: @unchecked Sendable {
  /// The ports of one node.
  // @unchecked: the handles are JACK's own to look after.
  struct NodePorts: @unchecked Sendable {
    let name: String
    let direction: JackPort.Direction
    let content: JackPort.Content
    let number: Int
    let handles: [OpaquePointer]
  }
  /// What only those who ask the server touch.
  struct Edits {
    var layout: PortLayout
    var nodes: [NodePorts] = []
    /// The songs that the studio was told of, the last one in use; the others with the count of cycles at which
    /// they were replaced.
    var songs: [(song: LedSong, replaced: Int?)] = []
    var isActive = false
    var isClosed = false
    /// How many ports have been registered, for the order that other programs show them in.
    var portCount = 0
    /// Cables that we asked for and have not been told of.
    var asked: Set<Cable> = []
    /// Cables that we took out and have not been told of.
    var dropped: Set<Cable> = []
    var refused = RefusedCables()
    /// What has become of our connections; nil while we are not active.
    var watch: RouteWatch?
    /// When to look next whether the route is another.
    var lookDue: ContinuousClock.Instant?
    /// When to follow the rules that have alternatives.
    var choiceDue: ContinuousClock.Instant?
    /// Cables that came out, and might have been pulled: the port at the other end may be about to go.
    var loose: [LooseCable] = []
  }
  struct LooseCable {
    let cable: Cable
    let source: UInt32, destination: UInt32
    let due: ContinuousClock.Instant
  }
  /// What the latency callback needs.
  struct Shown: Sendable {
    var nodes: [NodePorts] = []
    var paths: [LatencyPath]?
  }

  let name: String
  let client: OpaquePointer
  let edge: UnsafeMutablePointer<AudioEdge>
  let mailbox = Mailbox()
  let tell: @Sendable (JackEvent) -> Void
  private let editing = Mutex(())
  private var edits: Edits
  private let shown = Mutex(Shown())

  /// - Parameter counts: what is counted on, where the client was on a server before.
  init(
    _ client: OpaquePointer, longestBlock: Int, counts: Counts = Counts(),
    tell: @escaping @Sendable (JackEvent) -> Void
  ) {
    name = String(cString: jack_get_client_name(client))
    self.client = client
    self.tell = tell
    edits = Edits(layout: PortLayout(client: name))
    edge = .allocate(capacity: 1)
    edge.initialize(
      to: AudioEdge(
        client: client, sampleRate: Double(jack_get_sample_rate(client)), longestBlock: longestBlock))
    mailbox.xruns.store(counts.xruns, ordering: .relaxed)
    edge.pointee.lostEvents.store(counts.lostEvents, ordering: .relaxed)
  }

  /// What is counted as long as the client lives, on however many servers.
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

  /// Runs something that asks the server, alone. Nobody queues up behind a server that does not let us go.
  func edit<Result>(_ body: (inout Edits) throws(JackError) -> Result) throws(JackError) -> Result {
    guard !mailbox.isOver.load(ordering: .acquiring) else { throw .closed(name) }
    return try quietly { () throws(JackError) -> Result in
      try editing.withLock { _ throws(JackError) -> Result in
        guard !edits.isClosed else { throw .closed(name) }
        return try body(&edits)
      }
    }
  }

  /// Ends the control thread and leaves the server; false where that was done before. May hang as long as
  /// the server does.
  func close() -> Bool {
    mailbox.isOver.store(true, ordering: .releasing)
    mailbox.ring()
    return quietly {
      editing.withLock { _ in
        guard !edits.isClosed else { return false }
        edits.isClosed = true
        // Descriptions that are left to the server to forget keep it, and all its clients, busy for seconds.
        for port in edits.nodes.flatMap(\.handles) { jack_remove_properties(client, jack_port_uuid(port)) }
        if edits.isActive { jack_deactivate(client) }
        jack_client_close(client)
        return true
      }
    }
  }

  /// Has the audio thread leave the renderer alone, where leaving the server hangs: whoever
  /// closed us may free what is played.
  func abandon() {
    edge.pointee.isAbandoned.store(true, ordering: .sequentiallyConsistent)
    _ = waitForCycle()
  }

  /// Looks at, or changes, what the latency callback sees.
  func show<Result: Sendable>(_ body: (inout Shown) -> Result) -> Result { shown.withLock { body(&$0) } }

  /// The full name of a port by JACK's number; nil where there is none.
  func name(of port: UInt32) -> String? {
    guard let handle = jack_port_by_id(client, port), let name = jack_port_name(handle), name[0] != 0
    else { return nil }
    return String(cString: name)
  }

  /// Waits until the audio thread has finished the cycle that it is in, if any;
  /// false if it does not within 2 s.
  func waitForCycle() -> Bool {
    let seen = edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
    guard seen & 1 == 1 else { return true }
    return Waiting.until(every: .microseconds(500), tries: 4000) {
      edge.pointee.sequence.load(ordering: .acquiring) != seen
    }
  }
}

/// Runs something that may write to a server that has died, without the signal that this would send.
func quietly<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  var pipe = sigset_t(), before = sigset_t(), pending = sigset_t()
  sigemptyset(&pipe)
  sigaddset(&pipe, SIGPIPE)
  sigpending(&pending)
  pthread_sigmask(SIG_BLOCK, &pipe, &before)
  defer {
    // What was sent meanwhile waits for the mask to be lifted: it is taken away, unless it was there before.
    var never = timespec()
    if sigismember(&pending, SIGPIPE) == 0 {
      while sigtimedwait(&pipe, nil, &never) == -1 && errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return try body()
}
