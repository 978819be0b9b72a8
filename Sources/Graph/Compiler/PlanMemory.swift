// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// The part of a plan that the audio thread reads: trivial data at fixed addresses.
@unsafe struct PlanMemory: BitwiseCopyable {
  /// Maps an external channel to an entry of the table, which each cycle writes.
  struct Patch: BitwiseCopyable {
    var entry: Int32
    var external: Int32
    var channel: Int32
  }

  /// The plan's number, which increases from plan to plan.
  var generation: Int
  /// The capacity of each slab buffer, in frames.
  var longestBlock: Int
  var steps: UnsafeMutablePointer<Step>
  var stepCount: Int
  var regions: UnsafePointer<Region>
  var regionCount: Int
  /// The channel strips' targets. The audio thread writes those that are changed by hand.
  var stripTargets: UnsafeMutablePointer<StripTargets>
  /// Channel addresses; each bus has a range of the table.
  var table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var tableCount: Int
  /// The inputs and outputs of all steps.
  var buses: UnsafePointer<BusMemory>
  var busCount: Int
  var inputPatches: UnsafePointer<Patch>
  var inputPatchCount: Int
  var outputPatches: UnsafePointer<Patch>
  var outputPatchCount: Int
  /// A buffer that stays zero, and a buffer whose content is ignored.
  var zeros: UnsafeMutablePointer<Float>, trash: UnsafeMutablePointer<Float>
  /// Event buffers that are cleared before each cycle.
  var eventBuffers: UnsafePointer<EventBuffer>
  var eventBufferCount: Int
  /// The slots of nodes that were removed before and are in the plan again.
  var returning: UnsafePointer<Int32>
  var returningCount: Int
  /// The distinct input latencies, and the transport delayed by each.
  var arrivals: UnsafePointer<Int>
  var transports: UnsafeMutablePointer<Transport>
  var arrivalCount: Int
  /// The lanes, with those of parameters first; the number of parameter lanes; and the lanes of each step.
  var lanes: UnsafePointer<LaneMemory>
  var parameterLanes: Int
  var groups: UnsafePointer<LaneGroup>
  /// The cost of each step over all profiled cycles since the plan was created, and the number of these cycles.
  var costs: UnsafeMutablePointer<StepCost>
  var profiledCycles: UnsafeMutablePointer<Atomic<Int>>
  /// Audio thread only: the known state of the plan's direct calls.
  var open = OpenDirectCalls()
  /// Audio thread only: the stream frame up to which no parameter moves, provided that the timeline continues as
  /// before.
  var laneDue = Int64.min, laneClock: Int64 = 0
  /// Whether the graph is asleep, so that time is stopped.
  var isAsleep = false
}

/// The state in which all direct calls of a plan were last taken: while none has been closed since, all are open.
struct OpenDirectCalls: BitwiseCopyable {
  /// The length of the block in that state, in frames. For longer blocks, some calls may be closed.
  var frameCount = 0
  /// The number of closings at that time.
  var closeCount = -1

  @_noLocks @_noAllocation func areKnown(for frames: Int, _ now: Int) -> Bool {
    closeCount == now && frames <= frameCount
  }
}

/// The cost of a step in ticks. The audio thread writes it, the control thread reads it.
struct StepCost: ~Copyable {
  let sum = Atomic<UInt64>(0), worst = Atomic<UInt64>(0)

  @_noLocks @_noAllocation borrowing func add(_ ticks: UInt64) {
    sum.store(sum.load(ordering: .relaxed) &+ ticks, ordering: .relaxed)
    if ticks > worst.load(ordering: .relaxed) { worst.store(ticks, ordering: .relaxed) }
  }
}
