// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// One thing the audio thread does in a cycle: trivial data, made by the compiler, read by the renderer.
@unsafe struct Step: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Calls a node's processor, cut at its parameter events.
    case node
    /// Hands a bus to a tap.
    case tap
    /// Joins the events of several wires.
    case mergeEvents
    /// Takes what a feedback wire is to carry back.
    case sendBack
    /// Plays what a feedback wire carried back.
    case giveBack
    /// Holds a wire's events back.
    case holdEvents
    /// Hands a wire's events on (`level` 1), or lets go of its notes (0).
    case carryEvents
    /// Crossfades a node's output to its input.
    case bypass
    /// Multiplies a bus by what its lanes say.
    case fade
    /// Carries sound through a guard to a way out.
    case output
    /// Makes a bus silent.
    case clear
    /// Adds a bus to what another holds.
    case add
    /// Runs a wire, its sound replacing what the bus holds.
    case wire
    /// Runs a wire, its sound added to what the bus holds.
    case wireAdding
    /// Copies a way in's events into the plan.
    case eventsIn
    /// Copies the plan's events to a way out.
    case eventsOut
  }

  // What a step that takes its shortcut needs stands first, in one line of the
  // cache. Two lines are all it has.

  /// What may be called in the processor's place.
  var shortcut: Shortcut
  var kind: Kind
  /// Which of the plan's input latencies is the node's. There are fewer than nodes.
  var arrival: UInt16 = 0
  /// The memory that the processor, or its shortcut, touches first. The renderer prefetches it some steps before.
  var warm: (UnsafeRawPointer?, UnsafeRawPointer?)
  /// An unretained `Processor` that the plan keeps alive; nil for `clear`, `add` and external events.
  var processor: UnsafeRawPointer?
  /// The memory of the block that the processor is given.
  var memory: BlockMemory
  /// The node that is to blame and to be set; −1 for none.
  var slot: Int32 = -1
  /// The delay of a bypass or of a feedback wire, in frames.
  var delay: Int32 = 0
  /// The number of an input or output node in the cycle; −1 for none.
  var external: Int32 = -1
  /// The group of lanes that a node or a fader follows; −1 for none.
  var group: Int32 = -1
  /// For a bypass, 1 is bypassed.
  var level: Float = 1
  /// Which of the plan's places a wire heads for.
  var place: Int32 = 0

  /// How many steps ahead the renderer reads addresses to prefetch: so many empty steps follow the last of a plan.
  static var readAhead: Int { @_noLocks @_noAllocation @inline(__always) get { 4 } }
  /// How far into a step its `memory` lies: the audio thread asks no key path.
  static var memoryOffset: Int { @_noLocks @_noAllocation @inline(__always) get { 56 } }
}

/// Steps that run together, again and again, in slices no longer than a feedback wire is late.
@unsafe struct Region: BitwiseCopyable {
  var first: Int32, end: Int32
  /// The longest slice in frames; `Int32.max` outside loops.
  var longest: Int32
}
