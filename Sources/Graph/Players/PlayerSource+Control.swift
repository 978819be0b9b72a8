// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// The control thread's half. One thread at a time hands clips over and collects notes; any may play and pause.
extension PlayerSource {
  /// Runs from now on, or from an absolute frame. A player that runs already, or waits for a frame, takes the
  /// new frame where it has not begun.
  package func play(at frame: Int64? = nil) { orders.give { $0.play(at: frame) } }

  /// Fades out over 5 ms and stands still.
  package func pause() { orders.give { $0.pause() } }

  /// Fades out over 5 ms, drops all clips, and goes back to the beginning of its own time.
  package func stop() {
    orders.give { order in
      order.pause()
      order.run += 1
    }
  }

  /// Whether it is meant to run.
  package var isAskedToPlay: Bool { orders.latest.plays }

  /// The absolute frame that it was told to run from; nil for at once.
  package var plannedStart: Int64? { orders.latest.start }

  /// Whether the transport had a tempo in the last block.
  package var knowsBeats: Bool { statuses.latest().hasTempo }

  /// For how many frames it has run since it was made or stopped.
  package var ownTime: Int64 { statuses.latest().time }

  /// What to take from an absolute frame to get the player's own time; nil while it stands still.
  package var ownTimeOffset: Int64? { statuses.latest().timeOffset }

  /// How often a ring ran dry, and how many frames of silence that made. Any thread.
  package var underruns: (count: Int, frames: Int) {
    let status = statuses.latest()
    return (status.underruns, status.missedFrames)
  }

  /// Hands a clip over with the source that plays it, which has as many channels as the player and is filled.
  ///
  /// - Returns: false where the audio thread has not taken earlier ones yet.
  package func hand(over clip: Clip, _ source: StreamSource) -> Bool {
    var clip = clip
    clip.start = clip.start.clamped
    clip.run = orders.latest.run
    unsafe clip.source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    shelf.put(source, as: clip.number)
    guard clips.push(clip) else {
      _ = shelf.take(clip.number)
      return false
    }
    return true
  }

  /// Whether the audio thread has room for another clip.
  package var hasRoom: Bool { clips.count() < room }

  /// Whether the audio thread has taken a clip. Numbers are handed over in order.
  package func hasTaken(_ clip: Int) -> Bool {
    guard let last = statuses.latest().lastTaken else { return false }
    return clip <= last
  }

  /// What the audio thread has told since the last call. The sources of clips that have ended are let go, to
  /// whoever calls.
  package func collect() -> [(note: ClipNote, source: StreamSource?)] {
    var found: [(note: ClipNote, source: StreamSource?)] = []
    while let note = notes.pop() {
      if case .ended = note.kind {
        found.append((note, shelf.take(note.clip)))
      } else {
        found.append((note, nil))
      }
    }
    return found
  }

  /// The source of a clip that has not ended.
  package func source(of clip: Int) -> StreamSource? { shelf[clip] }
}
