// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Synchronization

/// The cost of a step of the plan.
package struct NodeCost: Sendable, Equatable {
  /// The step's label in the plan's text.
  package let label: String
  /// The node that the step belongs to; nil for wires, taps and other steps between nodes.
  package let node: NodeID?
  /// The mean and the highest cost over the profiled cycles, in seconds per cycle, without the cost of the time stamps.
  package let mean: Double, worst: Double
}

/// The slowest step in the longest cycle since the last call.
package struct SlowestStep: Sendable, Equatable {
  /// The node; several consecutive nodes if a large graph is timed in groups, none if the plan has changed since.
  package let nodes: [NodeID]
  /// The time of the step, the time of the whole cycle, and the duration of the cycle's sound, in seconds.
  package let seconds: Double, cycleSeconds: Double, period: Double
}

/// The purposes of timing each step.
enum ProfilingPurpose: Int {
  case user = 1
  /// An overload: the most expensive nodes are searched for.
  case overload = 2
}

extension Renderer {
  /// The number of the last rendered plan, as counted by ``GraphController/planNumber``. Any thread.
  package var planNumber: Int { generation.load(ordering: .acquiring) }
}

extension GraphController {
  /// Returns the slowest node in the longest cycle since the last call; nil if nothing was rendered.
  package func takeSlowest() -> SlowestStep? {
    let slowest = renderer.stopwatch.takeSlowest()
    let perSecond = swiftlet_ticks_per_second()
    guard slowest.ticks > 0, perSecond > 0, let current else { return nil }
    // A group is a range of steps: name all of its nodes.
    let all = current.generation == slowest.generation ? current.slots : []
    let slots = all[(slowest.first..<max(slowest.end, slowest.first)).clamped(to: all.indices)].filter {
      $0 >= 0
    }
    return SlowestStep(
      nodes: slots.map(NodeID.init(slot:)), seconds: Double(slowest.groupTicks) / perSecond,
      cycleSeconds: Double(slowest.ticks) / perSecond,
      period: Double(slowest.frameCount) / renderer.sampleRate)
  }

  /// The longest cycle since the renderer was created, in seconds.
  package var longestCycle: Double {
    Double(renderer.stopwatch.longestTicks.load(ordering: .relaxed)) / swiftlet_ticks_per_second()
  }

  /// Starts or stops timing each step of every cycle. It costs some nanoseconds per step.
  package func setProfiling(_ isOn: Bool) {
    setProfiling(isOn, for: .user)
  }

  /// Starts or stops timing for one purpose; steps are timed while any purpose is set.
  func setProfiling(_ isOn: Bool, for purpose: ProfilingPurpose) {
    if isOn {
      renderer.profiling.bitwiseOr(purpose.rawValue, ordering: .relaxed)
    } else {
      renderer.profiling.bitwiseAnd(~purpose.rawValue, ordering: .relaxed)
    }
  }

  /// Returns the cost of each step of the plan in use while it was profiled, in the plan's order.
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
