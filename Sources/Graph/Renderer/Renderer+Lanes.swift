// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import SwiftletTimeline

/// How parameters follow their automation lanes.
///
/// A point whose value differs from the one before is a step: the parameter glides to it, or crossfades, as if it had
/// been set by hand. While a lane moves, its parameter is sent once per step of a grid of 16 frames: the processor
/// glides over the step and reaches the curve's value on the step's last frame. A jump or a ramp begins on its exact
/// frame. A processor that can only be cut on the grid receives the value of each step's first frame instead. A value
/// that is set by hand stays until the lane moves again.
extension Renderer {
  /// Applies a lane at `now`, a frame at which its processor may be cut, and returns the frame at which the lane must
  /// be applied next.
  @_noLocks @_noAllocation func follow(
    _ lane: LaneMemory, _ processor: UnsafeRawPointer, at now: Int64, late: Int64, grid: Int64
  ) -> Int64 {
    let state = unsafe lane.state, shift = unsafe self.state.pointee.shift
    let isSame = unsafe state.pointee.table == lane.number
    let isStill = unsafe self.state.pointee.isStill
    if isSame, !isStill, unsafe state.pointee.shift == shift, unsafe now < state.pointee.due {
      return unsafe state.pointee.due
    }
    let timing = unsafe timing(of: lane.parameter, processor)
    let loop = unsafe self.state.pointee.loop
    let position = unsafe isStill ? self.state.pointee.timeline : now &+ shift
    let frame = loop.timelineFrame(of: position &- late &- Int64(timing.latency))
    let isSeenTo = unsafe isSame ? state.pointee.start <= frame && frame < state.pointee.end : false
    if !isSeenTo {
      // Lost frames advance only the stream; if the processor is rarely cut, a segment may begin in between. After
      // the end of a loop the timeline continues at the loop's beginning, which counts as a jump.
      let isOn = unsafe state.pointee.start <= frame
      let isNext = unsafe isOn ? state.pointee.end == frame || state.pointee.shift == shift : false
      let move = unsafe move(lane, at: frame, continues: isSame ? isNext : false, now, grid, timing.glide)
      if move.isSent {
        unsafe callProcessor(processor, lane.parameter, move.value, over: move.glide)
        unsafe state.pointee.value = move.value
      }
      unsafe state.pointee.start = frame
      unsafe state.pointee.end = isStill ? frame + 1 : move.end
    }
    unsafe state.pointee.table = unsafe lane.number
    unsafe state.pointee.isHeard = true
    // While the timeline is stopped, no stored shift may match that of the next cycle.
    unsafe state.pointee.shift = isStill ? .min : shift
    let isForGood = isStill ? true : unsafe state.pointee.end == .max
    unsafe state.pointee.due = isForGood ? .max : now + (state.pointee.end - frame)
    if let loop, !isStill { unsafe state.pointee.due = min(state.pointee.due, now + (loop.end - frame)) }
    return unsafe state.pointee.due
  }

  /// A parameter message of a lane.
  private struct LaneMove {
    /// The value, and its length as ``Processor/set(_:to:over:)`` reads it.
    var value: Float, glide: Int32
    /// The timeline frame at which the next message is due.
    var end: Int64
    /// Whether the message must be sent: a whole number is sent when it changes.
    var isSent = true

    /// The length of a glide that means the parameter's own smoothing.
    static var own: Int32 { @_noLocks @_noAllocation get { -1 } }
  }

