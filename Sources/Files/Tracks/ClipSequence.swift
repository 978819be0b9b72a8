// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Clips at their positions on the timeline, for a player that follows the transport.
///
/// Control threads set the clips; the prefetch thread reads them.
package final class ClipSequence: Sendable {
  /// A clip and its position.
  package struct PlacedClip: Sendable {
    /// The identity of the clip.
    package var number: Int
    package var sound: ClipSound
    package var layout: ClipLayout
    /// The first frame, and the frame after the last; nil for an endless clip.
    package var start: Int, end: Int?
    /// The lengths of the fade-in at the start and the fade-out before the end, in frames.
    package var fadeIn = 0, fadeOut = 0
    /// Whether the clip is cut off before its own end. The fade-out is then linear instead of equal-power.
    package var isCut = false
    /// The number of times that the sound was replaced by another.
    package var version = 0
    /// The sound as it was opened for inspection.
    package var opened: ReusableSound?

    package init(
      _ number: Int, _ sound: ClipSound, _ layout: ClipLayout, start: Int, _ opened: ReusableSound?
    ) {
      (self.number, self.sound, self.layout, self.start) = (number, sound, layout, start)
      self.opened = opened
      end = layout.length.map { start + $0 }
    }

    /// Whether the clip has frames in a range.
    package func overlaps(_ range: Range<Int>) -> Bool {
      start < range.upperBound && range.lowerBound < end ?? .max
    }
  }

  private struct State {
    var clips: [PlacedClip] = []
    /// The clips that could not be read to their end, and the errors.
    var failures: [Int: FileError] = [:]
  }
  private let state = Mutex(State())
  /// The end of the range that was read since the last seek, and the first frame of it that has changed since.
  private let readEnd = Atomic(0), stale = Atomic(Int.max)

  package init() {}

  /// Replaces the clips. The new ones differ from the old from a frame on.
  package func set(_ clips: [PlacedClip], changedFrom frame: Int) {
    state.withLock { $0.clips = clips }
    // The order matters: a reader that has not seen the change has stored before how far it reads.
    if frame < readEnd.load(ordering: .sequentiallyConsistent) {
      _ = stale.min(frame, ordering: .acquiringAndReleasing)
    }
  }

  /// Returns the clips that could not be read since the last call.
  package func takeFailures() -> [Int: FileError] {
    state.withLock { state in
      defer { state.failures = [:] }
      return state.failures
    }
  }

  /// The first frame that was read and has changed since; nil if none has.
  var staleFrame: Int? {
    let frame = stale.load(ordering: .acquiring)
    return frame == .max ? nil : frame
  }

  /// Returns ``staleFrame`` and resets it, for the thread that handles the change. Later changes count as new.
  func takeStaleFrame() -> Int? {
    let frame = stale.exchange(.max, ordering: .acquiringAndReleasing)
    return frame == .max ? nil : frame
  }

  /// Continues reading at a frame.
  func begin(at frame: Int) { readEnd.store(frame, ordering: .sequentiallyConsistent) }

  /// Returns the clips with frames in a range, which is read next.
  func clips(in range: Range<Int>) -> [PlacedClip] {
    readEnd.store(range.upperBound, ordering: .sequentiallyConsistent)
    return state.withLock { $0.clips.filter { $0.overlaps(range) } }
  }

  /// Removes a clip that cannot be read, which is silent from then on, and records the error.
  func fail(_ number: Int, _ error: FileError) {
    state.withLock { state in
      state.failures[number] = error
      state.clips.removeAll { $0.number == number }
    }
  }
}
