// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// Times cycles and finds the slowest node, at a cost of about 1 % of the measured time.
///
/// A time stamp costs some ten nanoseconds. Long steps are timed one by one. Hundreds of very short steps are timed
/// in groups; the length of the previous cycle determines how many groups are affordable. While profiling, every step
/// is timed.
@safe struct Stopwatch: ~Copyable {
  /// The longest of several cycles.
  struct SlowestCycle: BitwiseCopyable {
    var ticks: UInt64 = 0
    var frameCount = 0
    /// The ticks of its slowest group, the group's first step, and the step after its last.
    var groupTicks: UInt64 = 0
    var first = 0, end = 0
    /// The number of its plan.
    var generation = 0
  }

  private struct State: BitwiseCopyable {
    var isProfiling = false
    var began: UInt64 = 0, last: UInt64 = 0
    /// The slowest group of this cycle: its ticks, its first step, and the step after its last.
    var worstTicks: UInt64 = 0
    var worstFirst: Int32 = 0, worstEnd: Int32 = 0
    var generation = 0
    /// The longest cycle since the last call of `takeSlowest`.
    var worstCycle: UInt64 = 0
    /// The number of its frames; 1 before the first.
    var worstFrames: UInt64 = 1
    /// The previous cycle.
    var lastCycle: UInt64 = 0
  }
  private let state: UnsafeMutablePointer<State>
  /// The longest cycle since the last call of `takeSlowest`.
  private let slowest = LatestValue(SlowestCycle())
  private let wasAsked = Atomic<Int>(0)
  /// The longest cycle since the renderer was created, in ticks.
  let longestTicks = Atomic<UInt64>(0)
  /// The last cycle: its ticks, and in the lower 20 bits its number of frames.
  private let lastCycle = Atomic<UInt64>(0)
  /// The cycles that count for the load.
  let histogram = CycleHistogram()
  private static var frameBits: UInt64 { @_noLocks @_noAllocation get { 20 } }
  /// The minimum duration of a group, in ticks: 100 times the cost of a time stamp.
  private let affordable: UInt64

  init() {
    affordable = swiftlet_ticks_per_stamp() * 100
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit { unsafe state.deallocate() }

  /// Begins a cycle, and returns the number of steps per group. Audio thread only.
  ///
  /// - Parameter began: the time of the cycle's start, from `rt_ticks`.
  @_noLocks @_noAllocation borrowing func start(stepCount: Int, isProfiling: Bool, at began: UInt64) -> Int {
    let before = unsafe state.pointee
    var fresh = State()
    fresh.isProfiling = isProfiling
    fresh.began = began
    fresh.last = began
    fresh.lastCycle = before.lastCycle
    // A load costs less than an exchange, and is usually sufficient.
    let isNew =
      wasAsked.load(ordering: .relaxed) == 0
      ? false : wasAsked.exchange(0, ordering: .acquiringAndReleasing) != 0
    fresh.worstCycle = isNew ? 0 : before.worstCycle
    fresh.worstFrames = isNew ? 1 : before.worstFrames
    unsafe state.pointee = fresh
    // The first cycle has no predecessor to estimate from.
    if isProfiling || before.lastCycle == 0 { return 1 }
    let groups = max(Int(truncatingIfNeeded: min(before.lastCycle / affordable, UInt64(stepCount))), 1)
    return (stepCount + groups - 1) / groups
  }

  /// Ends a group of steps. Audio thread only.
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

  /// Ends a cycle of `frameCount` frames. Audio thread only.
  ///
  /// - Parameter isCounted: whether the cycle counts for the load: the graph is awake and the cycle has a deadline.
  @_noLocks @_noAllocation borrowing func stop(frameCount: Int, isCounted: Bool) {
    let ticks = unsafe state.pointee.last &- state.pointee.began
    unsafe state.pointee.lastCycle = ticks
    let frames = UInt64(truncatingIfNeeded: min(max(frameCount, 0), 1 << Int(Self.frameBits) - 1))
    lastCycle.store(ticks << Self.frameBits | frames, ordering: .relaxed)
    if isCounted { histogram.add(ticks, frameCount: frameCount) }
    if ticks > longestTicks.load(ordering: .relaxed) { longestTicks.store(ticks, ordering: .relaxed) }
    // The longest cycle is the one with the most ticks for each of its frames.
    guard isCounted, frames > 0,
      unsafe ticks &* state.pointee.worstFrames > state.pointee.worstCycle &* frames
    else { return }
    unsafe state.pointee.worstCycle = ticks
    unsafe state.pointee.worstFrames = frames
    slowest.publish(
      SlowestCycle(
        ticks: ticks, frameCount: Int(truncatingIfNeeded: frames),
        groupTicks: unsafe state.pointee.worstTicks, first: unsafe Int(state.pointee.worstFirst),
        end: unsafe Int(state.pointee.worstEnd), generation: unsafe state.pointee.generation))
  }

  /// Returns the last cycle's ticks and frames. Control threads only.
  borrowing func last() -> (ticks: UInt64, frameCount: Int) {
    let both = lastCycle.load(ordering: .relaxed)
    return (both >> Self.frameBits, Int(both & (1 << Self.frameBits - 1)))
  }

  /// Returns the longest cycle since the last call; its `ticks` are 0 if there was none. Control threads only.
  borrowing func takeSlowest() -> SlowestCycle {
    defer { wasAsked.store(1, ordering: .releasing) }
    return slowest.latest()
  }
}
