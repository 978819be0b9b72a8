// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// An automation for the audio thread: an array of pieces that begin at frames of one sample rate.
///
/// The table is made and destroyed on the control thread, and read on the audio thread. A frame's value is computed
/// from its number and the exact start time of its piece, never from the previous frame: blocks of any size, read in
/// any order, give the same bits.
// @unchecked: nothing is written after the table has been made.
@safe package struct AutomationTable: ~Copyable, @unchecked Sendable {
  /// A piece: the frames from its start to the start of the next piece.
  private struct Row: BitwiseCopyable {
    var start: Int64
    /// The position of the first frame within the ramp, in frames; a ramp seldom begins exactly on a frame.
    var offset = 0.0
    /// The fraction of the ramp that one frame advances.
    var step = 0.0
    var shape: CurveShape
  }

  private let pieces: UnsafeMutablePointer<Row>
  private let count: Int

  /// Creates the table for a sample rate from 1 to 2²⁴ Hz.
  package init(_ automation: Automation, sampleRate: Double) {
    var pieces = [Row(start: Self.earliest, shape: CurveShape(automation.initial))]
    // A piece that begins at the same frame as an earlier one replaces it.
    func append(_ piece: Row) {
      if let last = pieces.last, last.start >= piece.start { pieces.removeLast() }
      pieces.append(piece)
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
    count = pieces.count
    unsafe self.pieces = .allocate(capacity: count)
    unsafe self.pieces.initialize(from: pieces, count: count)
  }

  deinit { unsafe pieces.deallocate() }

  /// Returns the value at a frame, counted from the start of the timeline.
  @_noLocks @_noAllocation package func value(at frame: Int64) -> Float {
    let frame = Self.held(frame), piece = unsafe pieces[place(of: frame)]
    return piece.shape.value(at: (Double(frame &- piece.start) + piece.offset) * piece.step)
  }

  /// Writes the value of each frame, beginning at `frame`, counted from the start of the timeline.
  @_noLocks @_noAllocation package func fill(_ values: MutableSamples, from frame: Int64) {
    var frame = Self.held(frame), place = place(of: frame), done = 0
    while done < values.count {
      let piece = unsafe pieces[place]
      let left = Int64(values.count &- done)
      let ahead = place + 1 < count ? unsafe pieces[place + 1].start &- frame : left
      let length = Int(ahead < left ? ahead : left)
      unsafe piece.shape.fill(
        values.unsafeBase + done, count: length, first: Double(frame &- piece.start), offset: piece.offset,
        step: piece.step)
      done &+= length
      frame &+= Int64(length)
      place &+= 1
    }
  }

  /// Returns a number of frames from this one on that are certain to have the same value: 0 in a ramp, `Int64.max`
  /// after the last entry. A caller that has read the value need not read it again within these frames.
  @_noLocks @_noAllocation package func steadyFrames(from frame: Int64) -> Int64 {
    let frame = Self.held(frame), place = place(of: frame)
    guard unsafe pieces[place].shape.isSteady else { return 0 }
    return place + 1 < count ? unsafe pieces[place + 1].start &- frame : .max
  }

  /// Returns the piece that contains a frame: its frames, and whether its value is constant. The pieces before the
  /// first entry and after the last are practically unbounded.
  @_noLocks @_noAllocation package func piece(at frame: Int64) -> Piece {
    let place = place(of: Self.held(frame))
    let end = place + 1 < count ? unsafe pieces[place + 1].start : .max
    return unsafe Piece(start: pieces[place].start, end: end, isSteady: pieces[place].shape.isSteady)
  }

  /// A step or a ramp, in frames of the timeline.
  package struct Piece: BitwiseCopyable, Sendable {
    /// The first frame, and the one after the last.
    package let start: Int64, end: Int64
    /// Whether the value is constant.
    package let isSteady: Bool
  }

  /// Finds the index of the piece that contains a frame, by binary search.
  @_noLocks @_noAllocation private func place(of frame: Int64) -> Int {
    var low = 0, high = count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if unsafe pieces[middle].start <= frame { low = middle } else { high = middle }
    }
    return low
  }

  /// The lowest frame. Frames are clamped to ±2⁶⁰, so that differences never overflow.
  private static var earliest: Int64 { @_noLocks @_noAllocation get { -1 << 60 } }

  @_noLocks @_noAllocation private static func held(_ frame: Int64) -> Int64 {
    min(max(frame, -1 << 60), 1 << 60)
  }
}
