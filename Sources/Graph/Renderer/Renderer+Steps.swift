// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import SwiftletTimeline
import Synchronization

/// Calls a processor from the plan: the only call on the audio thread that the compiler cannot check. Each
/// processor's code is checked where it is defined, or enclosed in markers if it is third-party code.
@_semantics("no_performance_analysis") @inline(__always)
func callProcessor(_ processor: UnsafeRawPointer, _ block: Block) {
  unsafe Unmanaged<Processor>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.process(block) }
}

/// Applies a parameter event or reset, with the same waiver.
@_semantics("no_performance_analysis")
private func callProcessor(_ processor: UnsafeRawPointer, _ event: ParameterEvent) {
  guard event.parameter == ParameterEvent.reset else {
    return unsafe callProcessor(processor, event.parameter, event.value, over: event.glide)
  }
  unsafe Unmanaged<Processor>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.reset() }
}

@_semantics("no_performance_analysis")
func callProcessor(_ processor: UnsafeRawPointer, _ parameter: Int32, _ value: Float, over glide: Int32) {
  unsafe Unmanaged<Processor>.fromOpaque(processor)._withUnsafeGuaranteedRef {
    $0.set(Int(parameter), to: value, over: Int(glide))
  }
}

/// A slice of a cycle: steps run over it together.
private struct Slice: BitwiseCopyable {
  /// The slice's absolute frame, its length, and its offset in the cycle.
  var frame: Int64, frameCount: Int, offset: Int
  /// Whether nodes may be called directly: no events wait, no lanes move, and no fault is being searched for.
  var isQuiet: Bool
  /// Whether all direct calls are known to be open.
  var areOpen: Bool
  /// Whether the plan is so large that its memory does not stay in the cache from one cycle to the next.
  var isLarge: Bool
}

extension Renderer {
  /// Runs all steps of a plan over a cycle that started at `began`.
  @_noLocks @_noAllocation func run(
    _ plan: UnsafeMutablePointer<PlanMemory>, _ cycle: Cycle, since began: UInt64
  ) {
    let isProfiling = profiling.load(ordering: .relaxed) != 0
    let stride = stopwatch.start(
      stepCount: unsafe plan.pointee.stepCount, isProfiling: isProfiling, at: began)
    let isSearching = unsafe state.pointee.search.isUnderWay
    let areLanesDue = unsafe areLanesDue(plan, cycle)
    let isQuiet = pending.isEmpty() && !isSearching && !areLanesDue
    let closeCount = DirectCallKey.closeCount
    let areOpen = unsafe plan.pointee.open.areKnown(for: cycle.frameCount, closeCount)
    unsafe state.pointee.hasDetoured = !isQuiet
    for index in 0..<(unsafe plan.pointee.regionCount) {
      let region = unsafe plan.pointee.regions[index]
      var offset = 0
      while unsafe offset < cycle.frameCount {
        let frame = unsafe cycle.frame + Int64(offset)
        let count = unsafe min(cycle.frameCount - offset, sliceLength(region.longest, from: frame))
        let slice = Slice(
          frame: frame, frameCount: count, offset: offset, isQuiet: isQuiet, areOpen: areOpen,
          isLarge: unsafe plan.pointee.stepCount > Step.largePlan)
        var first = unsafe Int(region.first)
        while unsafe first < region.end {
          let end = unsafe min(first + stride, Int(region.end))
          unsafe run(first..<end, slice, plan, cycle)
          unsafe stopwatch.stamp(first, end, generation: plan.pointee.generation, costs: plan.pointee.costs)
          first = end
        }
        offset += count
      }
    }
    stopwatch.stop(
      frameCount: unsafe cycle.frameCount,
      isCounted: unsafe !plan.pointee.isAsleep && !cycle.isFreewheeling)
    if isProfiling { unsafe plan.pointee.profiledCycles.pointee.add(1, ordering: .releasing) }
    if areLanesDue { unsafe settleLanes(plan) }
    if !areOpen, unsafe !state.pointee.hasDetoured {
      unsafe plan.pointee.open.frameCount = cycle.frameCount
      unsafe plan.pointee.open.closeCount = closeCount
    }
    unsafe state.pointee.search.pass(cycle.frameCount)
  }

