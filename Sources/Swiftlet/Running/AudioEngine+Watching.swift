// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletFiles
package import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// The warnings about the graph that plays, such as a feedback wire that is shorter than its loop's latency, or a
  /// lane of a bypassed node.
  package var warnings: [String] { core.withLock { $0.host.warnings + $0.unheardLanes } }

  /// The duration of the longest cycle so far, in seconds; 0 before the first.
  package var longestCycle: Double { core.withLock { $0.host.longestCycle } }

  /// The load of the audio thread in JACK: the time that a cycle takes as a share of its period, the mean of recent
  /// cycles. 1 is the whole period; 0 while nothing plays, and offline. JACK's own figure leaves out cycles that came
  /// late.
  public var load: Double { core.withLock { $0.loads.watch.load } }

  /// The main cause of underruns in players; nil if there were none, or if the cause is unknown.
  package var underrunCause: UnderrunCause? { core.withLock { $0.prefetchThread?.underrunCause } }

  /// Sets whether each step of every cycle is timed. Timing costs a few nanoseconds for each step.
  package func setProfiling(_ isOn: Bool) { core.withLock { $0.host.setProfiling(isOn) } }

  /// The cost of each step since profiling was switched on, in the order of the plan.
  package var costs: [NodeCost] { core.withLock { $0.host.costs() } }
}

extension AudioNode {
  /// The latency from a playback node's sources to the node, in frames; 0 for other nodes, and before the graph is
  /// prepared.
  package var arrivalLatency: Int { engine.core.withLock { $0.host.latency(of: id) } }

  /// Unmutes a playback node that was muted to protect ears and loudspeakers; it fades in.
  package func unmute() { engine.core.withLock { $0.host.open(id) } }
}
