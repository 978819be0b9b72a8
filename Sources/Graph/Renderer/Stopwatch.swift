// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Synchronization

/// Times cycles, and finds the node that took longest, for about a hundredth of the time it measures.
///
/// A time stamp costs some ten nanoseconds. Where steps are long, each is timed for itself;
/// hundreds of very short ones are timed in groups, as many as the cycle before shows to be
/// affordable. While profiling, every step is.
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
    /// The cycle before.
    var lastCycle: UInt64 = 0
  }
  private let state: UnsafeMutablePointer<State>
  /// The longest cycle since `takeSlowest`: its ticks, its longest group's ticks and steps, and its plan.
  private let cycleTicks = Atomic<UInt64>(0), groupTicks = Atomic<UInt64>(0), group = Atomic<UInt64>(0)
  private let plan = Atomic<Int>(0)
  private let wasAsked = Atomic<Int>(0)
  /// The longest cycle since the renderer was made, in ticks.
  let longestTicks = Atomic<UInt64>(0)
  /// The last cycle: its ticks, and in the lower 20 bits how many frames it had.
  private let lastCycle = Atomic<UInt64>(0)
  /// The cycles that belong to the load.
  let histogram = CycleHistogram()
  private static var frameBits: UInt64 { @_noLocks @_noAllocation get { 20 } }
  /// Ticks that one stamp costs, a hundred times over: what a group must last.
  private let affordable: UInt64

  init() {
    affordable = swiftlet_ticks_per_stamp() * 100
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit { unsafe state.deallocate() }

  /// Begins a cycle, and says how many steps stand together between two stamps. Audio thread.
  ///
  /// - Parameter began: the cycle's first moment, by `rt_ticks`.
  @_noLocks @_noAllocation borrowing func start(stepCount: Int, isProfiling: Bool, at began: UInt64) -> Int {
    let before = unsafe state.pointee
    var fresh = State()
    fresh.isProfiling = isProfiling
    fresh.began = began
    fresh.last = began
    fresh.lastCycle = before.lastCycle
    // A look costs less than a swap, and mostly nobody has asked.
    let isNew =
      wasAsked.load(ordering: .relaxed) == 0
      ? false : wasAsked.exchange(0, ordering: .acquiringAndReleasing) != 0
    fresh.worstCycle = isNew ? 0 : before.worstCycle
    unsafe state.pointee = fresh
    // Of the first cycle nothing is known.
    if isProfiling || before.lastCycle == 0 { return 1 }
    let groups = max(Int(truncatingIfNeeded: min(before.lastCycle / affordable, UInt64(stepCount))), 1)
    return (stepCount + groups - 1) / groups
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

  /// Ends a cycle of so many frames. Audio thread.
  ///
  /// - Parameter isCounted: whether the cycle belongs to the load: the graph runs, and its sound is due.
  @_noLocks @_noAllocation borrowing func stop(frameCount: Int, isCounted: Bool) {
    let ticks = unsafe state.pointee.last &- state.pointee.began
    unsafe state.pointee.lastCycle = ticks
    let frames = UInt64(truncatingIfNeeded: min(max(frameCount, 0), 1 << Int(Self.frameBits) - 1))
    lastCycle.store(ticks << Self.frameBits | frames, ordering: .relaxed)
    if isCounted { histogram.add(ticks, frameCount: frameCount) }
    guard unsafe ticks > state.pointee.worstCycle else { return }
    unsafe state.pointee.worstCycle = ticks
    if ticks > longestTicks.load(ordering: .relaxed) { longestTicks.store(ticks, ordering: .relaxed) }
    let first = unsafe UInt64(UInt32(bitPattern: state.pointee.worstFirst))
    let end = unsafe UInt64(UInt32(bitPattern: state.pointee.worstEnd))
    cycleTicks.store(ticks, ordering: .relaxed)
    groupTicks.store(unsafe state.pointee.worstTicks, ordering: .relaxed)
    plan.store(unsafe state.pointee.generation, ordering: .relaxed)
    group.store(first << 32 | end, ordering: .releasing)
  }

  /// How many ticks the last cycle took, and how many frames it had. Control thread.
  borrowing func last() -> (ticks: UInt64, frameCount: Int) {
    let both = lastCycle.load(ordering: .relaxed)
    return (both >> Self.frameBits, Int(both & (1 << Self.frameBits - 1)))
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
