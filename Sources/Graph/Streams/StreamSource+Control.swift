// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

extension StreamSource {
  /// Plays on from where it stands, or from the beginning once it has ended. Control thread.
  ///
  /// A call that meets the very end counts as one after it. So does a start at a frame to come, where the
  /// stream ends before that frame.
  /// - Parameter frame: the absolute frame of the stream to start at; nil or a passed one is at once.
  package func play(at frame: Int64? = nil) {
    // In this order: a place that was asked for after the end, and has been gone to, is no end any more.
    let goal = target.load(ordering: .acquiring)
    if goal < 0 || goal == .max, hasEnded { seek(to: 0) }
    playFrame.store(frame.map { min(max($0, -1 << 60), 1 << 60) } ?? -1 << 60, ordering: .relaxed)
    give(toPlay: true)
  }

  /// Fades out and stays where it is. Control thread.
  package func pause() { give(toPlay: false) }

  /// Gives the next order.
  private func give(toPlay: Bool) {
    let last = order.load(ordering: .relaxed)
    order.store((last | 1) + (toPlay ? 2 : 1), ordering: .releasing)
  }

  /// Fades out and goes back to the beginning. Control thread.
  package func stop() {
    pause()
    seek(to: 0)
  }

  /// Goes to a frame of the file, in the engine's rate; while playing, over a short fade. Control thread.
  ///
  /// The filler does it: what is heard next is what it has put into the ring by then.
  ///
  /// - Parameter frame: one before the beginning is the beginning, one past the end the end.
  package func seek(to frame: Int) { target.store(min(max(frame, 0), 1 << 60), ordering: .releasing) }

  /// Has it play only while the transport rolls, or whenever it is told to. Control thread.
  package func follow(_ isOn: Bool) { isFollower.store(isOn, ordering: .relaxed) }

  /// Brings a source that stands still to a frame of a song, also one that has ended; true once it is there. Control
  /// thread, again and again.
  ///
  /// Where it plays faster or slower, that is where its speed would have brought it from the beginning.
  package func isReady(at frame: Int) -> Bool {
    if target.load(ordering: .acquiring) >= 0 { return false }
    if isPlace(of: Int64(frame)), !hasEnded { return true }
    if hasEnded, order.load(ordering: .relaxed) & 1 == 1 { play() }
    seek(toSong: Int64(frame))
    return false
  }

  /// Goes to the place that belongs to a frame of the song. Control thread.
  private func seek(toSong frame: Int64) {
    target.store(Goal.song + Int(min(max(frame, 0), 1 << 60)), ordering: .releasing)
  }

  /// Has a follower that found itself elsewhere than the transport join it at an absolute frame; nothing where it
  /// did not. Control thread, again and again.
  package func join(at frame: Int64) {
    let lead = astray.load(ordering: .acquiring)
    guard lead != .min else { return }
    seek(toSong: frame &+ lead)
    playFrame.store(frame, ordering: .relaxed)
    astray.store(.min, ordering: .releasing)
  }

  /// Has the filler begin anew at the frame where it has stopped playing for that, unless it is to go elsewhere or
  /// has ended by then. Any thread.
  package func beginAnew() {
    _ = target.compareExchange(expected: -1, desired: .max, ordering: .acquiringAndReleasing)
  }

  /// Whether it is meant to play. False once the stream has ended. Any thread.
  package var isPlaying: Bool {
    let asked = order.load(ordering: .acquiring)
    return asked & 1 == 1 && asked != fulfilled.load(ordering: .acquiring)
  }

  /// Whether it has played to the end of the stream. Any thread.
  package var hasEnded: Bool { atEnd.load(ordering: .acquiring) }

  /// How far into the file it has played, in frames at the engine's rate; while the speed moves, to some
  /// hundredths of a second, and exactly again behind that. A loop goes on counting. Any thread.
  package var position: Int { place.load(ordering: .relaxed) }

  /// How often the ring ran dry, and how many frames of silence that made. Any thread.
  package var underruns: (count: Int, frames: Int) {
    (dry.load(ordering: .relaxed), missed.load(ordering: .relaxed))
  }
}

