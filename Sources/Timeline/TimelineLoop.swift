// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A range of a timeline that plays again and again: its first frame follows its last one.
///
/// A timeline that loops is counted on without end, and this says which frame is heard: what lies before the range is
/// played once.
package struct TimelineLoop: BitwiseCopyable, Equatable, Sendable {
  /// The first frame of the range, and the one behind its last.
  package let start: Int64, end: Int64

  /// A loop over a range of frames; nil for an empty one, and for one that begins before the timeline.
  package init?(_ range: Range<Int64>) {
    guard !range.isEmpty, range.lowerBound >= 0 else { return nil }
    (start, end) = (range.lowerBound, range.upperBound)
  }

  /// How many frames it has.
  package var length: Int64 { @_noLocks @_noAllocation get { end &- start } }

  /// The frame of the timeline that is heard where so many have gone by.
  @_noLocks @_noAllocation package func place(of frame: Int64) -> Int64 {
    frame < end ? frame : start &+ (frame &- end) % length
  }
}

extension TimelineLoop? {
  /// As ``TimelineLoop/place(of:)``; where nothing loops, the frame itself.
  @_noLocks @_noAllocation package func place(of frame: Int64) -> Int64 {
    guard let loop = self else { return frame }
    return loop.place(of: frame)
  }
}
