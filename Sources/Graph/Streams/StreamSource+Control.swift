// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

extension StreamSource {
  /// Goes to a frame of the file, in the engine's rate; while playing, over a short fade. Control thread.
  ///
  /// The filler does it: what is heard next is what it has put into the ring by then.
  ///
  /// - Parameter frame: one before the beginning is the beginning, one past the end the end.
  package func seek(to frame: Int) { handover.seek(to: .frame(StreamGoal.possible(Int64(frame)))) }

  /// The range of the song that plays again and again: its filler reads the sound in that order. Control thread.
  package var loop: TimelineLoop? { control.withLock(\.loop) }

  /// When it is to begin, as far as that is known: an absolute frame; nil is at once. Control thread.
  package var aim: Int64? {
    get { control.withLock(\.aim) }
    set { control.withLock { $0.aim = newValue.map(StreamGoal.reachable) } }
  }

  /// The lanes that it follows; nil where nothing moves. Control thread.
  package var lanes: Lanes? {
    get { control.withLock(\.lanes) }
    set {
      let knobs: [(Knob, Bool)] = [
        (.speed, newValue?.speed != nil), (.varispeed, newValue?.varispeed != nil),
        (.pitch, newValue?.pitch != nil),
      ]
      control.withLock { $0.lanes = newValue }
      laneBits.store(knobs.reduce(0) { $0 | ($1.1 ? 1 << $1.0.rawValue : 0) }, ordering: .relaxed)
    }
  }

  /// Tells it where the engine is: the next frame, and that of the timeline. Control thread, again and again.
  package func keepTime(_ frame: Int64, timeline: Int64) {
    control.withLock { ($0.engineFrame, $0.engineShift) = (frame, timeline &- frame) }
  }
}

/// The status of a source, for any thread but the audio thread.
extension StreamSource {
  /// Whether it has been played to the end of the stream.
  package var hasEnded: Bool {
    // In this order: a status is never of a later filling than the one that is read next.
    let status = statuses.latest()
    return status.hasEnded && status.filling == fillings.latest().number
  }

  /// Whether its player is to play it, or plays it.
  package var isAwaited: Bool { isRead || control.withLock(\.plays) && !hasEnded }

  /// How far into the file it has played, in frames at the engine's rate; while the speed moves, to some
  /// hundredths of a second, and exactly again behind that. A loop goes on counting.
  package var position: Int {
    let status = statuses.latest(), filling = fillings.latest()
    return status.filling == filling.number ? status.position : filling.frame
  }

  /// How often the ring ran dry, and how many frames of silence that made.
  package var underruns: (count: Int, frames: Int) {
    let status = statuses.latest()
    return (status.underruns, status.missedFrames)
  }

  /// The next frame of the song, where it plays for one.
  package var songPosition: Int64? { songShiftOfRing.map { Int64(ring.readPosition) + $0 } }

  /// The song's frame less the ring's, where it plays for a song.
  package var songShiftOfRing: Int64? {
    let status = statuses.latest(), filling = fillings.latest()
    return status.songlessFilling == filling.number ? nil : filling.songShift
  }

  /// The absolute frame less the ring's, while it is played; nil while it stands still.
  package var shiftOfRing: Int64? { statuses.latest().ringShift }

  /// How often it has begun elsewhere in its file, and where it did last.
  package var lastBeginning: (count: Int, frame: Int) {
    let filling = fillings.latest()
    return (filling.number, filling.frame)
  }

  /// How many frames of the file go by in each frame, about now: as it was where the speed was last told.
  package var heardPace: Double { statuses.latest().pace }

  /// How many frames of the file go by in each frame, as was asked for last.
  package var askedPace: Double { Double(bitPattern: asked.load(ordering: .relaxed)) }

  /// Whether the audio thread reads it.
  package var isRead: Bool { handover.isRead }

  /// Whether it goes where a song goes.
  package var isFollowing: Bool { control.withLock(\.isFollowing) }
}
