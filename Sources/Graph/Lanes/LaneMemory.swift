// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline

/// A lane as a step of a plan reads it: trivial data, whose memory the plan's tracks keep alive.
@unsafe struct LaneMemory: BitwiseCopyable {
  var table: UnsafePointer<AutomationTable>
  /// How far the lane has come: plans hand it on to each other.
  var state: UnsafeMutablePointer<LaneState>
  /// Tells the table from those that the lane had before.
  var number: Int32
  /// Which parameter moves, or, in a fader, the raw value of a ``Fader/Value``.
  var parameter: Int32
  /// Whether only whole numbers count.
  var isWhole: Bool
}

/// The lanes of one step, as a stretch of the plan's.
struct LaneGroup: BitwiseCopyable {
  var first: Int32, count: Int32
}

/// How far a parameter's lane has come. The audio thread's own, once it is in a plan.
struct LaneState: BitwiseCopyable {
  /// The table that is followed; −1 before the first.
  var table: Int32 = -1
  /// Whether somebody hears what the lane finds when it comes: then it glides there.
  var isHeard: Bool
  /// The frames of the timeline that have been seen to, up to but not with the second.
  var start: Int64 = 0, end: Int64 = 0
  /// How many frames the timeline was ahead of the stream when that was written.
  var shift: Int64 = 0
  /// The frame of the stream from which on there is more to see to.
  var due: Int64 = .min

  /// How long the steps are in which a moving parameter is sent, in frames.
  static var step: Int64 { @_noLocks @_noAllocation get { 16 } }
}
