// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Synchronization

/// The cost of one cycle of the renderer.
package struct CycleCost: Sendable, Equatable {
  /// The cycle's number: reading the same cycle twice returns the same number.
  package var number: Int
  /// The time that the cycle took, and the duration of its sound, in seconds.
  package var seconds: Double, period: Double
}

/// The cost of each step of a plan at the start of a sampling, and the sampling's progress.
package struct CostSampling: Sendable {
  fileprivate let generation: Int, cycles: Int, sums: [UInt64]
  /// The number of the cycle in which enough cycles had been timed; nil until then.
  fileprivate var end: Int?
}

/// A node, and its share of a cycle's time.
package struct NodeShare: Sendable, Equatable {
  package var node: NodeID
  /// The share of the period: 1 is the whole period.
  package var share: Double
}

extension GraphController {
  /// The cost of the last cycle; nil before the first. Control threads only.
  package var lastCycle: CycleCost? {
    let number = renderer.cycleCount.load(ordering: .relaxed), last = renderer.stopwatch.last()
    let perSecond = swiftlet_ticks_per_second()
    guard last.frameCount > 0, perSecond > 0 else { return nil }
    return CycleCost(
      number: number, seconds: Double(last.ticks) / perSecond,
      period: Double(last.frameCount) / renderer.sampleRate)
  }

  /// The histogram of all cycles so far, without those in which the graph was asleep or freewheeling. Control threads
  /// only.
  package var cycleCounts: CycleCounts { renderer.stopwatch.histogram.snapshot() }

  /// Returns the load of cycles; nil if there are none. Control threads only.
  package func load(of cycles: CycleCounts) -> CycleLoad? {
    CycleLoad(cycles, ticksPerFrame: swiftlet_ticks_per_second() / renderer.sampleRate)
  }

  /// Makes the audio thread time each step until ``endSampling(_:after:)`` or ``cancelSampling()``; returns nil
  /// without a plan.
  package func beginSampling() -> CostSampling? {
    guard let current else { return nil }
    let sampling = CostSampling(
      generation: current.generation, cycles: profiledCycles(of: current), sums: sums(of: current))
    setProfiling(true, for: .overload)
    return sampling
  }

  /// Ends the sampling, and returns the nodes sorted by their cost since it began, the most expensive first.
  ///
  /// - Parameter cycles: the number of cycles needed.
  /// - Returns: nil until that many cycles were timed. Empty if another plan is in use by now: then a new sampling is
  ///   needed.
  package func endSampling(_ sampling: inout CostSampling, after cycles: Int) -> [NodeShare]? {
    guard let current, current.generation == sampling.generation else {
      cancelSampling()
      return []
    }
    let cycle = renderer.cycleCount.load(ordering: .relaxed)
    guard let end = sampling.end else {
      guard profiledCycles(of: current) - sampling.cycles >= cycles else { return nil }
      cancelSampling()
      sampling.end = cycle
      return nil
    }
    // The cycle during which sampling ends may be timed in part, so it must be over, too.
    guard cycle >= end + 2, let last = lastCycle else { return nil }
    let count = profiledCycles(of: current) - sampling.cycles, sums = sums(of: current)
    let stamp = Double(swiftlet_ticks_per_stamp()), ticks = swiftlet_ticks_per_second() * last.period
    var shares: [NodeID: Double] = [:]
    for (step, slot) in current.slots.enumerated() where slot >= 0 {
      let cost = Double(sums[step] &- sampling.sums[step]) / Double(count) - stamp
      shares[NodeID(slot: slot), default: 0] += max(cost, 0) / ticks
    }
    return shares.map { NodeShare(node: $0.key, share: $0.value) }
      .sorted { ($1.share, $0.node.slot) < ($0.share, $1.node.slot) }
  }

  /// Ends the sampling without a result.
  package func cancelSampling() { setProfiling(false, for: .overload) }

  private func profiledCycles(of plan: RenderPlan) -> Int {
    unsafe plan.memory.pointee.profiledCycles.pointee.load(ordering: .acquiring)
  }

  private func sums(of plan: RenderPlan) -> [UInt64] {
    let memory = unsafe plan.memory
    return unsafe (0..<memory.pointee.stepCount).map { step in
      unsafe memory.pointee.costs[step].sum.load(ordering: .relaxed)
    }
  }
}
