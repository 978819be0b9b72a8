// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline

/// A lane as a step of a plan reads it: trivial data, whose memory the plan's tracks retain.
@unsafe struct LaneMemory: BitwiseCopyable {
  var table: UnsafePointer<AutomationTable>
  /// The progress of the lane, shared by successive plans.
  var state: UnsafeMutablePointer<LaneState>
  /// The number of the table, different for each table.
  var number: Int32
  /// The parameter's number, or for a fader the raw value of a ``Fader/Value``.
  var parameter: Int32
  /// Whether values are rounded to whole numbers.
  var isWhole: Bool
}

/// The lanes of one step, as a range of the plan's lanes.
struct LaneGroup: BitwiseCopyable {
  var first: Int32, count: Int32
}

/// The progress of a parameter's lane. Audio thread only, once it is in a plan.
struct LaneState: BitwiseCopyable {
  /// The number of the table in use; −1 before the first.
  var table: Int32 = -1
  /// Whether the parameter is audible before the lane starts, so that it glides to the lane.
  var isHeard: Bool
  /// The range of timeline frames for which the parameter has been sent; `end` is exclusive.
  var start: Int64 = 0, end: Int64 = 0
  /// The timeline frame minus the stream frame when that was stored.
  var shift: Int64 = 0
  /// The stream frame at which the lane must be applied next.
  var due: Int64 = .min
  /// The value that was sent last.
  var value: Float = 0

  /// The length of the steps in which a moving parameter is sent, in frames.
  static var step: Int64 { @_noLocks @_noAllocation get { 16 } }
}