/// Where a follower is in its song. Control thread.
extension StreamSource {
  /// The engine's frame less the song's, while that rolls.
  package var offset: Int64? {
    let offset = songOffset.load(ordering: .relaxed)
    return offset == .min ? nil : offset
  }

  /// The next frame of the song, where it plays for one.
  package var songPosition: Int64? {
    let shift = songShift.load(ordering: .relaxed)
    return shift == .min ? nil : Int64(ring.readPosition) + shift
  }

  /// The song's frame less the ring's, where it plays for a song.
  package var songShiftOfRing: Int64? {
    let shift = songShift.load(ordering: .relaxed)
    return shift == .min ? nil : shift
  }

  /// How often it has begun elsewhere in its file, and where it did last.
  package var lastBeginning: (count: Int, frame: Int) {
    (beginnings.load(ordering: .acquiring), beginning.load(ordering: .relaxed))
  }

  /// How many frames of the file go by in each frame, about now: as it was where the speed was last told.
  package var heardPace: Double { Double(bitPattern: heard.load(ordering: .relaxed)) }

  /// How many frames of the file go by in each frame, as was asked for last.
  package var askedPace: Double { Double(bitPattern: asked.load(ordering: .relaxed)) }
}

/// What a filler needs: one thread at a time fills a source.
extension StreamSource {
  /// Whether it is to go elsewhere before it plays on.
  package var isSought: Bool { target.load(ordering: .acquiring) >= 0 }

  /// The frame of the file to go to, with the ring cleared for it; nil where there is none, or it is still playing.
  ///
  /// - Parameter placing: gives the place in the file that belongs to a frame of the song; that which the speed that
  ///   was asked for last would have brought it to, unless told otherwise.
  package func beginSeek(placing: ((Int64) -> Double)? = nil) -> Int? {
    let asked = target.load(ordering: .acquiring)
    guard asked >= 0 else { return nil }
    let taken = holder.compareExchange(
      expected: Holder.nobody, desired: Holder.filler, ordering: .acquiringAndReleasing)
    guard taken.exchanged else { return nil }
    if asked == .max, hasEnded {
      // There is nothing left to begin anew.
      holder.store(Holder.nobody, ordering: .releasing)
      _ = target.compareExchange(expected: .max, desired: -1, ordering: .acquiringAndReleasing)
      return nil
    }
    sought.store(asked, ordering: .relaxed)
    let shift = songShift.load(ordering: .relaxed), here = Int64(ring.readPosition)
    // What begins anew goes on with the song's next frame, if it was with the song.
    let song: Int64? =
      if asked == .max { shift == .min ? nil : here + shift } else if asked >= Goal.song {
        Int64(asked - Goal.song)
      } else { nil }
    let frame: Int
    if let song, asked != .max || placing != nil {
      let pace = Double(bitPattern: self.asked.load(ordering: .relaxed))
      frame = Int(min(max(placing?(song) ?? Double(song) * pace, 0), 0x1p60).rounded())
    } else {
      frame = asked == .max ? place.load(ordering: .relaxed) : asked
    }
    ring.skip(ring.readable)
    begin(at: frame)
    songShift.store(song.map { $0 - Int64(ring.readPosition) } ?? .min, ordering: .relaxed)
    end.store(.max, ordering: .relaxed)
    atEnd.store(false, ordering: .relaxed)
    return frame
  }

  /// Gives the ring, with the first frames from there in it, back to the audio thread.
  package func endSeek(from frame: Int) {
    holder.store(Holder.nobody, ordering: .releasing)
    // A target set in the meantime stays, and is gone to next.
    for asked in [sought.load(ordering: .relaxed), .max] {
      _ = target.compareExchange(expected: asked, desired: -1, ordering: .acquiringAndReleasing)
    }
  }

  /// Says that no frame follows those in the ring.
  package func markEnd() { end.store(ring.writePosition, ordering: .releasing) }

  /// Whether the filler has said where the stream ends.
  package var isMarked: Bool { end.load(ordering: .acquiring) != .max }
}
