// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

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
  /// Addresses of channels; each bus has a stretch of it.
  var table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var inputPatches: UnsafePointer<Patch>
  var inputPatchCount: Int
  var outputPatches: UnsafePointer<Patch>
  var outputPatchCount: Int
  /// Frames that stay zero, and frames that nobody hears.
  var zeros: UnsafeMutablePointer<Float>, trash: UnsafeMutablePointer<Float>
  /// Buffers that are emptied before each cycle.
  var eventBuffers: UnsafePointer<EventBuffer>
  var eventBufferCount: Int
  /// The input latencies that occur, and the transport as late as each.
  var arrivals: UnsafePointer<Int>
  var transports: UnsafeMutablePointer<Transport>
  var arrivalCount: Int
  /// What each step has cost since the plan was made, in ticks: sum and worst. Written while profiling.
  var costs: UnsafeMutablePointer<StepCost>
}

/// What a step has cost.
struct StepCost: BitwiseCopyable {
  var sum: UInt64 = 0
  var worst: UInt64 = 0
}
