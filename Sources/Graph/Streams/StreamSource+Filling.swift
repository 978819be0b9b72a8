// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// How a filler fills a source: one thread at a time.
extension StreamSource {
  /// What speed, varispeed and pitch of a source follow; nil for what stays. The filler reads lanes ahead of the sound,
  /// so each value is heard on its frame, and what is heard at a frame of a song is known without having played what
  /// lies before.
  package struct Lanes: Equatable, Sendable {
    package var speed: Automation?, varispeed: Automation?, pitch: Automation?
    /// The range of the timeline that plays again and again.
    package var loop: TimelineLoop?

    package init(
      speed: Automation? = nil, varispeed: Automation? = nil, pitch: Automation? = nil,
      loop: TimelineLoop? = nil
    ) {
      (self.speed, self.varispeed, self.pitch, self.loop) = (speed, varispeed, pitch, loop)
    }
  }

  /// A goal that the filler is going to, with the ring in hand.
  package struct Seek {
    /// The frame of the file.
    package let frame: Int
    fileprivate let goal: StreamGoal
  }

  /// Whether it is to go elsewhere before it plays on.
  package var isSought: Bool { !handover.goal.isStay }

  /// Has the filler begin anew at the frame where it has stopped playing for that, unless it is to go elsewhere or
  /// has ended by then. Any thread.
  package func beginAnew() { handover.seekUnlessSought(to: .here) }

  /// The goal to go to, with the ring cleared for it; nil where there is none, or it is still playing.
  ///
  /// - Parameter placing: gives the place in the file that belongs to a frame of the song; that which the speed that
  ///   was asked for last would have brought it to, unless told otherwise.
  package func beginSeek(placing: ((Int64) -> Double)? = nil) -> Seek? {
    guard let goal = handover.takeForFiller() else { return nil }
    if goal.isHere, hasEnded {
      // There is nothing left to begin anew.
      handover.giveBack(at: goal)
      return nil
    }
    var frame = position, song: Int64?
    switch goal {
    case .frame(let asked): frame = asked
    case .song(let asked): song = Int64(asked)
    // It goes on with the song's next frame, if it was with the song.
    case .here, .stay: song = songPosition
    }
    if let song, !goal.isHere || placing != nil {
      frame = Int(min(max(placing?(song) ?? Double(song) * askedPace, 0), 0x1p60).rounded())
    }
    ring.skip(ring.readable)
    begin(at: frame, songShift: song.map { $0 - Int64(ring.readPosition) })
    handover.mark(end: nil)
    return Seek(frame: frame, goal: goal)
  }

  /// Gives the ring, with the first frames from there in it, back to the audio thread. A goal that was set in the
  /// meantime stays, and is gone to next.
  package func endSeek(from seek: Seek) { handover.giveBack(at: seek.goal) }

  /// Says which frame of the sound the first in the ring is. Before anybody reads.
  package func begin(at frame: Int) { begin(at: frame, songShift: fillings.latest().songShift) }

  private func begin(at frame: Int, songShift: Int64?) {
    while marks.pop() != nil {}
    let number = fillings.version() + 1, here = ring.readPosition
    fillings.publish(
      StreamFilling(number: number, frame: frame, ringFrame: here, songShift: songShift))
  }

  /// Says where in the file the next frame to be written is taken from, and how many go by in each from there on.
  ///
  /// - Returns: false where there is no room to say so yet.
  package func setMark(_ place: Double, advance: Double) -> Bool {
    marks.push(Mark(frame: ring.writePosition, place: place, advance: advance))
  }

  /// Says that no frame follows those in the ring.
  package func markEnd() { handover.mark(end: ring.writePosition) }

  /// Whether the filler has said where the stream ends.
  package var isMarked: Bool { handover.end != nil }

  /// The timeline's frame less the ring's, at which what is written next is heard, as far as that is known: a source
  /// that stands still and follows no song is thought to begin when it is told to, or now.
  package var timelineShift: Int64 {
    let control = control.withLock { $0 }
    if control.isFollowing, let song = songShiftOfRing { return song }
    if let shiftOfRing { return shiftOfRing &+ control.engineShift }
    let start = max(control.engineFrame, control.aim ?? .min)
    return start &- Int64(ring.readPosition) &+ control.engineShift
  }

  /// Says how many frames of the file go by in each now, where no lane says so any more.
  package func settle(at advance: Double) { asked.store(advance.bitPattern, ordering: .relaxed) }
}