  /// Runs consecutive steps over a slice of the cycle.
  @_noLocks @_noAllocation private func run(
    _ range: Range<Int>, _ slice: Slice, _ plan: UnsafeMutablePointer<PlanMemory>, _ cycle: Cycle
  ) {
    let steps = unsafe plan.pointee.steps
    var index = range.lowerBound
    while true {
      if slice.isQuiet, slice.offset == 0, index < range.upperBound, unsafe steps[index].directCall.exists {
        unsafe index += callDirectly(
          steps + index, count: range.upperBound - index,
          frameCount: Int32(truncatingIfNeeded: slice.frameCount), areOpen: slice.areOpen,
          isLarge: slice.isLarge)
      }
      guard index < range.upperBound else { return }
      let step = unsafe steps + index
      unsafe prefetch(step + 1)
      unsafe prefetchAhead(step)
      if unsafe step.pointee.directCall.exists { unsafe state.pointee.hasDetoured = true }
      let block = unsafe Block(
        over: blockMemory(of: step), frameCount: slice.frameCount, frame: slice.frame,
        offset: slice.offset)
      if slice.isQuiet, case .node = unsafe step.pointee.kind, let processor = unsafe step.pointee.processor {
        unsafe callProcessor(processor, block)
      } else {
        unsafe perform(step, block, plan, cycle)
      }
      index += 1
    }
  }

  /// Runs consecutive steps by their direct calls while these are open, and returns the number of steps.
  ///
  /// The loops are separate and short, so that all that they need stays in registers.
  @_noLocks @_noAllocation @inline(never) private func callDirectly(
    _ first: UnsafeMutablePointer<Step>, count: Int, frameCount: Int32, areOpen: Bool, isLarge: Bool
  ) -> Int {
    var step = unsafe first
    var left = count
    rt_third_party_enter()
    rt_begin_runs()
    if areOpen, !isLarge {
      while left > 0, unsafe step.pointee.directCall.exists {
        unsafe step.pointee.directCall.take(frameCount: frameCount)
        unsafe step += 1
        left -= 1
      }
    } else if areOpen {
      while left > 0, unsafe step.pointee.directCall.exists {
        unsafe prefetchDirectCall(step + Step.readAhead)
        unsafe step.pointee.directCall.take(frameCount: frameCount)
        unsafe step += 1
        left -= 1
      }
    } else {
      while left > 0,
        unsafe step.pointee.directCall.isOpen(
          addresses: step.pointee.memory.addresses, frameCount: frameCount)
      {
        unsafe step.pointee.directCall.take(frameCount: frameCount)
        unsafe step += 1
        left -= 1
      }
    }
    rt_end_call()
    rt_mend_float_mode()
    rt_third_party_exit()
    return count - left
  }

  /// Prefetches the memory that a direct call of a large plan will touch.
  @_noLocks @_noAllocation @inline(__always) private func prefetchDirectCall(_ step: UnsafePointer<Step>) {
    unsafe step.pointee.directCall.prefetch()
    unsafe rt_prefetch(step.pointee.prefetched.0)
    unsafe rt_prefetch(step.pointee.prefetched.1)
    unsafe rt_prefetch(step + Step.readAhead)
  }

  /// Prefetches the memory that a step will touch.
  @_noLocks @_noAllocation @inline(__always) private func prefetch(_ step: UnsafePointer<Step>) {
    unsafe rt_prefetch(step.pointee.processor)
    unsafe rt_prefetch(step.pointee.prefetched.0)
    unsafe rt_prefetch(step.pointee.prefetched.1)
  }

  /// Prefetches the memory of a step some steps ahead: a new plan is in the cache of the core that wrote it, and a
  /// large plan does not fit into the cache. Addresses past the plan's end are prefetched, never read.
  @_noLocks @_noAllocation @inline(__always) private func prefetchAhead(_ step: UnsafePointer<Step>) {
    let ahead = unsafe UnsafeRawPointer(step) + 8 * MemoryLayout<Step>.stride
    unsafe rt_prefetch(ahead)
    unsafe rt_prefetch(ahead + 64)
    // Most steps have two buses.
    unsafe rt_prefetch(UnsafeRawPointer(step.pointee.memory.inputs) + 16 * MemoryLayout<BusMemory>.stride)
  }

  /// Returns the address of a step's block memory.
  @_noLocks @_noAllocation @inline(__always)
  private func blockMemory(of step: UnsafePointer<Step>) -> UnsafePointer<BlockMemory> {
    unsafe (UnsafeRawPointer(step) + Step.memoryOffset).assumingMemoryBound(to: BlockMemory.self)
  }

