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
  public func play(at frame: Int64? = nil) {
    // In this order: a place that was asked for after the end, and has been gone to, is no end any more.
    if target.load(ordering: .acquiring) < 0, hasEnded { seek(to: 0) }
    playFrame.store(frame.map { min(max($0, -1 << 60), 1 << 60) } ?? -1 << 60, ordering: .relaxed)
    give(toPlay: true)
  }

  /// Fades out and stays where it is. Control thread.
  public func pause() { give(toPlay: false) }

  /// Gives the next order.
  private func give(toPlay: Bool) {
    let last = order.load(ordering: .relaxed)
    order.store((last | 1) + (toPlay ? 2 : 1), ordering: .releasing)
  }

  /// Fades out and goes back to the beginning. Control thread.
  public func stop() {
    pause()
    seek(to: 0)
  }

  /// Goes to a frame of the file, in the engine's rate; while playing, over a short fade. Control thread.
  ///
  /// The filler does it: what is heard next is what it has put into the ring by then.
  ///
  /// - Parameter frame: one before the beginning is the beginning, one past the end the end.
  public func seek(to frame: Int) { target.store(min(max(frame, 0), 1 << 60), ordering: .releasing) }

  /// Has it play only while the transport rolls, or whenever it is told to. Control thread.
  package func follow(_ isOn: Bool) { isFollower.store(isOn, ordering: .relaxed) }

  /// Brings a source that stands still to a frame, also one that has ended; true once it is there. Control thread,
  /// again and again.
  package func isReady(at frame: Int) -> Bool {
    if target.load(ordering: .acquiring) >= 0 { return false }
    if place.load(ordering: .relaxed) == frame, !hasEnded { return true }
    if hasEnded { play() }
    seek(to: frame)
    return false
  }

  /// Has the filler begin anew at the frame that is playing, unless it is to go elsewhere. Any thread.
  package func beginAnew() {
    _ = target.compareExchange(
      expected: -1, desired: place.load(ordering: .relaxed), ordering: .acquiringAndReleasing)
  }

  /// Whether it is meant to play. False once the stream has ended. Any thread.
  public var isPlaying: Bool {
    let asked = order.load(ordering: .acquiring)
    return asked & 1 == 1 && asked != fulfilled.load(ordering: .acquiring)
  }

  /// Whether it has played to the end of the stream. Any thread.
  public var hasEnded: Bool { atEnd.load(ordering: .acquiring) }

  /// How far into the file it has played, in frames at the engine's rate; while the speed moves, to some
  /// hundredths of a second. A loop goes on counting. Any thread.
  public var position: Int { place.load(ordering: .relaxed) }

  /// How often the ring ran dry, and how many frames of silence that made. Any thread.
  public var underruns: (count: Int, frames: Int) {
    (dry.load(ordering: .relaxed), missed.load(ordering: .relaxed))
  }
}

/// What a filler needs: one thread at a time fills a source.
extension StreamSource {
  /// Whether it is to go elsewhere before it plays on.
  package var isSought: Bool { target.load(ordering: .acquiring) >= 0 }

  /// The frame to go to, with the ring cleared for it; nil where there is none, or it is still playing.
  package func beginSeek() -> Int? {
    let frame = target.load(ordering: .acquiring)
    guard frame >= 0 else { return nil }
    let taken = holder.compareExchange(
      expected: Holder.nobody, desired: Holder.filler, ordering: .acquiringAndReleasing)
    guard taken.exchanged else { return nil }
    ring.skip(ring.readable)
    place.store(frame, ordering: .relaxed)
    end.store(.max, ordering: .relaxed)
    atEnd.store(false, ordering: .relaxed)
    return frame
  }

  /// Gives the ring, with the first frames from there in it, back to the audio thread.
  package func endSeek(from frame: Int) {
    holder.store(Holder.nobody, ordering: .releasing)
    // A target set in the meantime stays, and is gone to next.
    _ = target.compareExchange(expected: frame, desired: -1, ordering: .acquiringAndReleasing)
  }

  /// Says that no frame follows those in the ring.
  package func markEnd() { end.store(ring.writePosition, ordering: .releasing) }

  /// Whether the filler has said where the stream ends.
  package var isMarked: Bool { end.load(ordering: .acquiring) != .max }
}
