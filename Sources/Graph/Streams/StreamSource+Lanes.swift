// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletTimeline
internal import SwiftletSignal
internal import Synchronization

/// A source whose speed or pitch follows lanes: the filler reads those ahead of the sound, so each value is heard on
/// its frame, and what is heard at a frame of a song is known without having played what lies before.
extension StreamSource {
  /// What its speed, varispeed and pitch follow; nil for what stays.
  package struct Lanes: Equatable, Sendable {
    package var speed: Automation?, varispeed: Automation?, pitch: Automation?

    package init(speed: Automation? = nil, varispeed: Automation? = nil, pitch: Automation? = nil) {
      (self.speed, self.varispeed, self.pitch) = (speed, varispeed, pitch)
    }
  }

  /// The lanes that it follows; nil where nothing moves. Control thread.
  package var lanes: Lanes? {
    get { lanesHeld.withLock { $0 } }
    set {
      lanesHeld.withLock { $0 = newValue }
      let knobs: [(Knob, Bool)] = [
        (.speed, newValue?.speed != nil), (.varispeed, newValue?.varispeed != nil),
        (.pitch, newValue?.pitch != nil),
      ]
      led.store(knobs.reduce(0) { $0 | ($1.1 ? 1 << $1.0.rawValue : 0) }, ordering: .relaxed)
    }
  }

  /// Tells it where the engine is: the next frame, and that of the timeline. Control thread, again and again.
  package func keepTime(_ frame: Int64, timeline: Int64) {
    engineFrame.store(frame, ordering: .relaxed)
    engineShift.store(timeline &- frame, ordering: .relaxed)
  }

  /// Says when it is to begin, where another plays it: an absolute frame, as far as that is known. Control thread,
  /// while nobody reads it.
  package func aim(at frame: Int64) { playFrame.store(frame, ordering: .relaxed) }

  /// When it was said to begin.
  package var aim: Int64 { playFrame.load(ordering: .relaxed) }

  /// The timeline's frame less the ring's, at which what is written next is heard, as far as that is known: who
  /// stands still and follows no song is thought to begin when he is told to, or now.
  package var timelineShift: Int64 {
    let song = songShift.load(ordering: .relaxed)
    if isFollower.load(ordering: .relaxed), song != .min { return song }
    let own = playShift.load(ordering: .relaxed), shift = engineShift.load(ordering: .relaxed)
    if own != .min { return own &+ shift }
    let start = max(engineFrame.load(ordering: .relaxed), playFrame.load(ordering: .relaxed))
    return start &- Int64(ring.readPosition) &+ shift
  }

  /// The absolute frame less the ring's, while it is played; nil while it stands still. Any thread.
  package var shiftOfRing: Int64? {
    let shift = playShift.load(ordering: .relaxed)
    return shift == .min ? nil : shift
  }

  /// Whether the audio thread reads it. Any thread.
  package var isRead: Bool { holder.load(ordering: .acquiring) == Holder.audio }

  /// Whether it goes where a song goes. Any thread.
  package var isFollowing: Bool { isFollower.load(ordering: .relaxed) }

  /// Says how many frames of the file go by in each now, where no lane says so any more. The filler.
  package func settle(at advance: Double) { asked.store(advance.bitPattern, ordering: .relaxed) }
}
