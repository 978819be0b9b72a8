// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletFiles
package import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// What is doubtful in the graph as it plays: a feedback wire shorter than its loop's latency, a lane of a node
  /// that is bypassed, and the like.
  package var warnings: [String] { core.withLock { $0.host.warnings + $0.unheardLanes } }

  /// How long the longest cycle has taken so far, in seconds; 0 before the first.
  package var longestCycle: Double { core.withLock { $0.host.longestCycle } }

  /// How much of its time the audio thread takes in JACK: the mean of the last cycles that were looked at, where 1 is as
  /// long as their sound lasts; 0 where nothing plays, and offline. JACK's own figure leaves out cycles that came late.
  public var load: Double { core.withLock { $0.loads.watch.load } }

  /// Why players ran dry, where they did; nil where none has, or nobody knows.
  package var underrunCause: UnderrunCause? { core.withLock { $0.filler?.underrunCause } }

  /// Times each step of every cycle from now on, or no longer. It costs some nanoseconds a step.
  package func setProfiling(_ isOn: Bool) { core.withLock { $0.host.setProfiling(isOn) } }

  /// What each step has cost since profiling was switched on, in the order of the plan.
  package var costs: [NodeCost] { core.withLock { $0.host.costs() } }
}

extension AudioNode {
  /// How late a playback node plays its source, in frames; 0 for other nodes,
  /// and before the graph is prepared.
  package var arrivalLatency: Int { engine.core.withLock { $0.host.latency(of: id) } }

  /// Lets a playback node sound again that was muted to save ears and speakers; it fades in.
  package func unmute() { engine.core.withLock { $0.host.open(id) } }
}
