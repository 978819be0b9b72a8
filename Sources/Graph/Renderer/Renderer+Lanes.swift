// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import SwiftletTimeline

/// How parameters follow their automation lanes.
///
/// While a lane moves, its parameter is sent once per step of a grid of 16 frames: the processor glides over the step
/// and reaches the curve's value on the step's last frame. A jump or a ramp begins on its exact frame. A processor
/// that can only be cut on the grid receives the value of each step's first frame instead. A value that is set by
/// hand stays until the lane moves again.
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
    let loop = unsafe self.state.pointee.loop
    let frame = loop.timelineFrame(of: unsafe (isStill ? self.state.pointee.timeline : now &+ shift) &- late)
    let isSeenTo = unsafe isSame ? state.pointee.start <= frame && frame < state.pointee.end : false
    if !isSeenTo {
      // Lost frames advance only the stream; if the processor is rarely cut, a segment may begin in between. After
      // the end of a loop the timeline continues at the loop's beginning, which counts as a jump.
      let isOn = unsafe state.pointee.start <= frame
      let isNext = unsafe isOn ? state.pointee.end == frame || state.pointee.shift == shift : false
      let move = unsafe move(lane, at: frame, continues: isSame ? isNext : false, now, grid)
      let value = unsafe lane.table.pointee.value(at: frame &+ move.ahead)
      unsafe callProcessor(
        processor, lane.parameter, lane.isWhole ? rt_floor(value + 0.5) : value,
        over: lane.isWhole ? 0 : move.glide)
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

  /// Returns the parameter message at a timeline frame: how many frames ahead its value is read, the length of its
  /// glide, and the frame at which it ends.
  @_noLocks @_noAllocation private func move(
    _ lane: LaneMemory, at frame: Int64, continues: Bool, _ now: Int64, _ grid: Int64
  ) -> (ahead: Int64, glide: Int32, end: Int64) {
    let segment = unsafe lane.table.pointee.segment(at: frame), isHeard = unsafe lane.state.pointee.isHeard
    if isHeard, !continues, unsafe !lane.isWhole {
      // The value jumps: glide over 5 ms, rounded up to the grid.
      let fade = (Int64(fadeFrames) + 15) & ~15
      return (fade - 1, Int32(truncatingIfNeeded: fade), frame + fade)
    }
    if segment.isSteady { return (0, 0, segment.end) }
    // A processor that can be cut at any frame is cut on the timeline's grid, so that the output does not depend on
    // the stream's position at the start. Other processors are cut on the stream's grid.
    let offset = (grid == 1 ? frame : now) & (LaneState.step - 1), line = frame + (LaneState.step - offset)
    if grid != 1 { return (0, 0, grid == 0 ? frame + 1 : line) }
    if unsafe lane.isWhole { return (0, 0, min(line, segment.end)) }
    if frame == segment.start || !continues { return (0, 0, frame + 1) }
    let end = min(line, segment.end)
    return (end - 1 - frame, Int32(truncatingIfNeeded: end - frame), end)
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
