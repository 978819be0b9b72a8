// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A loop of the timeline: its first frame follows its last one.
///
/// Frames are counted on without end while the timeline loops. ``timelineFrame(of:)`` returns the frame of the timeline
/// that is played; frames before the loop are played once.
package struct TimelineLoop: BitwiseCopyable, Equatable, Sendable {
  /// The first frame of the loop, and the one after its last.
  package let start: Int64, end: Int64

  /// Creates a loop over a range of frames; nil for an empty one, and for one that begins before the timeline.
  package init?(_ range: Range<Int64>) {
    guard !range.isEmpty, range.lowerBound >= 0 else { return nil }
    (start, end) = (range.lowerBound, range.upperBound)
  }

  /// The length in frames.
  package var length: Int64 { @_noLocks @_noAllocation get { end &- start } }

  /// Returns the frame of the timeline that is played at a running frame count.
  @_noLocks @_noAllocation package func timelineFrame(of frame: Int64) -> Int64 {
    frame < end ? frame : start &+ (frame &- end) % length
  }
}

extension TimelineLoop? {
  /// As ``TimelineLoop/timelineFrame(of:)``; without a loop, the frame itself.
  @_noLocks @_noAllocation package func timelineFrame(of frame: Int64) -> Int64 {
    guard let loop = self else { return frame }
    return loop.timelineFrame(of: frame)
  }
}
