// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// What a step of the plan costs.
package struct NodeCost: Sendable, Equatable {
  /// What the step is called in the plan's text.
  package let label: String
  /// The node it belongs to; nil for wires, taps and all else between nodes.
  package let node: NodeID?
  /// Seconds a cycle: the mean over the cycles that were profiled, and the
  /// worst; without what the stamps cost.
  package let mean: Double, worst: Double
}

/// The step that took longest in the worst cycle since somebody asked.
package struct SlowestStep: Sendable, Equatable {
  /// The node; several in a row where a large graph is timed in groups.
  package let nodes: [NodeID]
  /// How long it took, and how long the whole cycle took, in seconds.
  package let seconds: Double, cycleSeconds: Double
}

/// Who wants each step to be timed.
enum ProfilingPurpose: Int {
  case user = 1
  /// An overload, whose nodes are looked for.
  case overload = 2
}

extension Renderer {
  /// The number of the plan that was rendered last, as ``GraphHost/planNumber`` counts. Any thread.
  package var planNumber: Int { generation.load(ordering: .acquiring) }
}

extension GraphHost {
  /// The node that took longest in the worst cycle since the last call; nil if nothing was rendered.
  package func takeSlowest() -> SlowestStep? {
    let slowest = renderer.stopwatch.takeSlowest()
    let perSecond = swiftlet_ticks_per_second()
    guard slowest.cycleTicks > 0, perSecond > 0, let current, current.generation == slowest.generation else {
      return nil
    }
    // A group is a stretch of the plan: all its nodes are named.
    let all = current.slots
    let slots = all[slowest.steps.clamped(to: all.indices)].filter { $0 >= 0 }
    return SlowestStep(
      nodes: slots.map(NodeID.init(slot:)), seconds: Double(slowest.ticks) / perSecond,
      cycleSeconds: Double(slowest.cycleTicks) / perSecond)
  }

  /// How long the longest cycle has taken since the renderer was made, in seconds.
  package var longestCycle: Double {
    Double(renderer.stopwatch.longestTicks.load(ordering: .relaxed)) / swiftlet_ticks_per_second()
  }

  /// Times each step of every cycle from now on, or no longer. It costs some nanoseconds a step.
  package func setProfiling(_ isOn: Bool) {
    setProfiling(isOn, for: .user)
  }

  /// Times each step for one of those who may want it, until none of them does.
  func setProfiling(_ isOn: Bool, for purpose: ProfilingPurpose) {
    if isOn {
      renderer.profiling.bitwiseOr(purpose.rawValue, ordering: .relaxed)
    } else {
      renderer.profiling.bitwiseAnd(~purpose.rawValue, ordering: .relaxed)
    }
  }

  /// What each step of the plan in use has cost while it was profiled, in the order of the plan.
  package func costs() -> [NodeCost] {
    guard let current else { return [] }
    let cycles = unsafe Double(max(current.memory.pointee.profiledCycles.pointee.load(ordering: .relaxed), 1))
    let perSecond = swiftlet_ticks_per_second(), stamp = Double(swiftlet_ticks_per_stamp())
    let labels = current.labels, slots = current.slots, costs = unsafe current.memory.pointee.costs
    return labels.indices.map { step in
      let sum = unsafe costs[step].sum.load(ordering: .relaxed)
      let worst = unsafe costs[step].worst.load(ordering: .relaxed)
      let slot = slots[step]
      return NodeCost(
        label: labels[step], node: slot < 0 ? nil : NodeID(slot: slot),
        mean: max(Double(sum) / cycles - stamp, 0) / perSecond,
        worst: max(Double(worst) - stamp, 0) / perSecond)
    }
  }
}
