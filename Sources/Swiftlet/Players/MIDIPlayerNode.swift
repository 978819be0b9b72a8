// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

/// A player of a Standard MIDI File: each message is sent on its frame.
///
/// ```swift
/// let keys = try engine.attachMIDIPlayer("song.mid", loop: .forever)
/// try engine.connect(keys, synth)
/// keys.rate = 0.8
/// keys.mutedChannels = [9]
/// ```
///
/// The player plays as soon as the engine runs, unless it was paused before. It releases its held notes when it
/// pauses or seeks. When it starts in the middle of the file, it first sends the programs, controllers and pitch
/// bends that apply there. If the engine's timeline follows the transport, so does the player. All functions may be
/// called from any thread or task.
public final class MIDIPlayerNode: AudioNode, @unchecked Sendable {
  override class var handle: Maker { { MIDIPlayerNode(name: $0, id: $1, engine: $2) } }

  /// Plays from the current position, or from the beginning once the file has ended.
  ///
  /// - Parameter time: the start time, if the player is paused; default, and for a time that has passed: at once.
  /// - Throws: ``EngineError/notAttached(_:)``; ``ScheduleError/followsTransport`` for a time, if the player follows
  ///   the transport.
  public override func play(at time: AudioTime? = nil) throws(EngineError) {
    if time != nil { try refuseFollower(attachedScore()) }
    try super.play(at: time)
  }

  /// Releases all held notes and pauses.
  public func pause() {
    releaseHold()
    score?.pause()
  }

  /// As ``pause()``: the position stays.
  public func stop() { pause() }

  /// Moves to a time of the file, counted through all its loops at the file's own tempo. A time before the beginning
  /// counts as the beginning, one past the end as the end.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``; ``ScheduleError/followsTransport`` if the player follows the transport:
  ///   use ``AudioEngine/locateTransport(to:)``.
  public func seek(to time: MediaTime) throws(EngineError) {
    let score = try attachedScore()
    try refuseFollower(score)
    score.seek(to: time.frames(at: engine.sampleRate))
  }

  /// Whether the player plays; false while it is paused and once the file has ended.
  public override var isPlaying: Bool { score?.isPlaying ?? false }

  /// The position in the file, counted as ``seek(to:)`` counts it.
  public var currentTime: MediaTime { MediaTime(frames: score?.position ?? 0, at: engine.sampleRate) }

  /// The length of all loops at the file's own tempo; nil if the file loops for ever.
  public var duration: MediaTime? { score?.wholeLength.map { MediaTime(frames: $0, at: engine.sampleRate) } }

  /// The tempo as a factor of the file's own, from 0.25 to 4; default: 1. A value outside is clamped and reported as
  /// ``EngineEvent/clamped(node:parameter:asked:used:)``; one that is not a number changes nothing and is reported as
  /// ``EngineEvent/notANumber(node:parameter:)``.
  public var rate: Double {
    get { score?.rate ?? 1 }
    set {
      guard !newValue.isNaN else { return engine.hub.send(.notANumber(node: name, parameter: "rate")) }
      score?.rate = newValue
      guard let used = score?.rate else { return }
      engine.hub.reportClamped("rate", of: name, from: Float(newValue), to: Float(used))
    }
  }

  /// The MIDI channels whose notes are not sent, from 0 to 15; default: none. Notes that sound on them are released.
  /// Other numbers are ignored.
  public var mutedChannels: Set<Int> {
    get { Set((0..<16).filter { (score?.mutes ?? 0) >> UInt16($0) & 1 != 0 }) }
    set { score?.mutes = newValue.reduce(0) { 0..<16 ~= $1 ? $0 | 1 << UInt16($1) : $0 } }
  }

  /// The source, also of a node that is detached and may come back.
  private var score: EventSource? { engine.core.withLock { $0.lastRecord(of: id)?.score } }

  private func attachedScore() throws(EngineError) -> EventSource {
    guard let score = try record({ $0.score }) else { throw .notAttached(name) }
    return score
  }

  private func refuseFollower(_ score: EventSource) throws(EngineError) {
    guard score.isFollowing else { return }
    throw .schedule(node: name, .followsTransport)
  }
}
