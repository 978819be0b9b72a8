// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The state of the load measurement.
struct LoadState {
  /// An overload that is not reported yet, since its nodes are being timed.
  struct Overload {
    /// The duration of a cycle as a multiple of the period.
    var share: Double
    /// The time at which the overload was found.
    var time: ContinuousClock.Instant
    var sampling: CostSampling?
  }

  /// An xrun that is not reported yet.
  struct Xrun {
    /// The number of xruns so far, the number of the last cycle that had ended, and the time of JACK's report.
    var total: Int, cycle: Int?, time: ContinuousClock.Instant
  }

  var xrun: Xrun?
  var watch = LoadWatch()
  /// The time at which the last cycle was examined.
  var lastLook: ContinuousClock.Instant?
  var overload: Overload?
}

extension EngineCore {
  /// The number of nodes that an overload report names.
  private static var namedNodes: Int { 3 }
  /// The number of cycles that are timed step by step.
  private static var sampledCycles: Int { 2 }
  /// The longest time for timing nodes. Each edit begins the timing again.
  private static var longestSampling: Duration { .seconds(0.5) }

  /// Returns the report of an xrun that JACK has reported, as soon as another cycle has ended: JACK may report a late
  /// cycle before it ends. After a second without one, nothing was measured. A node is named only if the engine's own
  /// cycle was too long.
  mutating func takeXrun(at now: ContinuousClock.Instant) -> EngineEvent? {
    guard let xrun = loads.xrun else { return nil }
    let hasCycled = controller.lastCycle?.number != xrun.cycle
    guard hasCycled || now - xrun.time > .seconds(1) else { return nil }
    loads.xrun = nil
    let total = xrun.total
    guard hasCycled, let slowest = controller.takeSlowest(), slowest.period > 0 else {
      return .xrun(total: total, share: 0, slowest: [], microseconds: 0)
    }
    let share = slowest.cycleSeconds / slowest.period, isOwn = share >= 1
    return .xrun(
      total: total, share: share, slowest: isOwn ? slowest.nodes.map(name) : [],
      microseconds: isOwn ? slowest.seconds * 1e6 : 0)
  }

  /// Examines the time that the audio thread has taken. If that is too much, has the audio thread time its steps for
  /// two cycles.
  ///
  /// - Parameter now: the present time.
  /// - Returns: an overload that has begun, once its nodes are known: within a second, since it is detected after a
  ///   quarter of a second.
  mutating func watchLoad(at now: ContinuousClock.Instant) -> EngineEvent? {
    guard isRunning, isActive, !connection.isFreewheeling else { return endLoadWatch() }
    let elapsed = loads.lastLook.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
    loads.lastLook = now
    if case .overload(let share) = loads.watch.examine(controller.lastCycle, after: elapsed) {
      loads.overload = LoadState.Overload(share: share, time: now)
    }
    guard var overload = loads.overload else { return nil }
    if now - overload.time > Self.longestSampling { return event(overload, []) }
    guard var sampling = overload.sampling ?? controller.beginSampling() else { return nil }
    let nodes = controller.endSampling(&sampling, after: Self.sampledCycles)
    overload.sampling = sampling
    // Another plan plays now: time that one.
    if let nodes, nodes.isEmpty, !graph.nodes.isEmpty { overload.sampling = nil }
    loads.overload = overload
    guard let nodes, overload.sampling != nil else { return nil }
    return event(overload, nodes)
  }

  /// Discards the measurement, because the audio thread rests or ends.
  ///
  /// - Returns: an overload that was found and is not reported yet.
  mutating func endLoadWatch() -> EngineEvent? {
    let overload = loads.overload
    let xrun = loads.xrun
    loads = LoadState()
    loads.xrun = xrun
    return overload.map { event($0, []) }
  }

  private mutating func event(_ overload: LoadState.Overload, _ nodes: [NodeShare]) -> EngineEvent {
    loads.overload = nil
    if overload.sampling != nil { controller.cancelSampling() }
    return .overloaded(
      share: overload.share,
      nodes: nodes.prefix(Self.namedNodes).map { EngineEvent.NodeLoad(node: name($0.node), share: $0.share) })
  }
}
