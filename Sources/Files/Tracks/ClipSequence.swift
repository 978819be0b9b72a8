// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Clips that lie on a line of frames, each where it was put: what a player plays that goes where a song goes.
///
/// Control threads lay them down; the thread that reads files reads them.
package final class ClipSequence: Sendable {
  /// A clip and its frames.
  package struct Place: Sendable {
    /// What tells it from all others.
    package var number: Int
    package var sound: ClipSound
    package var layout: ClipLayout
    /// The frame it begins on, and the one behind its last; nil without end.
    package var start: Int, end: Int?
    /// Over how many frames it comes in at its start and goes before its end.
    package var fadeIn = 0, fadeOut = 0
    /// Whether it goes since something cuts it off: in a straight line, not at equal power.
    package var isCut = false
    /// How often its sound was replaced by another.
    package var version = 0
    /// The sound as it was opened to be looked at.
    package var opened: OpenedSound?

    package init(_ number: Int, _ sound: ClipSound, _ layout: ClipLayout, start: Int, _ opened: OpenedSound?)
    {
      (self.number, self.sound, self.layout, self.start) = (number, sound, layout, start)
      self.opened = opened
      end = layout.length.map { start + $0 }
    }

    /// Whether it has frames in a range.
    package func overlaps(_ range: Range<Int>) -> Bool {
      start < range.upperBound && range.lowerBound < end ?? .max
    }
  }

  private struct State {
    var places: [Place] = []
    /// The clips that could not be read to their end, and why.
    var failures: [Int: FileError] = [:]
  }
  private let state = Mutex(State())
  /// How far it has been read since the last jump, and from which frame on what was read is another now.
  private let readEnd = Atomic(0), stale = Atomic(Int.max)

  package init() {}

  /// Lays clips down in place of those that are there, which differ from a frame on.
  package func lay(_ places: [Place], changedFrom frame: Int) {
    state.withLock { $0.places = places }
    // In this order: whoever has not seen the change has said before how far he reads.
    if frame < readEnd.load(ordering: .sequentiallyConsistent) {
      _ = stale.min(frame, ordering: .acquiringAndReleasing)
    }
  }

  /// The clips that could not be read since the last question.
  package func takeFailures() -> [Int: FileError] {
    state.withLock { state in
      defer { state.failures = [:] }
      return state.failures
    }
  }

  /// The first frame that was read and has changed since; nil where none has.
  var staleFrame: Int? {
    let frame = stale.load(ordering: .acquiring)
    return frame == .max ? nil : frame
  }

  /// As `staleFrame`, asked by who sees to it: what changes from now on counts as new.
  func takeStaleFrame() -> Int? {
    let frame = stale.exchange(.max, ordering: .acquiringAndReleasing)
    return frame == .max ? nil : frame
  }

  /// Reading goes on at a frame.
  func begin(at frame: Int) { readEnd.store(frame, ordering: .sequentiallyConsistent) }

  /// The clips that have frames in a range, which is read next.
  func places(in range: Range<Int>) -> [Place] {
    readEnd.store(range.upperBound, ordering: .sequentiallyConsistent)
    return state.withLock { $0.places.filter { $0.overlaps(range) } }
  }

  /// A clip cannot be read: it is silent from now on.
  func fail(_ number: Int, _ error: FileError) {
    state.withLock { state in
      state.failures[number] = error
      state.places.removeAll { $0.number == number }
    }
  }
}
