// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// An automation as the audio thread reads it: a row of pieces that begin at frames of one rate.
///
/// Made and destroyed on the control thread, read on the audio thread. A frame's value is computed from its
/// number and the exact time at which its piece begins, never from the frame before: blocks of any size, read
/// in any order, give the same bits.
// @unchecked: nothing is written after the table has been made.
@safe package struct AutomationTable: ~Copyable, @unchecked Sendable {
  /// From a frame to where the next piece begins.
  private struct Row: BitwiseCopyable {
    var start: Int64
    /// How far into the ramp, in frames, the first frame lies: it is seldom on a frame that a ramp begins.
    var offset = 0.0
    /// A frame's part of the ramp.
    var step = 0.0
    var shape: CurveShape
  }

  private let pieces: UnsafeMutablePointer<Row>
  private let count: Int

  /// The automation at a rate, from 1 to 2²⁴ frames a second.
  package init(_ automation: Automation, sampleRate: Double) {
    var pieces = [Row(start: Self.earliest, shape: CurveShape(automation.initial))]
    // What begins at the same frame as an earlier piece leaves nothing of that.
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

  /// The value at a frame, counted from the start of the timeline.
  @_noLocks @_noAllocation package func value(at frame: Int64) -> Float {
    let frame = Self.held(frame), piece = unsafe pieces[place(of: frame)]
    return piece.shape.value(at: (Double(frame &- piece.start) + piece.offset) * piece.step)
  }

  /// Writes the value of each frame, the first of which is `frame`, counted from the start of the timeline.
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

  /// How many frames from this one on are sure to have its value: 0 while it moves, `Int64.max` after the
  /// last entry.
  ///
  /// What reads a value for each block, or sixteen frames, need not ask again before.
  @_noLocks @_noAllocation package func steadyFrames(from frame: Int64) -> Int64 {
    let frame = Self.held(frame), place = place(of: frame)
    guard unsafe pieces[place].shape.isSteady else { return 0 }
    return place + 1 < count ? unsafe pieces[place + 1].start &- frame : .max
  }

  /// The step or ramp that a frame lies in: its frames, and whether it stays at one value. Before the first
  /// and after the last there is a piece, too, with an end that is far away.
  @_noLocks @_noAllocation package func piece(at frame: Int64) -> Piece {
    let place = place(of: Self.held(frame))
    let end = place + 1 < count ? unsafe pieces[place + 1].start : .max
    return unsafe Piece(start: pieces[place].start, end: end, isSteady: pieces[place].shape.isSteady)
  }

  /// A step or a ramp, in frames of the timeline.
  package struct Piece: BitwiseCopyable, Sendable {
    /// Its first frame, and the one after its last.
    package let start: Int64, end: Int64
    /// Whether it stays at one value.
    package let isSteady: Bool
  }

  /// Which piece a frame belongs to, found by halving.
  @_noLocks @_noAllocation private func place(of frame: Int64) -> Int {
    var low = 0, high = count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if unsafe pieces[middle].start <= frame { low = middle } else { high = middle }
    }
    return low
  }

  /// No time is further away than this, so that differences of frames never overflow.
  private static var earliest: Int64 { @_noLocks @_noAllocation get { -1 << 60 } }

  @_noLocks @_noAllocation private static func held(_ frame: Int64) -> Int64 {
    min(max(frame, -1 << 60), 1 << 60)
  }
}
