// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletPlayback
public import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// The transport that the timeline follows; default: ``TransportRole/own``.
  public var transportRole: TransportRole { core.withLock { $0.role } }

  /// Sets the transport that the timeline follows. Tracks and lanes follow it: a track that loops plays all its
  /// loops, and a track at another speed is at the position that this speed reaches from the beginning. A player of a
  /// MIDI file releases its notes when the transport stops or jumps, and restores the programs and controllers that
  /// apply at the new position. A ``PlayerNode`` and an ``AudioPlayer`` have their own time unless they were made to
  /// follow the transport.
  ///
  /// If the transport is rolling already, the engine joins it within a second.
  ///
  /// - Throws: ``EngineError/jack(_:)``; ``EngineError/timelineLoop(_:)``.
  public func setTransportRole(_ role: TransportRole) throws(EngineError) {
    try role.check()
    do throws(EngineError) { try updateJackTransport(of: role) } catch {
      try? updateJackTransport(of: transportRole)
      throw error
    }
    core.withLock { $0.follow(role) }
    renderer.followsTransport.store(role.followsJackTransport, ordering: .relaxed)
  }

  /// Shows bars, beats and tempo of the timeline to plugins, if the role is ``TransportRole/own``.
  package func showTempo(_ tempo: TempoMap) {
    guard transportRole == .own else { return }
    renderer.localTransport.show(tempo, sampleRate: sampleRate)
  }

  /// Sets whether JACK waits for the engine before the transport rolls, and makes the engine the timebase source
  /// or releases the timebase.
  func updateJackTransport(of role: TransportRole) throws(EngineError) {
    guard let jackClient else { return }
    try transportEdit { () throws(JackError) in
      try jackClient.setFollowing(role.followsJackTransport)
      guard try jackClient.setTimebase(role.followsJackTransport ? role.tempo : nil) == .tookOver else {
        return
      }
      core.withLock { $0.hasReplacedTimebase = true }
      broadcaster.send(
        .warning("'\(jackClient.name)' has replaced another program as JACK's timebase source"))
    }
  }

  /// Whether this engine has replaced another program as the timebase source. JACK does not notify that program. Of
  /// two programs that compete for the timebase, one should use ``TransportRole/follow``.
  package var hasReplacedTimebase: Bool { core.withLock { $0.hasReplacedTimebase } }

  /// The state of the transport: JACK's; offline, and with ``TransportRole/local(_:loop:isPaused:)``, the engine's
  /// own.
  public var transport: Transport {
    if let own = renderer.localTransport.transport(at: core.withLock { $0.timelineFrame }) { return own }
    if let jackClient { return jackClient.transport }
    return core.withLock { $0.offlineTransport.transport }
  }

  /// Starts the transport, once all that follows it is ready. The transport is JACK's, for all its clients; with
  /// ``TransportRole/local(_:loop:isPaused:)``, it is the engine's own. Offline the transport rolls unless it is
  /// stopped.
  ///
  /// - Throws: ``EngineError/jack(_:)``.
  public func startTransport() throws(EngineError) {
    if locally({ if $0.localTransportState.isStopped { $0.locate(to: $0.timelineFrame, rolls: true) } }) {
      return
    }
    guard let jackClient else { return core.withLock { $0.askToRoll() } }
    try transportEdit { () throws(JackError) in try jackClient.startTransport() }
  }

  /// Stops the transport, and all that follows it.
  ///
  /// - Throws: ``EngineError/jack(_:)``.
  public func stopTransport() throws(EngineError) {
    if locally({ $0.stopLocalTransport() }) { return }
    guard let jackClient else { return core.withLock { $0.offlineTransport.isWanted = false } }
    try transportEdit { () throws(JackError) in try jackClient.stopTransport() }
  }

  /// Moves the transport to the first frame of a time. If the transport rolls, it continues there once all that
  /// follows it is ready.
  ///
  /// - Parameter time: the time; a time before the start is clamped to the start. JACK counts to 2³² − 1 frames,
  ///   about a day at 48 kHz; a later time is clamped to that.
  /// - Throws: ``EngineError/jack(_:)``.
  public func locateTransport(to time: MediaTime) throws(EngineError) {
    let frame = max(time.frames(at: sampleRate, rounding: .up), 0)
    if locally({ $0.locate(to: frame, rolls: !$0.localTransportState.isStopped) }) { return }
    guard let jackClient else {
      return core.withLock { core in
        core.offlineTransport.position = frame
        core.offlineTransport.isReady = false
      }
    }
    try transportEdit { () throws(JackError) in try jackClient.locateTransport(to: frame) }
  }

  /// Runs `body` if the engine has its own transport. Returns false if it follows another one.
  private func locally(_ body: (inout EngineCore) -> Void) -> Bool {
    core.withLock { core in
      guard case .local = core.role else { return false }
      body(&core)
      return true
    }
  }

  private func transportEdit(_ body: () throws(JackError) -> Void) throws(EngineError) {
    do throws(JackError) { try body() } catch { throw .jack(error) }
  }
}

extension EngineCore {
  /// Starts the offline transport at its present position. Players that played on while it faded are moved back to
  /// it.
  mutating func askToRoll() {
    guard !offlineTransport.isWanted else { return }
    offlineTransport.isWanted = true
    offlineTransport.isReady = false
  }

  /// Returns whether all that follows the transport is ready to roll from a frame. Players that are not ready start
  /// to move there.
  mutating func areReady(at frame: Int64) -> Bool {
    // Ask each player, so that all start to move at the same time.
    roster.streams.filter(\.player.stream.isFollowing).map { $0.player.isReady(at: Int(frame)) }
      .allSatisfy(\.self)
  }

  /// Reports readiness to JACK if JACK waits for the engine. Then lets the players that JACK does not wait for join
  /// the transport.
  mutating func reportReadiness(_ jackClient: JackClient?) {
    if let jackClient, role.followsJackTransport, let frame = jackClient.awaitedFrame,
      !isRunning || areReady(at: frame)
    {
      // A paused engine does not delay JACK; it joins the transport when it resumes.
      jackClient.becomeReady(at: frame)
    }
    rollWhenReady()
    guard client != nil else { return }
    // Half a second is usually enough to read from a disk; if not, joining is tried again.
    joinTransport(in: controller.renderer.sampleRate / 2)
  }

  /// Lets players that are not at the transport's position join it so many frames from now.
  mutating func joinTransport(in frames: Double = 0) {
    guard role != .own else { return }
    let due = controller.renderer.position.load(ordering: .acquiring) + Int64(frames)
    for (_, player) in roster.streams where player.stream.isFollowing { player.join(at: due) }
  }
}
