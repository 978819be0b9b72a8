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
/// - A new player is stopped. `play(at:)` starts it, and resumes it after a pause.
/// - ``pause()`` and ``stop()`` are equivalent: both keep the position and the scheduled items.
/// - At the end ``isPlaying`` becomes false, and stays false until the player has something to play again.
/// - ``duration`` is nil for an item that loops for ever.
/// - A player that follows the transport is at the transport's position: a seek, and `play(at:)` with a time, throw
///   ``ScheduleError/followsTransport``. It plays while the transport rolls.
/// - On a detached player ``isPlaying`` is false, ``currentTime`` is 0, ``duration`` is nil, and functions that throw
///   throw ``EngineError/notAttached(_:)``.
///
/// Sound that is cut off fades over 5 ms; a ``MIDIPlayerNode`` releases its held notes instead. Every function may be
/// called from any thread or task. An ``AudioPlayer`` is not a node, but has one: ``AudioPlayer/player``.
public protocol Player: AudioNode {}

extension Player {
  /// Plays from the current position, or from the beginning if the end was reached.
  ///
  /// - Parameter time: the start time. With nil (the default) or a time in the past, the player starts at once. While
  ///   the player plays, the call has no effect. Players that start at the same frame stay aligned.
  /// - Throws: ``EngineError/notAttached(_:)``; ``ScheduleError/followsTransport`` for a time, and
  ///   ``ScheduleError/noTransport``, if the player follows the transport.
  public func play(at time: AudioTime? = nil) throws(EngineError) { try (self as AudioNode).play(at: time) }

  /// Plays from an instant of the machine's clock on.
  ///
  /// - Throws: ``ScheduleError/noClock``, and as `play(at:)`.
  public func play(at instant: ContinuousClock.Instant) throws(EngineError) {
    try (self as AudioNode).play(at: try frame(of: instant))
  }

  /// Stops playback, and keeps the position and the scheduled items. A player that follows the transport is silent
  /// while the transport goes on.
  public func pause() {
    clearEnginePause()
    engine.core.withLock { $0.lastRecord(of: id)?.player }?.pause()
  }

  /// Equivalent to ``pause()``: keeps the position and the scheduled items.
  public func stop() { pause() }

  /// Moves to a time in the current item, or in the next item if none plays. The time counts from the item's beginning
  /// across all its loops, at the item's own speed. A time before the beginning counts as the beginning, a time past
  /// the end as the end.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/file(_:)``; ``ScheduleError/nothingScheduled``;
  ///   ``ScheduleError/followsTransport`` if the player follows the transport: use
  ///   ``AudioEngine/locateTransport(to:)``.
  public func seek(to time: MediaTime) throws(EngineError) {
    try (self as AudioNode).seek(to: Int(time.frames(at: engine.sampleRate)))
  }

  /// Sets the number of passes and the repeated range of the item that ``seek(to:)`` acts on. The position in the sound
  /// stays, and passes are counted from now on; but those of a player that follows the transport from the start of the
  /// item. A ``MIDIPlayerNode`` that has ended returns to the start of its file.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``, ``EngineError/file(_:)``; ``ScheduleError/nothingScheduled``;
  ///   ``EngineError/schedule(node:_:)`` for a loop that is not possible, ``ScheduleError/loopsAsWhole`` among them.
  public func loop(_ loop: PlayerItem.Loop) throws(EngineError) {
    _ = try attachedPlayer()
    try setLoop(loop)
  }

  /// Whether the player has something to play, and plays it or waits for its start time.
  public var isPlaying: Bool { (self as AudioNode).isPlaying }

  /// The position in the item that ``seek(to:)`` acts on; 0 if there is no item.
  public var currentTime: MediaTime { MediaTime(frames: Int64(position), at: engine.sampleRate) }

  /// The length, with all loops, of the item that ``seek(to:)`` acts on; nil if it loops for ever or if there is no
  /// item.
  public var duration: MediaTime? {
    presentPlayer?.length.map { MediaTime(frames: Int64($0), at: engine.sampleRate) }
  }
}

/// Player functions for front ends, which find a node by its name.
extension AudioNode {
  /// Plays like `play(at:)` of ``Player``.
  ///
  /// - Throws: ``EngineError/notAPlayer(_:)``, and as ``Player``.
  package func play(at time: AudioTime? = nil) throws(EngineError) {
    let player = try attachedPlayer()
    if player.followsTransport {
      guard time == nil else { throw .schedule(node: name, .followsTransport) }
      guard engine.transportRole != .own else { throw .schedule(node: name, .noTransport) }
    }
    clearEnginePause()
    player.play(at: time?.frame(at: engine.sampleRate))
  }

  /// Moves to a frame, counted at the engine's rate.
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

  /// The number of underruns because the disk was too slow, and the number of frames that were silent.
  package var underruns: (count: Int, frames: Int) { presentPlayer?.underruns ?? (0, 0) }

  /// Clears the pause that the engine set on a route change or for another session.
  func clearEnginePause() { engine.core.withLock { $0.held.release(id) } }

  // Returns the player, so that its properties are read without the engine's lock: a player's own lock may be held while
  // a file is opened.
  fileprivate var presentPlayer: (any EnginePlayer)? { try? record { $0.player } }

  func attachedPlayer() throws(EngineError) -> any EnginePlayer {
    guard let player = try record({ $0.player }) else { throw .notAPlayer(name) }
    guard !player.isOver else { throw .notAttached(name) }
    return player
  }

  /// The engine's frame at an instant of the machine's clock.
  func frame(of instant: ContinuousClock.Instant) throws(EngineError) -> AudioTime {
    guard let jackClient = engine.jackClient else { throw .schedule(node: name, .noClock) }
    let clock = HostClock(frame: jackClient.currentFrame, sampleRate: engine.sampleRate)
    return AudioTime(frame: clock.frame(at: instant), sampleRate: engine.sampleRate, hostTime: instant)
  }
}
