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
    /// How the segment continues the one before.
    var beginning = Beginning.continuous
    /// The difference that is added to the curve and glides to 0 from frame `gapStart` on.
    var gap: Float = 0, gapStart: Int64 = 0

    init(start: Int64, offset: Double = 0, step: Double = 0, shape: CurveShape) {
      self.start = start
      self.offset = offset
      self.step = step
      self.shape = shape
    }

    var jumps: Bool {
      @_noLocks @_noAllocation get { if case .jump = beginning { true } else { false } }
    }
    var isBare: Bool {
      @_noLocks @_noAllocation get { if case .step = beginning { true } else { false } }
    }

    /// Returns the value of the curve at a frame.
    @_noLocks @_noAllocation func value(at frame: Int64) -> Float {
      shape.value(at: (Double(frame &- start) + offset) * step)
    }
  }

  /// How a segment continues the one before.
  fileprivate enum Beginning: BitwiseCopyable {
    /// At the same value.
    case continuous
    /// At another value, to which a parameter glides.
    case jump
    /// As a bare step: with ``Automation/Curve/step``.
    case step
  }

  private let segments: UnsafeMutablePointer<Row>
  private let count: Int
  /// The length of the glide that smooths jumps, in frames; 0: jumps are exact.
  private let gapFrames: Int64

  /// Creates the table for a sample rate from 1 to 2²⁴ Hz.
  ///
  /// - Parameter declick: the length of a glide that smooths jumps, in seconds; default: none.
  package init(_ automation: Automation, sampleRate: Double, declick: Double = 0) {
    // Written so that no rate traps.
    let frames = declick * sampleRate + 0.5
    gapFrames = frames < 0x1p40 ? Int64(frames) : 0
    var segments = [Row(start: Self.earliest, shape: CurveShape(automation.initial))]
    // A segment that begins at the same frame as an earlier one replaces it.
    func append(_ segment: Row) {
      if let last = segments.last, last.start >= segment.start { segments.removeLast() }
      segments.append(segment)
    }
    let entries = automation.entries
    for (index, entry) in entries.enumerated() {
      let beginning = automation.beginning(of: index)
      let (start, end) = (entry.range.lowerBound, entry.range.upperBound)
      let first = start.frames(at: sampleRate, rounding: .up)
      if entry.isRamp {
        let from = start.position(at: sampleRate), to = end.position(at: sampleRate)
        let length = Double(to.frame - from.frame) + (to.fraction - from.fraction)
        var row = Row(
          start: first, offset: Double(first - from.frame) - from.fraction, step: 1 / max(length, 1e-12),
          shape: CurveShape(entry))
        row.beginning = beginning
        append(row)
      }
      if index + 1 < entries.count, entries[index + 1].range.lowerBound < end { continue }
      var row = Row(start: end.frames(at: sampleRate, rounding: .up), shape: CurveShape(entry.to))
      row.beginning = !entry.isRamp ? beginning : entry.curve == .step ? .step : .continuous
      // A ramp that is shorter than a frame is a jump.
      if let last = segments.last, last.start == row.start, last.beginning != .step { row.beginning = .jump }
      append(row)
    }
    Self.bridge(&segments, gapFrames)
    count = segments.count
    unsafe self.segments = .allocate(capacity: count)
    unsafe self.segments.initialize(from: segments, count: count)
  }

  deinit { unsafe segments.deallocate() }

  /// Returns the value at a frame, counted from the start of the timeline.
  @_noLocks @_noAllocation package func value(at frame: Int64) -> Float {
    let frame = Self.held(frame)
    return unsafe Self.value(segments[index(of: frame)], at: frame, gapFrames)
  }

  /// Returns the value of a segment at a frame, with what is left of its gap.
  @_noLocks @_noAllocation
  private static func value(_ segment: Row, at frame: Int64, _ gapFrames: Int64) -> Float {
    let value = segment.value(at: frame)
    guard segment.gap != 0, frame &- segment.gapStart < gapFrames else { return value }
    return value + gap(segment, at: frame, gapFrames)
  }

  /// Returns what is left of a gap at a frame within it: it begins and ends with zero slope.
  @_noLocks @_noAllocation private static func gap(_ segment: Row, at frame: Int64, _ gapFrames: Int64)
    -> Float
  {
    let share = Float(frame &- segment.gapStart &+ 1) / Float(gapFrames)
    return segment.gap * (1 - share * share * (3 - 2 * share))
  }

  /// Computes the gaps that smooth jumps.
  private static func bridge(_ segments: inout [Row], _ gapFrames: Int64) {
    guard gapFrames > 0 else { return }
    for index in segments.indices.dropFirst() where segments[index].beginning != .step {
      let last = segments[index - 1], start = segments[index].start
      // At the start of the timeline nothing has been heard yet.
      if segments[index].beginning == .jump, start > 0 {
        segments[index].gap = value(last, at: start, gapFrames) - segments[index].value(at: start)
        segments[index].gapStart = start
      } else {
        (segments[index].gap, segments[index].gapStart) = (last.gap, last.gapStart)
      }
    }
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
      if segment.gap != 0 {
        let smoothed = min(Int64(length), max(segment.gapStart &+ gapFrames &- frame, 0))
        for offset in 0..<Int(smoothed) {
          values[done + offset] += Self.gap(segment, at: frame &+ Int64(offset), gapFrames)
        }
      }
      done &+= length
      frame &+= Int64(length)
      index &+= 1
    }
  }

  /// Returns a number of frames from this one on that are certain to have the same value: 0 in a ramp, `Int64.max`
  /// after the last entry. A caller that has read the value need not read it again within these frames.
  @_noLocks @_noAllocation package func steadyFrames(from frame: Int64) -> Int64 {
    let frame = Self.held(frame), index = index(of: frame)
    let segment = unsafe segments[index]
    guard segment.shape.isSteady, segment.gap == 0 || frame &- segment.gapStart >= gapFrames else { return 0 }
    return index + 1 < count ? unsafe segments[index + 1].start &- frame : .max
  }

  /// Returns the segment that contains a frame: its frames, and whether its value is constant. The segments before the
  /// first entry and after the last are practically unbounded.
  @_noLocks @_noAllocation package func segment(at frame: Int64) -> CurveSegment {
    let index = index(of: Self.held(frame))
    let end = index + 1 < count ? unsafe segments[index + 1].start : .max
    return unsafe CurveSegment(
      start: segments[index].start, end: end, isSteady: segments[index].shape.isSteady,
      jumps: segments[index].jumps, isBare: segments[index].isBare)
  }

  /// A step or a ramp, in frames of the timeline.
  package struct CurveSegment: BitwiseCopyable, Sendable {
    /// The first frame, and the one after the last.
    package let start: Int64, end: Int64
    /// Whether the value is constant.
    package let isSteady: Bool
    /// Whether the segment begins at another value than that of the segment before, to which a parameter glides; whether it
    /// begins with a bare step.
    package let jumps: Bool, isBare: Bool
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

extension Automation {
  /// Returns how an entry continues what was before.
  fileprivate func beginning(of index: Int) -> AutomationTable.Beginning {
    let entry = entries[index], start = entry.range.lowerBound
    guard entry.curve != .step else { return .step }
    var before = initial
    if index > 0 {
      let last = entries[index - 1], end = last.range.upperBound
      let length = end.seconds(since: last.range.lowerBound)
      before =
        start < end
        ? CurveShape(last).value(at: start.seconds(since: last.range.lowerBound) / length) : last.to
    }
    let first = entry.isRamp ? entry.from : entry.to
    return abs(first - before) <= 1e-6 * max(abs(first), abs(before)) ? .continuous : .jump
  }
}
