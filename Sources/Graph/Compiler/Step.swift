// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// One operation of the audio thread in a cycle: trivial data that the compiler creates and the renderer reads.
@unsafe struct Step: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Calls a node's processor, sliced at its parameter events.
    case node
    /// Passes a bus to a tap.
    case tap
    /// Merges the events of several wires.
    case mergeEvents
    /// Writes the input of a feedback wire into its delay line.
    case sendBack
    /// Reads the output of a feedback wire from its delay line.
    case giveBack
    /// Delays a wire's events.
    case holdEvents
    /// Passes a wire's events on (`level` 1), or releases its held notes (0).
    case carryEvents
    /// Crossfades a node's output to its input.
    case bypass
    /// Applies the volume and pan lanes to a bus.
    case fade
    /// Copies a bus through an output guard to an output node.
    case output
    /// Clears a bus.
    case clear
    /// Adds a bus to another.
    case add
    /// Runs a wire; its output replaces the bus's content.
    case wire
    /// Runs a wire; its output is added to the bus.
    case wireAdding
    /// Copies an input node's events into the plan.
    case eventsIn
    /// Copies the plan's events to an output node.
    case eventsOut
  }

  // The fields that a step with a direct call needs come first, in one cache line. A step has two cache lines.

  /// The function that may be called instead of the processor.
  var directCall: DirectCall
  var kind: Kind
  /// The index of the node's input latency in the plan's table; there are fewer latencies than nodes.
  var arrival: UInt16 = 0
  /// The memory that the processor, or its direct call, touches first. The renderer prefetches it some steps before.
  var prefetched: (UnsafeRawPointer?, UnsafeRawPointer?)
  /// An unretained `Processor`, which the plan retains; nil for `clear`, `add` and external events.
  var processor: UnsafeRawPointer?
  /// The memory of the block that is passed to the processor.
  var memory: BlockMemory
  /// The slot of the node, for parameter events and reports; −1 for none.
  var slot: Int32 = -1
  /// The delay of a bypass or of a feedback wire, in frames.
  var delay: Int32 = 0
  /// The number of an input or output node in the cycle; −1 for none.
  var external: Int32 = -1
  /// The group of lanes that a node or a fader follows; −1 for none.
  var group: Int32 = -1
  /// For a bypass, 1 means bypassed.
  var level: Float = 1
  /// The index of the wire's channel strip in the plan.
  var strip: Int32 = 0

  /// A plan with more steps does not stay in the cache from one cycle to the next.
  static var largePlan: Int { @_noLocks @_noAllocation @inline(__always) get { 256 } }
  /// The distance at which the renderer reads addresses to prefetch, in steps; a plan ends with as many empty steps.
  static var readAhead: Int { @_noLocks @_noAllocation @inline(__always) get { 4 } }
  /// The offset of `memory` in a step, in bytes, since the audio thread cannot use key paths.
  static var memoryOffset: Int { @_noLocks @_noAllocation @inline(__always) get { 56 } }
}

/// Steps that run together; in a feedback loop they run repeatedly, in slices no longer than the feedback delay.
@unsafe struct Region: BitwiseCopyable {
  var first: Int32, end: Int32
  /// The longest slice in frames; `Int32.max` outside loops.
  var longest: Int32
}
