// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What outlives a plan: processors, by the node, wire or tap they serve.
///
/// Old and new plans share them, so that an edit keeps every tail and state. Control thread only.
final class ProcessorStore {
  /// Given from outside, by node.
  var nodes: [NodeID: Processor] = [:]
  /// Given from outside, by tap.
  var taps: [TapID: Processor] = [:]
  var wires: [Wire.ID: WireProcessor] = [:]
  var feedback: [Wire.ID: FeedbackLine] = [:]
  var eventDelays: [Wire.ID: EventDelay] = [:]
  var eventWires: [Wire.ID: EventWire] = [:]
  var guards: [NodeID: OutputGuard] = [:]
  var bypasses: [NodeID: BypassFader] = [:]
  /// Processors that still hold on to the one whose place they took.
  var heirs: [HeldHeir] = []
  struct HeldHeir { weak var heir: (any Heir)? }
  /// Whether new ways out start shut: the engine pauses.
  var isShut = false

  /// Lets go of what `graph` has no use for, and tells which nodes those were.
  /// Plans in flight keep their own hold.
  func prune(to graph: Graph) -> [NodeID] {
    let known = Set(graph.nodes.map(\.id)), wired = Set(graph.wires.map(\.id)),
      tapped = Set(graph.taps.map(\.id))
    let gone = nodes.keys.filter { !known.contains($0) }
    for node in gone { nodes[node] = nil }
    guards = guards.filter { known.contains($0.key) }
    bypasses = bypasses.filter { known.contains($0.key) }
    taps = taps.filter { tapped.contains($0.key) }
    wires = wires.filter { wired.contains($0.key) }
    feedback = feedback.filter { wired.contains($0.key) }
    eventDelays = eventDelays.filter { wired.contains($0.key) }
    // One that has gone may have notes to release where it ended.
    eventWires = eventWires.filter { wired.contains($0.key) || known.contains($0.key.destination.node) }
    return gone
  }
}
