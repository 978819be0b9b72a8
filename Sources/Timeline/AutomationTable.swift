// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// An automation for the audio thread: an array of segments that begin at frames of one sample rate.
///
/// The table is made and destroyed on the control thread, and read on the audio thread. A frame's value is computed
/// from its number and the exact start time of its segment, never from the previous frame: blocks of any size, read in
/// any order, give the same bits.
// @unchecked: nothing is written after the table has been made.
@safe package struct AutomationTable: ~Copyable, @unchecked Sendable {
  /// A segment: the frames from its start to the start of the next segment.
  private struct Row: BitwiseCopyable {
    var start: Int64
    /// The position of the first frame within the ramp, in frames; a ramp seldom begins exactly on a frame.
    var offset = 0.0
    /// The fraction of the ramp that one frame advances.
    var step = 0.0
    var shape: CurveShape
  }

  private let segments: UnsafeMutablePointer<Row>
  private let count: Int

  /// Creates the table for a sample rate from 1 to 2²⁴ Hz.
  package init(_ automation: Automation, sampleRate: Double) {
    var segments = [Row(start: Self.earliest, shape: CurveShape(automation.initial))]
    // A segment that begins at the same frame as an earlier one replaces it.
    func append(_ segment: Row) {
      if let last = segments.last, last.start >= segment.start { segments.removeLast() }
      segments.append(segment)
    }
    let entries = automation.entries
    for (index, entry) in entries.enumerated() {
      let (start, end) = (entry.range.lowerBound, entry.range.upperBound)
      let first = start.frames(at: sampleRate, rounding: .up)
      if entry.isRamp {
        let from = start.position(at: sampleRate), to = end.position(at: sampleRate)
        let length = Double(to.frame - from.frame) + (to.fraction - from.fraction)
        append(
          Row(
            start: first, offset: Double(first - from.frame) - from.fraction, step: 1 / max(length, 1e-12),
            shape: CurveShape(entry)))
      }
      if index + 1 < entries.count, entries[index + 1].range.lowerBound < end { continue }
      append(Row(start: end.frames(at: sampleRate, rounding: .up), shape: CurveShape(entry.to)))
    }
    count = segments.count
    unsafe self.segments = .allocate(capacity: count)
    unsafe self.segments.initialize(from: segments, count: count)
  }

  deinit { unsafe segments.deallocate() }

  /// Returns the value at a frame, counted from the start of the timeline.
  @_noLocks @_noAllocation package func value(at frame: Int64) -> Float {
    let frame = Self.held(frame), segment = unsafe segments[index(of: frame)]
    return segment.shape.value(at: (Double(frame &- segment.start) + segment.offset) * segment.step)
  }

  /// Writes the value of each frame, beginning at `frame`, counted from the start of the timeline.
  @_noLocks @_noAllocation package func fill(_ values: MutableSamples, from frame: Int64) {
    var frame = Self.held(frame), index = index(of: frame), done = 0
    while done < values.count {
      let segment = unsafe segments[index]
      let left = Int64(values.count &- done)
      let ahead = index + 1 < count ? unsafe segments[index + 1].start &- frame : left
      let length = Int(ahead < left ? ahead : left)
      unsafe segment.shape.fill(
        values.unsafeBase + done, count: length, first: Double(frame &- segment.start),
        offset: segment.offset,
        step: segment.step)
      done &+= length
      frame &+= Int64(length)
      index &+= 1
    }
  }

  /// Returns a number of frames from this one on that are certain to have the same value: 0 in a ramp, `Int64.max`
  /// after the last entry. A caller that has read the value need not read it again within these frames.
  @_noLocks @_noAllocation package func steadyFrames(from frame: Int64) -> Int64 {
    let frame = Self.held(frame), index = index(of: frame)
    guard unsafe segments[index].shape.isSteady else { return 0 }
    return index + 1 < count ? unsafe segments[index + 1].start &- frame : .max
  }

  /// Returns the segment that contains a frame: its frames, and whether its value is constant. The segments before the
  /// first entry and after the last are practically unbounded.
  @_noLocks @_noAllocation package func segment(at frame: Int64) -> CurveSegment {
    let index = index(of: Self.held(frame))
    let end = index + 1 < count ? unsafe segments[index + 1].start : .max
    return unsafe CurveSegment(
      start: segments[index].start, end: end, isSteady: segments[index].shape.isSteady)
  }

  /// A step or a ramp, in frames of the timeline.
  package struct CurveSegment: BitwiseCopyable, Sendable {
    /// The first frame, and the one after the last.
    package let start: Int64, end: Int64
    /// Whether the value is constant.
    package let isSteady: Bool
  }

  /// Finds the index of the segment that contains a frame, by binary search.
  @_noLocks @_noAllocation private func index(of frame: Int64) -> Int {
    var low = 0, high = count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if unsafe segments[middle].start <= frame { low = middle } else { high = middle }
    }
    return low
  }

  /// The lowest frame. Frames are clamped to ±2⁶⁰, so that differences never overflow.
  private static var earliest: Int64 { @_noLocks @_noAllocation get { -1 << 60 } }

  @_noLocks @_noAllocation private static func held(_ frame: Int64) -> Int64 {
    min(max(frame, -1 << 60), 1 << 60)
  }
}
