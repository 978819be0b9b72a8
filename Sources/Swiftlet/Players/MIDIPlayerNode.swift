// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import Synchronization

/// A player of a Standard MIDI File: each message is sent on its frame.
///
/// ```swift
/// let keys = try engine.attachMIDIPlayer("song.mid", loop: .forever)
/// try engine.connect(keys, synth)
/// try keys.play()
/// keys.rate = 0.8
/// keys.mutedChannels = [9]
/// ```
///
/// ``Player`` has the commands. The player releases its held notes when it pauses, seeks or ends. When it starts in
/// the middle of the file, it first sends the programs, controllers and pitch bends that apply there. The position
/// counts at the file's own tempo. At its end it stays until the next `play`, which begins anew. The player follows
/// the transport if the engine's timeline does: see ``AudioEngine/setTransportRole(_:)``.
///
/// Any thread may use it but the audio thread.
public final class MIDIPlayerNode: AudioNode, Player, @unchecked Sendable {
  override class var handle: Maker { { MIDIPlayerNode(name: $0, id: $1, engine: $2) } }

  /// The tempo as a factor of the file's own, from 0.25 to 4; default: 1. A value outside is clamped and reported as
  /// ``EngineEvent/clamped(node:parameter:asked:used:)``; one that is not a number changes nothing and is reported as
  /// ``EngineEvent/notANumber(node:parameter:)``.
  public var rate: Double {
    get { score?.rate ?? 1 }
    set {
      guard !newValue.isNaN else {
        return engine.broadcaster.send(.notANumber(node: name, parameter: "rate"))
      }
      score?.rate = newValue
      guard let used = score?.rate else { return }
      engine.broadcaster.reportClamped("rate", of: name, from: Float(newValue), to: Float(used))
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

  override func setLoop(_ loop: PlayerItem.Loop) throws(EngineError) {
    guard loop.points == .whole, loop.crossfade == .zero else { throw .schedule(node: name, .loopsAsWhole) }
    do throws(ScheduleError) { try loop.times.check() } catch { throw .schedule(node: name, error) }
    score?.loop(loop.times.count)
  }
}
