// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Synchronization

/// What one cycle of the renderer took.
package struct CycleCost: Sendable, Equatable {
  /// Counts the cycles: a cycle that was read before has the same number.
  package var number: Int
  /// How long it took, and how long the sound is that it made, in seconds.
  package var seconds: Double, period: Double
}

/// What each step of a plan had cost when costs began to be sampled, and how far that is.
package struct CostSampling: Sendable {
  fileprivate let generation: Int, cycles: Int, sums: [UInt64]
  /// The number of the cycle in which enough had been timed; nil until then.
  fileprivate var end: Int?
}

/// A node, and the share of a cycle's time that it takes.
package struct NodeShare: Sendable, Equatable {
  package var node: NodeID
  /// 1 is as much time as there is.
  package var share: Double
}

extension GraphHost {
  /// The cost of the last cycle; nil before the first. Control thread.
  package var lastCycle: CycleCost? {
    let number = renderer.cycleCount.load(ordering: .relaxed), last = renderer.stopwatch.last()
    let perSecond = swiftlet_ticks_per_second()
    guard last.frameCount > 0, perSecond > 0 else { return nil }
    return CycleCost(
      number: number, seconds: Double(last.ticks) / perSecond,
      period: Double(last.frameCount) / renderer.sampleRate)
  }

  /// The cycles up to now, but those in which the graph rested and those that nobody waited for. Control thread.
  package var cycleCounts: CycleCounts { renderer.stopwatch.histogram.snapshot() }

  /// The load of cycles; nil if there was none. Control thread.
  package func load(of cycles: CycleCounts) -> CycleLoad? {
    CycleLoad(cycles, ticksPerFrame: swiftlet_ticks_per_second() / renderer.sampleRate)
  }

  /// Has the audio thread time each step until ``endSampling(_:after:)`` or ``cancelSampling()``; nil without a plan.
  package func beginSampling() -> CostSampling? {
    guard let current else { return nil }
    let sampling = CostSampling(
      generation: current.generation, cycles: profiledCycles(of: current), sums: sums(of: current))
    setProfiling(true, for: .overload)
    return sampling
  }

  /// The nodes by what they cost since sampling began, the most expensive first. Sampling ends.
  ///
  /// - Parameter cycles: how many cycles are needed.
  /// - Returns: nil until so many cycles were timed. None where another plan plays by now: then somebody must ask anew.
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
    // The cycle that runs as sampling ends has timed some of its steps: it has to be over, too.
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

  /// Ends sampling without a result.
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
