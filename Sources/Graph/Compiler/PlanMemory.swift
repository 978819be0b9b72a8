// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// All that the audio thread reads of a plan: trivial data at fixed addresses.
@unsafe struct PlanMemory: BitwiseCopyable {
  /// Where a channel of the outside world goes in the table, each cycle anew.
  struct Patch: BitwiseCopyable {
    var place: Int32
    var external: Int32
    var channel: Int32
  }

  /// Counts up from plan to plan.
  var generation: Int
  /// How many frames each buffer of the slab has room for.
  var longestBlock: Int
  var steps: UnsafePointer<Step>
  var stepCount: Int
  var regions: UnsafePointer<Region>
  var regionCount: Int
  /// Where wires head. Those that are moved by hand are written here by the audio thread.
  var places: UnsafeMutablePointer<WirePlace>
  /// Addresses of channels; each bus has a stretch of it.
  var table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var tableCount: Int
  /// The inputs and outputs of all steps.
  var buses: UnsafePointer<BusMemory>
  var busCount: Int
  var inputPatches: UnsafePointer<Patch>
  var inputPatchCount: Int
  var outputPatches: UnsafePointer<Patch>
  var outputPatchCount: Int
  /// Frames that stay zero, and frames that nobody hears.
  var zeros: UnsafeMutablePointer<Float>, trash: UnsafeMutablePointer<Float>
  /// Buffers that are emptied before each cycle.
  var eventBuffers: UnsafePointer<EventBuffer>
  var eventBufferCount: Int
  /// The slots of nodes that were removed before and are in the plan again.
  var returning: UnsafePointer<Int32>
  var returningCount: Int
  /// The input latencies that occur, and the transport as late as each.
  var arrivals: UnsafePointer<Int>
  var transports: UnsafeMutablePointer<Transport>
  var arrivalCount: Int
  /// The lanes, those of parameters first, and how many of these there are; which of them are each step's.
  var lanes: UnsafePointer<LaneMemory>
  var parameterLanes: Int
  var groups: UnsafePointer<LaneGroup>
  /// What each step has cost in all cycles that were profiled since the plan
  /// was made, and how many those are.
  var costs: UnsafeMutablePointer<StepCost>
  var profiledCycles: UnsafeMutablePointer<Atomic<Int>>
  /// The audio thread's own: what it knows of the plan's shortcuts.
  var open = OpenShortcuts()
  /// The audio thread's own: the frame of the stream up to which no parameter moves, as long as the timeline
  /// goes on as it did.
  var laneDue = Int64.min, laneClock: Int64 = 0
  /// Whether nothing plays, so that time stands still.
  var isAsleep = false
}

/// When all shortcuts of a plan were last taken: as long as none has been closed since, all are open.
struct OpenShortcuts: BitwiseCopyable {
  /// How long blocks were, in frames; none longer is known to fit.
  var frameCount = 0
  /// How many had been closed before.
  var closings = -1

  @_noLocks @_noAllocation func areKnown(for frames: Int, _ now: Int) -> Bool {
    closings == now && frames <= frameCount
  }
}

/// What a step has cost, in ticks. The audio thread writes, the control thread reads.
struct StepCost: ~Copyable {
  let sum = Atomic<UInt64>(0), worst = Atomic<UInt64>(0)

  @_noLocks @_noAllocation borrowing func add(_ ticks: UInt64) {
    sum.store(sum.load(ordering: .relaxed) &+ ticks, ordering: .relaxed)
    if ticks > worst.load(ordering: .relaxed) { worst.store(ticks, ordering: .relaxed) }
  }
}
