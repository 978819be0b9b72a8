// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

/// A node that plays by commands: a ``PlayerNode`` or a ``MIDIPlayerNode``.
///
/// ```swift
/// func toggle(_ player: some Player) throws {
///   if player.isPlaying { player.pause() } else { try player.play() }
/// }
/// ```
///
/// The same rules hold for both kinds:
///
/// - A new player stands still. `play(at:)` starts it, and also goes on after a pause.
/// - ``pause()`` and ``stop()`` are the same: the position and what is scheduled stay.
/// - At the end ``isPlaying`` becomes false, and stays false until the player has something to play again.
/// - ``duration`` is nil for what loops for ever.
/// - A player that follows the transport has the transport's position: a seek, and `play(at:)` with a time, throw
///   ``ScheduleError/followsTransport``. It plays while the transport rolls.
/// - On a detached player ``isPlaying`` is false, ``currentTime`` is 0, ``duration`` is nil, and functions that throw
///   throw ``EngineError/notAttached(_:)``.
///
/// Sound fades over 5 ms where it is cut off; a player of a MIDI file releases its held notes instead. Every function
/// may be called from any thread or task. An ``AudioPlayer`` is not a node, but has one: ``AudioPlayer/player``.
public protocol Player: AudioNode {}

extension Player {
  /// Plays from the current position, or from the beginning if all was played.
  ///
  /// - Parameter time: the moment; default, and for a moment that has passed: at once. While the player plays, it
  ///   changes nothing. Players that start on one frame stay together.
  /// - Throws: ``EngineError/notAttached(_:)``; ``ScheduleError/followsTransport`` for a time, and
  ///   ``ScheduleError/noTransport``, if the player follows the transport.
  public func play(at time: AudioTime? = nil) throws(EngineError) { try (self as AudioNode).play(at: time) }

  /// Plays from a moment of the machine's clock on.
  ///
  /// - Throws: ``ScheduleError/noClock``, and as `play(at:)`.
  public func play(at instant: ContinuousClock.Instant) throws(EngineError) {
    try (self as AudioNode).play(at: try frame(of: instant))
  }

  /// Falls silent and stands still. The position and what is scheduled stay. A player that follows the transport is
  /// silent while the transport goes on.
  public func pause() {
    releaseHold()
    engine.core.withLock { $0.lastRecord(of: id)?.player }?.pause()
  }

  /// As ``pause()``: the position and what is scheduled stay.
  public func stop() { pause() }

  /// Moves to a time of what plays, or of what plays next, counted from its beginning through all its loops at its own
  /// speed. A time before the beginning counts as the beginning, one past the end as the end.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/file(_:)``; ``ScheduleError/nothingScheduled``;
  ///   ``ScheduleError/followsTransport`` if the player follows the transport: use
  ///   ``AudioEngine/locateTransport(to:)``.
  public func seek(to time: MediaTime) throws(EngineError) {
    try (self as AudioNode).seek(to: Int(time.frames(at: engine.sampleRate)))
  }

  /// Sets how often that plays which ``seek(to:)`` would move in, and which range of it repeats. The position in the
  /// sound stays, and passes are counted from now on.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/file(_:)``; ``ScheduleError/nothingScheduled``;
  ///   ``EngineError/schedule(node:_:)`` for a loop that is not possible, ``ScheduleError/loopsAsWhole`` among them.
  public func loop(_ loop: PlayerItem.Loop) throws(EngineError) {
    _ = try attachedPlayer()
    try setLoop(loop)
  }

  /// Whether the player plays, or waits for the time that it was told, and has something to play.
  public var isPlaying: Bool { (self as AudioNode).isPlaying }

  /// The position that ``seek(to:)`` moves; 0 if there is nothing to move in.
  public var currentTime: MediaTime { MediaTime(frames: Int64(position), at: engine.sampleRate) }

  /// The length, with all loops, of what ``currentTime`` is the position in; nil if that loops for ever, and if there
  /// is nothing.
  public var duration: MediaTime? {
    presentPlayer?.length.map { MediaTime(frames: Int64($0), at: engine.sampleRate) }
  }
}

/// The players of tools, which know a node by its name.
extension AudioNode {
  /// Plays as ``Player`` says.
  ///
  /// - Throws: ``EngineError/notAPlayer(_:)``, and as ``Player``.
  package func play(at time: AudioTime? = nil) throws(EngineError) {
    let player = try attachedPlayer()
    if player.followsTransport {
      guard time == nil else { throw .schedule(node: name, .followsTransport) }
      guard engine.transportRole != .own else { throw .schedule(node: name, .noTransport) }
    }
    releaseHold()
    player.play(at: time?.frame(at: engine.sampleRate))
  }

  /// Goes to a frame, counted at the engine's rate.
  ///
  /// - Throws: ``EngineError/notAPlayer(_:)``, and as ``Player/seek(to:)``.
  package func seek(to frame: Int) throws(EngineError) {
    let player = try attachedPlayer()
    guard !player.followsTransport else { throw .schedule(node: name, .followsTransport) }
    try player.seek(to: frame, name)
  }

  /// Whether the node plays; false for nodes that are not players.
  package var isPlaying: Bool { presentPlayer?.isPlaying ?? false }

  /// The position in frames at the engine's rate; 0 for nodes that are not players.
  package var position: Int { presentPlayer?.position ?? 0 }

  /// How often the disk was too slow for the player, and how many frames that made silent.
  package var underruns: (count: Int, frames: Int) { presentPlayer?.underruns ?? (0, 0) }

  /// Clears the pause that the engine set on a route change or for another session.
  func releaseHold() { engine.core.withLock { $0.held.release(id) } }

  // A schedule may be opening a file under its lock: it is asked outside of the engine's.
  fileprivate var presentPlayer: (any EnginePlayer)? { try? record { $0.player } }

  func attachedPlayer() throws(EngineError) -> any EnginePlayer {
    guard let player = try record({ $0.player }) else { throw .notAPlayer(name) }
    guard !player.isOver else { throw .notAttached(name) }
    return player
  }

  /// The engine's frame at a moment of the machine's clock.
  func frame(of instant: ContinuousClock.Instant) throws(EngineError) -> AudioTime {
    guard let studio = engine.studio else { throw .schedule(node: name, .noClock) }
    let clock = HostClock(frame: studio.currentFrame, sampleRate: engine.sampleRate)
    return AudioTime(frame: clock.frame(at: instant), sampleRate: engine.sampleRate, hostTime: instant)
  }
}
