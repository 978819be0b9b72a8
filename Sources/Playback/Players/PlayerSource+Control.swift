// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// The control threads' half. Only one thread at a time may hand over clips and collect reports; any thread may play
/// and pause.
extension PlayerSource {
  /// Starts now, or at an absolute frame. If the player runs already, or waits for a frame, the new frame applies
  /// only if it has not begun.
  package func play(at frame: Int64? = nil) { orders.give { $0.play(at: frame) } }

  /// Fades out over 5 ms and pauses.
  package func pause() { orders.give { $0.pause() } }

  /// Fades out over 5 ms, removes all clips, and resets the player's own time to 0.
  package func stop() {
    orders.give { order in
      order.pause()
      order.run += 1
    }
  }

  /// Whether the player was asked to play.
  package var isPlayRequested: Bool { orders.latest.plays }

  /// The absolute frame of the requested start; nil means immediately.
  package var plannedStart: Int64? { orders.latest.start }

  /// Whether the transport had a tempo in the last block.
  package var hasTempo: Bool { statuses.latest().hasTempo }

  /// The number of frames that the player has run since it was created or stopped.
  package var ownTime: Int64 { statuses.latest().time }

  /// An absolute frame minus the player's own time; nil while it is stopped.
  package var ownTimeOffset: Int64? { statuses.latest().timeOffset }

  /// The number of underruns, and the frames of silence that they caused. Any thread.
  package var underruns: (count: Int, frames: Int) {
    let status = statuses.latest()
    return (status.underruns, status.missedFrames)
  }

  /// Hands over a clip with its source, which must be filled and have as many channels as the player.
  ///
  /// - Returns: false if the ring of clips is full.
  package func hand(over clip: Clip, _ source: StreamSource) -> Bool {
    var clip = clip
    clip.start = clip.start.clamped
    clip.run = orders.latest.run
    unsafe clip.source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    clipSources.put(source, as: clip.number)
    guard clips.push(clip) else {
      _ = clipSources.take(clip.number)
      return false
    }
    return true
  }

  /// Whether there is space for another clip in the ring.
  package var hasRoom: Bool { clips.count() < capacity }

  /// Whether the audio thread has taken a clip. Numbers must be handed over in ascending order.
  package func hasTaken(_ clip: Int) -> Bool {
    guard let last = statuses.latest().lastTaken else { return false }
    return clip <= last
  }

  /// Returns the audio thread's reports since the last call. The sources of clips that have ended are released and
  /// returned.
  package func collect() -> [(note: ClipReport, source: StreamSource?)] {
    var found: [(note: ClipReport, source: StreamSource?)] = []
    while let note = notes.pop() {
      if case .ended = note.kind {
        found.append((note, clipSources.take(note.clip)))
      } else {
        found.append((note, nil))
      }
    }
    return found
  }

  /// Returns the source of a clip that has not ended.
  package func source(of clip: Int) -> StreamSource? { clipSources[clip] }
}