  /// Returns the parameter message at a timeline frame.
  ///
  /// - Parameters:
  ///   - continues: whether the frame follows the last one at which the lane was applied.
  ///   - own: the length of the parameter's own smoothing, in frames; 0: it jumps.
  @_noLocks @_noAllocation private func move(
    _ lane: LaneMemory, at frame: Int64, continues: Bool, _ now: Int64, _ grid: Int64, _ own: Int
  ) -> LaneMove {
    let segment = unsafe lane.table.pointee.segment(at: frame), isHeard = unsafe lane.state.pointee.isHeard
    let value = unsafe lane.table.pointee.value(at: frame)
    let begins = continues ? unsafe lane.state.pointee.end <= segment.start : true
    let jumps = begins ? !continues || segment.jumps : false
    // A processor that can be cut at any frame is cut on the timeline's grid, so that the output does not depend on
    // the stream's position at the start. Other processors are cut on the stream's grid.
    let offset = (grid == 1 ? frame : now) & (LaneState.step - 1), line = frame + (LaneState.step - offset)
    let end = segment.isSteady ? segment.end : grid == 0 ? frame + 1 : min(line, segment.end)
    if unsafe lane.isWhole {
      let whole = rt_floor(value + 0.5), isBare = isHeard ? begins && continues && segment.isBare : true
      let isSame = unsafe whole == lane.state.pointee.value
      return LaneMove(value: whole, glide: isBare ? 0 : LaneMove.own, end: end, isSent: begins || !isSame)
    }
    if isHeard, jumps, own > 0 || !continues {
      // Without smoothing of its own, a parameter still glides where the timeline jumps.
      let fade = (Int64(fadeFrames) + 15) & ~15
      let there = unsafe smoothEnd(lane, from: frame, segment, over: own > 0 ? Int64(own) : fade)
      return LaneMove(
        value: unsafe segment.isSteady ? value : lane.table.pointee.value(at: there - 1),
        glide: own > 0 ? LaneMove.own : Int32(truncatingIfNeeded: fade), end: there)
    }
    if segment.isSteady || grid != 1 || begins {
      let isExact = !isHeard || jumps || segment.isBare || grid != 1
      return LaneMove(
        value: value, glide: isExact ? 0 : 1, end: segment.isSteady || grid != 1 ? end : frame + 1)
    }
    return LaneMove(
      value: unsafe lane.table.pointee.value(at: end - 1), glide: Int32(truncatingIfNeeded: end - frame),
      end: end)
  }

  /// Returns the frame at which the lane is applied again after a jump: at the end of the smoothing, or where the lane
  /// jumps again.
  @_noLocks @_noAllocation private func smoothEnd(
    _ lane: LaneMemory, from frame: Int64, _ segment: AutomationTable.CurveSegment, over frames: Int64
  ) -> Int64 {
    var end = segment.end, left = 16
    while end < frame + frames, left > 0 {
      let next = unsafe lane.table.pointee.segment(at: end)
      if next.jumps || next.isBare { return end }
      end = next.end
      left -= 1
    }
    return segment.isSteady && end == segment.end ? end : min(end, frame + frames)
  }

  @_semantics("no_performance_analysis")
  private func timing(of parameter: Int32, _ processor: UnsafeRawPointer) -> ParameterTiming {
    unsafe Unmanaged<Processor>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      $0.timing(of: Int(parameter))
    }
  }

  /// Returns whether a lane of the plan must be applied within a cycle.
  @_noLocks @_noAllocation
  func areLanesDue(_ plan: UnsafeMutablePointer<PlanMemory>, _ cycle: Cycle) -> Bool {
    guard unsafe plan.pointee.parameterLanes > 0 else { return false }
    let end = unsafe cycle.frame + Int64(cycle.frameCount)
    return unsafe plan.pointee.laneClock != laneClock || end > plan.pointee.laneDue
  }

  /// A value that changes when the timeline jumps: the timeline frame minus the stream frame while it rolls, or the
  /// stopped position, encoded in numbers that no rolling timeline has.
  private var laneClock: Int64 {
    @_noLocks @_noAllocation get {
      unsafe state.pointee.isStill ? .min + (state.pointee.timeline & (1 << 60 - 1)) : state.pointee.shift
    }
  }

  /// Stores the frame at which lanes must be applied next.
  @_noLocks @_noAllocation func settleLanes(_ plan: UnsafeMutablePointer<PlanMemory>) {
    var due = Int64.max
    for index in 0..<(unsafe plan.pointee.parameterLanes) {
      unsafe due = min(due, plan.pointee.lanes[index].state.pointee.due)
    }
    unsafe plan.pointee.laneDue = due
    unsafe plan.pointee.laneClock = laneClock
  }
}
