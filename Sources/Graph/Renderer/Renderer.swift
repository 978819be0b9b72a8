// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
internal import SwiftletTimeline
package import Synchronization

/// Renders plans. A backend calls it for each cycle: JACK's callback, the offline loop or a test.
///
/// Only one thread at a time may render. Plans arrive through the exchange, parameter changes and reports pass
/// through rings.
// @unchecked: only the rendering thread uses the memory behind `state` and `pending`; rings, exchange and counters
// are safe for two threads.
@safe package final class Renderer: @unchecked Sendable {
  /// The rendering thread's state between cycles.
  @unsafe struct State: BitwiseCopyable {
    var plan: UnsafeMutableRawPointer?
    /// A plan that was taken and is not in use yet, and the number of its bytes that have been prefetched.
    var next: UnsafeMutableRawPointer?
    var fetchedBytes = 0
    /// The search for the node that causes an output node to be muted.
    var search = FaultSearch()
    var worstCycle: UInt64 = 0
    var droppedEvents: Int64 = 0
    /// Whether a step of this cycle could not use its direct call.
    var hasDetoured = false
    /// The next timeline frame, and the timeline frame minus the stream frame in this cycle.
    var timeline: Int64 = 0, shift: Int64 = 0
    /// Whether the timeline is stopped in this cycle.
    var isStill = false
    /// The timeline's loop range in this cycle.
    var loop: TimelineLoop?
  }

  /// The sample rate in Hz.
  package let sampleRate: Double
  /// The length in frames of a fade that hides a discontinuity.
  let fadeFrames: Int
  /// The longest permitted cycle, in frames. Backends split longer ones.
  package let longestBlock: Int
  /// The absolute frame after the last rendered one. Any thread.
  package let position = Atomic<Int64>(0)
  /// The timeline frame after the last rendered one. Like ``position``, but it stops while the timeline is stopped.
  /// It counts on through all loops. Any thread.
  package let timelinePosition = Atomic<Int64>(0)
  /// Whether the timeline follows the transport. Any thread.
  package let followsTransport = Atomic<Bool>(false)
  /// The engine's own transport, which replaces JACK's. Control threads only.
  package let localTransport = LocalTransport()
  /// The number of rendered cycles. Any thread.
  package let cycleCount = Atomic<Int>(0)

  let exchange = PlanExchange()
  let parameters: RecordRing<ParameterEvent>
  let moves: RecordRing<StripChange>
  /// The slots of removed nodes, whose waiting events are dropped. A separate ring: the ring of events may be full of
  /// events for such a node.
  let removedSlots = RecordRing<Int32>(capacity: 1024, filler: -1)
  let reports: RecordRing<Report>
  let pending = PendingEvents()
  let state: UnsafeMutablePointer<State>
  /// The number of rendered frames; unlike `position`, it has no gaps.
  let renderedFrames = Atomic<Int64>(0)
  /// The generation of the plan in use, and the value of `renderedFrames` when it was adopted.
  let generation = Atomic<Int>(0), adoptedAt = Atomic<Int64>(0)
  /// The purposes for which each step is timed, as bits of ``ProfilingPurpose``.
  let profiling = Atomic<Int>(0)
  let stopwatch = Stopwatch()

  /// Creates a renderer that is silent until a plan is published. Control threads only.
  package init(sampleRate: Double, longestBlock: Int = 8192) {
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    fadeFrames = Self.fadeFrames(at: sampleRate)
    parameters = RecordRing(
      capacity: PendingEvents.capacity,
      filler: ParameterEvent(frame: 0, slot: 0, parameter: 0, value: 0, glide: 0))
    moves = RecordRing(
      capacity: StripChange.capacity, filler: StripChange(generation: 0, index: 0, targets: StripTargets()))
    reports = RecordRing(capacity: 256, filler: Report(kind: .muted, slot: 0, frame: 0))
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit { unsafe state.deallocate() }

  /// Returns the length of a fade that hides a discontinuity: 5 ms, in frames.
  static func fadeFrames(at sampleRate: Double) -> Int { max(Int(sampleRate * 0.005), 1) }

  /// Renders a cycle of 1 to `longestBlock` frames. Rendering thread only; never blocks.
  @_noLocks @_noAllocation package func render(_ given: Cycle) {
    var cycle = unsafe given
    rt_enter()
    let began = rt_ticks()
    let denormals = rt_flush_denormals()
    unsafe silenceOutputs(cycle)
    unsafe adoptPlan(cycle)
    if let raw = unsafe state.pointee.plan, unsafe cycle.frameCount > 0,
      unsafe cycle.frameCount <= longestBlock
    {
      let plan = unsafe raw.assumingMemoryBound(to: PlanMemory.self)
      let own = unsafe localTransport.beginCycle(isAsleep: plan.pointee.isAsleep)
      if let own { unsafe cycle.transport = own }
      // This must precede `acceptEvents`: a removed node may be back in this plan.
      while let slot = removedSlots.pop() { pending.dismiss(slot) }
      if unsafe generation.load(ordering: .relaxed) != plan.pointee.generation {
        adoptedAt.store(renderedFrames.load(ordering: .relaxed), ordering: .relaxed)
        generation.store(unsafe plan.pointee.generation, ordering: .releasing)
        for index in 0..<(unsafe plan.pointee.returningCount) {
          unsafe pending.acceptEvents(plan.pointee.returning[index])
        }
      }
      takeEvents()
      unsafe takeMoves(plan)
      unsafe state.pointee.loop = localTransport.currentLoop
      if let own {
        unsafe state.pointee.timeline = localTransport.frame
        unsafe state.pointee.isStill = !own.isRolling
      } else if followsTransport.load(ordering: .relaxed) {
        unsafe state.pointee.timeline = unsafe cycle.transport.position
        unsafe state.pointee.isStill = unsafe !cycle.transport.isRolling
      } else {
        unsafe state.pointee.isStill = unsafe plan.pointee.isAsleep
        let shown = unsafe localTransport.shownTransport(
          at: state.pointee.timeline, isRolling: !state.pointee.isStill)
        if let shown { unsafe cycle.transport = shown }
      }
      unsafe open(plan, cycle)
      unsafe state.pointee.shift = unsafe state.pointee.timeline - cycle.frame
      unsafe run(plan, cycle, since: began)
      timelinePosition.store(unsafe state.pointee.timeline, ordering: .releasing)
      if unsafe !state.pointee.isStill {
        unsafe state.pointee.timeline += Int64(cycle.frameCount)
        timelinePosition.store(unsafe state.pointee.timeline, ordering: .releasing)
        unsafe localTransport.advance(cycle.frameCount)
      }
      let rendered = unsafe renderedFrames.load(ordering: .relaxed) + Int64(cycle.frameCount)
      renderedFrames.store(rendered, ordering: .releasing)
    }
    position.store(unsafe cycle.frame + Int64(cycle.frameCount), ordering: .releasing)
    cycleCount.store(cycleCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    rt_restore_denormals(denormals)
    rt_exit()
    swiftlet_leave_processor()
  }

  /// Clears all output buses; those that the plan does not fill stay silent.
  @_noLocks @_noAllocation private func silenceOutputs(_ cycle: Cycle) {
    for number in 0..<(unsafe cycle.outputCount) {
      let bus = unsafe cycle.outputs[number]
      for channel in 0..<(unsafe bus.channelCount) {
        unsafe rt_clear_floats(bus.channels[channel], cycle.frameCount)
      }
      if let events = unsafe bus.events { events.clear() }
    }
  }

  /// Points the plan's table at this cycle's memory, and clears the plan's event buffers.
  @_noLocks @_noAllocation private func open(_ plan: UnsafeMutablePointer<PlanMemory>, _ cycle: Cycle) {
    let table = unsafe plan.pointee.table
    for index in 0..<(unsafe plan.pointee.inputPatchCount) {
      let patch = unsafe plan.pointee.inputPatches[index]
      let isThere = unsafe patch.external < cycle.inputCount
      if isThere, unsafe patch.channel < cycle.inputs[Int(patch.external)].channelCount {
        unsafe table[Int(patch.entry)] = unsafe cycle.inputs[Int(patch.external)].channels[Int(patch.channel)]
      } else {
        unsafe table[Int(patch.entry)] = unsafe plan.pointee.zeros
      }
    }
    for index in 0..<(unsafe plan.pointee.outputPatchCount) {
      let patch = unsafe plan.pointee.outputPatches[index]
      let isThere = unsafe patch.external < cycle.outputCount
      if isThere, unsafe patch.channel < cycle.outputs[Int(patch.external)].channelCount {
        unsafe table[Int(patch.entry)] = unsafe cycle.outputs[Int(patch.external)].channels[
          Int(patch.channel)]
      } else {
        unsafe table[Int(patch.entry)] = unsafe plan.pointee.trash
      }
    }
    for index in 0..<(unsafe plan.pointee.eventBufferCount) {
      let buffer = unsafe plan.pointee.eventBuffers[index]
      unsafe state.pointee.droppedEvents += Int64(buffer.takeDropped())
      buffer.clear()
    }
    for index in 0..<(unsafe plan.pointee.arrivalCount) {
      unsafe plan.pointee.transports[index] = unsafe cycle.transport.earlier(
        by: plan.pointee.arrivals[index], sampleRate: sampleRate)
      unsafe plan.pointee.transports[index].isFreewheeling = cycle.isFreewheeling
    }
    if unsafe state.pointee.droppedEvents > 0 {
      let report = unsafe Report(
        kind: .eventsDropped, slot: -1, frame: cycle.frame, count: state.pointee.droppedEvents)
      if reports.push(report) { unsafe state.pointee.droppedEvents = 0 }
    }
  }

  /// Moves parameter events from the ring to their nodes' lists, where they wait for their frame.
  ///
  /// The work per cycle is limited, since thousands of unsorted events would take long to insert. The rest follows in
  /// the next cycles, which is early enough for events that are sent ahead of time.
  @_noLocks @_noAllocation private func takeEvents() {
    var effort = 20_000
    while effort > 0, pending.hasRoom(), let event = parameters.peek() {
      effort -= pending.insert(event)
      _ = parameters.pop()
    }
  }
}

extension Transport {
  /// Returns the transport `frames` frames earlier, as heard by a node whose input is delayed by that latency.
  @_noLocks @_noAllocation func earlier(by frames: Int, sampleRate: Double) -> Transport {
    guard frames > 0, isRolling else { return self }
    var past = self
    past.position -= Int64(frames)
    guard tempo > 0, beatsPerBar > 0 else { return past }
    past.beat -= Double(frames) / sampleRate * tempo / 60
    if past.beat < 0, past.bar > 1 {
      // Go back by as many bars as needed, but not before the first. Computed without a loop, since a timebase source
      // may send invalid values. If the result is NaN, `min` returns its first argument.
      let most = Double(past.bar) - 1
      let bars = min(most, -rt_floor_double(past.beat / Double(beatsPerBar)))
      past.beat += bars * Double(beatsPerBar)
      past.bar -= Int32(bars)
    }
    past.beat = max(past.beat, 0)
    return past
  }
}
