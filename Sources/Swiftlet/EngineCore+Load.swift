// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// What the engine knows of its load.
struct LoadState {
  /// An overload that is not told yet, since its nodes are to be timed.
  struct Overload {
    /// How many times the period a cycle takes.
    var share: Double
    /// When it was found.
    var time: ContinuousClock.Instant
    var sampling: CostSampling?
  }

  var watch = LoadWatch()
  /// When the last cycle was looked at.
  var lastLook: ContinuousClock.Instant?
  var overload: Overload?
}

extension EngineCore {
  /// How many nodes an overload names.
  private static var namedNodes: Int { 3 }
  /// How many cycles are timed step by step.
  private static var sampledCycles: Int { 2 }
  /// How long nodes are timed at most: edits begin it anew each time.
  private static var longestSampling: Duration { .seconds(0.5) }

  /// Looks at what the audio thread has taken, and has its steps timed for two cycles where that is too much.
  ///
  /// - Returns: an overload that has begun, once its nodes are known. Within a second, since it is noticed after a
  ///   quarter of one.
  mutating func watchLoad(at now: ContinuousClock.Instant) -> EngineEvent? {
    guard isRunning, isActive, !connection.isFreewheeling else { return endLoadWatch() }
    let elapsed = loads.lastLook.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
    loads.lastLook = now
    if case .overload(let share) = loads.watch.look(at: host.lastCycle, after: elapsed) {
      loads.overload = LoadState.Overload(share: share, time: now)
    }
    guard var overload = loads.overload else { return nil }
    if now - overload.time > Self.longestSampling { return tell(overload, []) }
    guard var sampling = overload.sampling ?? host.beginSampling() else { return nil }
    let nodes = host.endSampling(&sampling, after: Self.sampledCycles)
    overload.sampling = sampling
    // Another plan plays by now: then that one is timed.
    if let nodes, nodes.isEmpty, !graph.nodes.isEmpty { overload.sampling = nil }
    loads.overload = overload
    guard let nodes, overload.sampling != nil else { return nil }
    return tell(overload, nodes)
  }

  /// Forgets the load, as the audio thread rests or ends.
  ///
  /// - Returns: an overload that was found and is not told yet.
  mutating func endLoadWatch() -> EngineEvent? {
    let overload = loads.overload
    loads = LoadState()
    return overload.map { tell($0, []) }
  }

  private mutating func tell(_ overload: LoadState.Overload, _ nodes: [NodeShare]) -> EngineEvent {
    loads.overload = nil
    if overload.sampling != nil { host.cancelSampling() }
    return .overloaded(
      share: overload.share,
      nodes: nodes.prefix(Self.namedNodes).map { EngineEvent.NodeLoad(node: name($0.node), share: $0.share) })
  }
}
