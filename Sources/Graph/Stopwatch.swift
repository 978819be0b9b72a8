// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Synchronization

/// Finds the node that took longest, at the price of at most sixteen time stamps a cycle.
///
/// Up to sixteen steps are timed each for itself; more are timed in groups. While profiling, every step is.
@safe struct Stopwatch: ~Copyable {
  private struct State: BitwiseCopyable {
    var stride = 1, untilStamp = 1
    var isProfiling = false
    var began: UInt64 = 0, last: UInt64 = 0
    /// The group under the watch, and the longest of this cycle, by the slots of its first and last node.
    var first: Int32 = -1, end: Int32 = -1
    var worstTicks: UInt64 = 0
    var worstFirst: Int32 = -1, worstEnd: Int32 = -1
    var worstCycle: UInt64 = 0
  }
  private let state: UnsafeMutablePointer<State>
  /// The longest cycle since `takeSlowest`: its ticks, its longest group's ticks, and that group's slots.
  private let cycleTicks = Atomic<UInt64>(0), groupTicks = Atomic<UInt64>(0), slots = Atomic<UInt64>(0)
  private let asked = Atomic<Int>(0)

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit { unsafe state.deallocate() }

  @_noLocks @_noAllocation borrowing func start(stepCount: Int, isProfiling: Bool) {
    let now = rt_ticks()
    var fresh = State()
    fresh.stride = isProfiling ? 1 : (stepCount + 15) / 16
    fresh.untilStamp = fresh.stride
    fresh.isProfiling = isProfiling
    fresh.began = now
    fresh.last = now
    let wasAsked = asked.exchange(0, ordering: .acquiringAndReleasing) != 0
    fresh.worstCycle = wasAsked ? 0 : unsafe state.pointee.worstCycle
    unsafe state.pointee = fresh
  }

  @_noLocks @_noAllocation @inline(__always)
  borrowing func step(_ index: Int, _ slot: Int32, costs: UnsafeMutablePointer<StepCost>) {
    if slot >= 0 {
      if unsafe state.pointee.first < 0 { unsafe state.pointee.first = slot }
      unsafe state.pointee.end = slot
    }
    unsafe state.pointee.untilStamp -= 1
    if unsafe state.pointee.untilStamp == 0 { unsafe stamp(index, costs) }
  }

  @_noLocks @_noAllocation private borrowing func stamp(_ index: Int, _ costs: UnsafeMutablePointer<StepCost>) {
    let now = rt_ticks()
    let ticks = unsafe now &- state.pointee.last
    if unsafe state.pointee.isProfiling {
      unsafe costs[index].sum &+= ticks
      unsafe costs[index].worst = unsafe max(costs[index].worst, ticks)
    }
    if unsafe ticks > state.pointee.worstTicks, unsafe state.pointee.first >= 0 {
      unsafe state.pointee.worstTicks = ticks
      unsafe state.pointee.worstFirst = unsafe state.pointee.first
      unsafe state.pointee.worstEnd = unsafe state.pointee.end
    }
    unsafe state.pointee.first = -1
    unsafe state.pointee.last = now
    unsafe state.pointee.untilStamp = unsafe state.pointee.stride
  }

  @_noLocks @_noAllocation borrowing func stop() {
    let ticks = unsafe rt_ticks() &- state.pointee.began
    guard unsafe ticks > state.pointee.worstCycle else { return }
    unsafe state.pointee.worstCycle = ticks
    let first = unsafe UInt64(UInt32(bitPattern: state.pointee.worstFirst))
    let end = unsafe UInt64(UInt32(bitPattern: state.pointee.worstEnd))
    cycleTicks.store(ticks, ordering: .relaxed)
    groupTicks.store(unsafe state.pointee.worstTicks, ordering: .relaxed)
    slots.store(first << 32 | end, ordering: .releasing)
  }

  /// The slots and ticks of the worst cycle since the last call. Control thread.
  borrowing func takeSlowest() -> (first: Int, end: Int, ticks: UInt64, cycleTicks: UInt64) {
    let both = slots.load(ordering: .acquiring)
    let group = groupTicks.load(ordering: .relaxed), cycle = cycleTicks.load(ordering: .relaxed)
    asked.store(1, ordering: .releasing)
    return (
      Int(Int32(truncatingIfNeeded: both >> 32)), Int(Int32(truncatingIfNeeded: both & 0xFFFF_FFFF)), group, cycle
    )
  }
}
