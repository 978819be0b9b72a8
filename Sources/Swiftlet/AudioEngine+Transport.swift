// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletJack
public import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// The transport that the timeline follows; default: ``TransportRole/own``.
  public var transportRole: TransportRole { core.withLock { $0.role } }

  /// Sets the transport that the timeline follows. Tracks and lanes follow it: a track that loops plays all its
  /// loops, and a track at another speed is where that speed would have brought it from the beginning. A player of a
  /// MIDI file releases its notes where the transport stops or jumps, and restores the programs and controllers that
  /// apply at the new position. A ``PlayerNode`` and an ``AudioPlayer`` have their own time unless they were made to
  /// follow the transport.
  ///
  /// A transport that rolls already is joined within a second.
  ///
  /// - Throws: ``EngineError/jack(_:)``; ``EngineError/timelineLoop(_:)``.
  public func setTransportRole(_ role: TransportRole) throws(EngineError) {
    try role.check()
    do throws(EngineError) { try tellStudio(of: role) } catch {
      try? tellStudio(of: transportRole)
      throw error
    }
    core.withLock { $0.follow(role) }
    renderer.followsTransport.store(role.followsStudio, ordering: .relaxed)
  }

  /// Has plugins see bars, beats and tempo of the timeline, as long as that has its own time.
  package func showTempo(_ tempo: TempoMap) {
    guard transportRole == .own else { return }
    renderer.localTransport.show(tempo, sampleRate: sampleRate)
  }

  /// Tells the studio whether to wait for us, and of bars, beats and tempo.
  func tellStudio(of role: TransportRole) throws(EngineError) {
    guard let studio else { return }
    try transportEdit { () throws(JackError) in
      try studio.setFollowing(role.followsStudio)
      guard try studio.lead(role.followsStudio ? role.tempo : nil) == .tookOver else { return }
      core.withLock { $0.hasTakenTransport = true }
      hub.send(.warning("another program led the transport; now '\(studio.name)' does"))
    }
  }

  /// Whether another program led the transport until this engine took that over. Who led before is not told of it by
  /// JACK; of two that should not both lead, one is better off with `.follow`.
  package var hasTakenTransport: Bool { core.withLock { $0.hasTakenTransport } }

  /// The state of the transport: JACK's; offline, and with ``TransportRole/local(_:loop:isPaused:)``, the engine's
  /// own.
  public var transport: Transport {
    if let own = renderer.localTransport.transport(at: core.withLock { $0.timelineFrame }) { return own }
    if let studio { return studio.transport }
    return core.withLock { $0.song.transport }
  }

  /// Starts the transport: JACK's, for all its clients, or, with ``TransportRole/local(_:loop:isPaused:)``, the
  /// engine's own, once all that follows it is ready. Offline the transport rolls unless it is stopped.
  ///
  /// - Throws: ``EngineError/jack(_:)``.
  public func startTransport() throws(EngineError) {
    if locally({ if $0.localSong.isStopped { $0.locate(to: $0.timelineFrame, rolls: true) } }) { return }
    guard let studio else { return core.withLock { $0.askToRoll() } }
    try transportEdit { () throws(JackError) in try studio.startTransport() }
  }

  /// Stops the transport, and all that follows it.
  public func stopTransport() throws(EngineError) {
    if locally({ $0.stopLocalSong() }) { return }
    guard let studio else { return core.withLock { $0.song.isWanted = false } }
    try transportEdit { () throws(JackError) in try studio.stopTransport() }
  }

  /// Moves the transport to the first frame of a time. If it rolls, it goes on from there once all that follows it is
  /// ready.
  ///
  /// - Parameter time: a time before the start counts as the start. JACK counts to 2³² − 1 frames, a day at 48 kHz; a later time
  ///   counts as that one.
  public func locateTransport(to time: MediaTime) throws(EngineError) {
    let frame = max(time.frames(at: sampleRate, rounding: .up), 0)
    if locally({ $0.locate(to: frame, rolls: !$0.localSong.isStopped) }) { return }
    guard let studio else {
      return core.withLock { core in
        core.song.position = frame
        core.song.isReady = false
      }
    }
    try transportEdit { () throws(JackError) in try studio.locateTransport(to: frame) }
  }

  /// Does something with the engine's own transport; false where it follows another one.
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
  /// The song rolls again, from where it is: what played on while it faded goes back.
  mutating func askToRoll() {
    guard !song.isWanted else { return }
    song.isWanted = true
    song.isReady = false
  }

  /// Whether all that follows the transport is ready to roll from a frame; what is not goes there.
  mutating func areReady(at frame: Int64) -> Bool {
    // Each is asked, so that all are on their way at once.
    roster.streams.filter(\.player.stream.isFollowing).map { $0.player.isReady(at: Int(frame)) }
      .allSatisfy(\.self)
  }

  /// Answers the studio, if it waits for us, and has those join it that it does not wait for.
  mutating func answer(_ studio: JackClient?) {
    if let studio, role.followsStudio, let frame = studio.awaitedFrame, !isRunning || areReady(at: frame) {
      // Who is paused holds up nobody, and joins when it goes on.
      studio.becomeReady(at: frame)
    }
    rollWhenReady()
    guard client != nil else { return }
    // Half a second is more than a disk takes; where it takes longer it is tried again.
    joinSong(in: host.renderer.sampleRate / 2)
  }

  /// Has those who found themselves elsewhere than the song join it so many frames from now.
  mutating func joinSong(in frames: Double = 0) {
    guard role != .own else { return }
    let due = host.renderer.position.load(ordering: .acquiring) + Int64(frames)
    for (_, player) in roster.streams where player.stream.isFollowing { player.join(at: due) }
  }
}
