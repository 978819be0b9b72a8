// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletFiles
package import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal
internal import SwiftletThreads
internal import Synchronization

/// The estimated load of a graph in JACK, measured without a server.
package struct LoadEstimate: Sendable, Equatable {
  /// The share of the period that cycles take.
  package var load: CycleLoad
  /// The nodes with a measurable cost, the most expensive first.
  package var nodes: [EngineEvent.NodeLoad]

  package init(load: CycleLoad, nodes: [EngineEvent.NodeLoad]) { (self.load, self.nodes) = (load, nodes) }
}

extension AudioEngine {
  /// The load of all cycles in JACK so far; nil before the first.
  package var cycleLoad: CycleLoad? { core.withLock { $0.controller.load(of: $0.controller.cycleCounts) } }

  /// The duration of the longest cycle so far, in seconds; 0 before the first.
  package var longestCycle: Double { core.withLock { $0.controller.longestCycle } }

  /// The load of the audio thread in JACK: the time that a cycle takes as a share of its period, the mean of recent
  /// cycles. 1 is the whole period; 0 while nothing plays, and offline. JACK's own figure leaves out cycles that came
  /// late.
  public var load: Double { core.withLock { $0.loads.watch.load } }

  /// The main cause of underruns in players; nil if there were none, or if the cause is unknown.
  package var underrunCause: UnderrunCause? { core.withLock { $0.prefetchThread?.underrunCause } }

  /// Sets whether each step of every cycle is timed. Timing costs a few nanoseconds for each step.
  package func setProfiling(_ isOn: Bool) { core.withLock { $0.controller.setProfiling(isOn) } }

  /// The cost of each step since profiling was switched on, in the order of the plan.
  package var costs: [NodeCost] { core.withLock { $0.controller.costs() } }

  /// Renders in real time for a while, as JACK would, and measures the load. The engine must have a simulated period.
  ///
  /// Input nodes receive a ``TestSignal``, players play, and one cycle begins in each period, so that caches are as
  /// cold as in JACK.
  ///
  /// - Parameter seconds: the time for which cycles are counted; longer if there are too few cycles.
  /// - Throws: the errors of `render(_:from:)`.
  package func estimateLoad(seconds: Double) throws(EngineError) -> LoadEstimate {
    let frameCount = expectedPeriod ?? longestBlock
    let cycle = try renderingCycle(of: frameCount, hearing: TestSignal(sampleRate: sampleRate))
    let thread = RenderingThread(.period(Double(frameCount) / sampleRate), cycle: cycle)
    defer { thread.stop() }
    // Skip the fade-in, plugins that are settling, and cold caches.
    playCycles(for: 0.5, atLeast: 4)
    let before = core.withLock { $0.controller.cycleCounts }
    playCycles(for: seconds, atLeast: 20)
    let counted = core.withLock { $0.controller.cycleCounts.since(before) }
    let load = core.withLock { $0.controller.load(of: counted) }
    return LoadEstimate(
      load: load ?? CycleLoad(cycleCount: 0, median: 0, high: 0), nodes: nodeLoads())
  }

  /// Waits for a number of seconds and cycles. Restarts players that have ended.
  private func playCycles(for seconds: Double, atLeast cycles: Int) {
    let first = renderer.cycleCount.load(ordering: .relaxed), start = ContinuousClock.now
    while renderer.cycleCount.load(ordering: .relaxed) - first < cycles
      || ContinuousClock.now - start < .seconds(seconds)
    {
      let streams = core.withLock { core in core.roster.streams.filter { !$0.player.stream.isFollowing } }
      for (_, player) in streams where !player.isPlaying { player.play() }
      Waiting.sleep(.milliseconds(10))
    }
  }

  /// Returns the shares of all nodes, the largest first. Each is the median of several samplings, since in one cycle
  /// an interruption by another program would be attributed to the node that was running.
  private func nodeLoads() -> [EngineEvent.NodeLoad] {
    let period = Double(expectedPeriod ?? longestBlock) / sampleRate
    let cycles = max(min(Int(0.02 / period), 5), 1)
    var samples: [NodeID: [Double]] = [:]
    for _ in 0..<11 {
      for node in sampleNodes(cycles: cycles) { samples[node.node, default: []].append(node.share) }
    }
    let shares = samples.map { (node: $0.key, share: $0.value.sorted()[$0.value.count / 2]) }
      .sorted { ($1.share, $0.node) < ($0.share, $1.node) }
    return core.withLock { core in
      shares.map { EngineEvent.NodeLoad(node: core.name($0.node), share: $0.share) }
    }
  }

  /// Returns the shares of all nodes, as means over so many cycles; empty if a new plan was adopted meanwhile, such
  /// as after a change of latency.
  private func sampleNodes(cycles: Int) -> [NodeShare] {
    guard var sampling = core.withLock({ $0.controller.beginSampling() }) else { return [] }
    while true {
      Waiting.sleep(.milliseconds(5))
      if let shares = core.withLock({ $0.controller.endSampling(&sampling, after: cycles) }) { return shares }
    }
  }
}
