// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Synchronization

/// Finds the node that took longest, at the price of about sixteen time stamps a cycle.
///
/// Up to sixteen steps are timed each for itself; more are timed in groups. While profiling, every step is.
@safe struct Stopwatch: ~Copyable {
  private struct State: BitwiseCopyable {
    var isProfiling = false
    var began: UInt64 = 0, last: UInt64 = 0
    /// The longest group of this cycle: its ticks, its first step and the step behind its last.
    var worstTicks: UInt64 = 0
    var worstFirst: Int32 = 0, worstEnd: Int32 = 0
    var generation = 0
    /// The longest cycle since somebody asked.
    var worstCycle: UInt64 = 0
  }
  private let state: UnsafeMutablePointer<State>
  /// The longest cycle since `takeSlowest`: its ticks, its longest group's ticks and steps, and its plan.
  private let cycleTicks = Atomic<UInt64>(0), groupTicks = Atomic<UInt64>(0), group = Atomic<UInt64>(0)
  private let plan = Atomic<Int>(0)
  private let wasAsked = Atomic<Int>(0)

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit { unsafe state.deallocate() }

  /// Begins a cycle, and says how many steps stand together between two stamps. Audio thread.
  @_noLocks @_noAllocation borrowing func start(stepCount: Int, isProfiling: Bool) -> Int {
    var fresh = State()
    fresh.isProfiling = isProfiling
    fresh.began = rt_ticks()
    fresh.last = fresh.began
    let isNew = wasAsked.exchange(0, ordering: .acquiringAndReleasing) != 0
    fresh.worstCycle = isNew ? 0 : unsafe state.pointee.worstCycle
    unsafe state.pointee = fresh
    return isProfiling ? 1 : (stepCount + 15) / 16
  }

  /// Ends a group of steps. Audio thread.
  @_noLocks @_noAllocation borrowing func stamp(
    _ first: Int, _ end: Int, generation: Int, costs: UnsafeMutablePointer<StepCost>
  ) {
    let now = rt_ticks()
    let ticks = unsafe now &- state.pointee.last
    unsafe state.pointee.last = now
    if unsafe state.pointee.isProfiling { unsafe costs[first].add(ticks) }
    if unsafe ticks > state.pointee.worstTicks {
      unsafe state.pointee.worstTicks = ticks
      unsafe state.pointee.worstFirst = Int32(truncatingIfNeeded: first)
      unsafe state.pointee.worstEnd = Int32(truncatingIfNeeded: end)
      unsafe state.pointee.generation = generation
    }
  }

  /// Ends a cycle. Audio thread.
  @_noLocks @_noAllocation borrowing func stop() {
    let ticks = unsafe state.pointee.last &- state.pointee.began
    guard unsafe ticks > state.pointee.worstCycle else { return }
    unsafe state.pointee.worstCycle = ticks
    let first = unsafe UInt64(UInt32(bitPattern: state.pointee.worstFirst))
    let end = unsafe UInt64(UInt32(bitPattern: state.pointee.worstEnd))
    cycleTicks.store(ticks, ordering: .relaxed)
    groupTicks.store(unsafe state.pointee.worstTicks, ordering: .relaxed)
    plan.store(unsafe state.pointee.generation, ordering: .relaxed)
    group.store(first << 32 | end, ordering: .releasing)
  }

  /// The steps and ticks of the longest group in the worst cycle since the last call, and the generation of
  /// its plan. Control thread.
  borrowing func takeSlowest() -> (steps: Range<Int>, ticks: UInt64, cycleTicks: UInt64, generation: Int) {
    let both = group.load(ordering: .acquiring)
    let first = Int(both >> 32)
    let result = (
      steps: first..<max(Int(both & 0xFFFF_FFFF), first), ticks: groupTicks.load(ordering: .relaxed),
      cycleTicks: cycleTicks.load(ordering: .relaxed), generation: plan.load(ordering: .relaxed)
    )
    wasAsked.store(1, ordering: .releasing)
    return result
  }
}