  /// Returns the maximum length of a slice in a feedback loop. If possible, the slice ends on the 16-frame grid, for
  /// the plugins in the loop.
  @_noLocks @_noAllocation private func sliceLength(_ longest: Int32, from frame: Int64) -> Int {
    guard longest < Int32.max else { return Int.max }
    let end = (frame + Int64(longest)) & ~15
    return end > frame ? Int(end - frame) : Int(longest)
  }

  @_noLocks @_noAllocation private func perform(
    _ step: UnsafePointer<Step>, _ block: Block, _ plan: UnsafeMutablePointer<PlanMemory>, _ cycle: Cycle
  ) {
    switch unsafe step.pointee.kind {
    case .node:
      guard let processor = unsafe step.pointee.processor else { return }
      if unsafe pending.isEmpty(step.pointee.slot) ? step.pointee.group < 0 : false {
        unsafe callProcessor(processor, block)
      } else {
        unsafe runInSlices(processor, block, step, plan)
      }
      if unsafe state.pointee.search.isUnderWay { unsafe searchFault(block, slot: step.pointee.slot) }
    case .tap, .mergeEvents:
      if let processor = unsafe step.pointee.processor { unsafe callProcessor(processor, block) }
    case .sendBack, .giveBack: unsafe feedBack(step, block)
    case .holdEvents: unsafe hold(step, block)
    case .carryEvents: unsafe carry(step, block)
    case .clear:
      let bus = block.output()
      for channel in 0..<bus.channelCount { bus[channel].clear() }
    case .add:
      let source = block.input(), sum = block.output()
      for channel in 0..<min(source.channelCount, sum.channelCount) {
        let samples = source[channel], total = sum[channel]
        for frame in 0..<samples.count { total[frame] += samples[frame] }
      }
    case .wire, .wireAdding: unsafe wire(step, block, plan.pointee.stripTargets[Int(step.pointee.strip)])
    case .bypass: unsafe bypass(step, block)
    case .fade: unsafe fade(step, block, plan)
    case .output: unsafe send(step, block)
    case .eventsIn: unsafe takeIn(block, cycle, Int(step.pointee.external))
    case .eventsOut: unsafe sendOut(block, cycle, Int(step.pointee.external))
    }
  }

  /// Runs a processor in slices, so that its parameters change on their exact frame, or on the next frame at which it
  /// can be cut.
  @_noLocks @_noAllocation private func runInSlices(
    _ processor: UnsafeRawPointer, _ block: Block, _ step: UnsafePointer<Step>,
    _ plan: UnsafeMutablePointer<PlanMemory>
  ) {
    let grid = unsafe Int64(cut(of: processor)), slot = unsafe step.pointee.slot
    let late = unsafe plan.pointee.arrivals[Int(step.pointee.arrival)]
    let lanes = unsafe step.pointee.group < 0 ? nil : plan.pointee.groups + Int(step.pointee.group)
    // The frame at which a lane is applied next.
    var next = Int64.max
    var start = 0
    while start < block.frameCount {
      let now = block.frame + Int64(start)
      // Nothing changes between grid lines, wherever blocks begin, so all block sizes produce the same output.
      let isLine = grid <= 1 || now % grid == 0
      if isLine {
        while !pending.isEmpty(slot), pending.first(slot).frame + Int64(late) <= now {
          unsafe callProcessor(processor, pending.first(slot))
          pending.removeFirst(slot)
        }
      }
      if let lanes = unsafe lanes {
        next = isLine ? .max : now + 1
        for index in 0..<(unsafe isLine ? Int(lanes.pointee.count) : 0) {
          next = unsafe min(
            next,
            follow(
              plan.pointee.lanes[Int(lanes.pointee.first) + index], processor, at: now, late: Int64(late),
              grid: grid))
        }
      }
      var end = block.frameCount
      if grid > 0, next < block.frame + Int64(end) {
        end = min(end, Int((next + grid - 1) / grid * grid - block.frame))
      }
      if grid > 0, !pending.isEmpty(slot) {
        let due = max(pending.first(slot).frame + Int64(late), now + 1)
        let line = (due + grid - 1) / grid * grid - block.frame
        if line < Int64(end) { end = Int(line) }
      }
      unsafe callProcessor(processor, block.slice(from: start, count: end - start))
      start = end
    }
  }

  @_semantics("no_performance_analysis")
  private func cut(of processor: UnsafeRawPointer) -> Int {
    unsafe Unmanaged<Processor>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.cut.rawValue }
  }
}
