// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Dictionary {
  /// Removes a key's value, if there is one. An empty dictionary does not even hash the key: most wires and nodes
  /// have no processor of their own, and each of them calls this.
  mutating func drop(_ key: Key) {
    if !isEmpty { self[key] = nil }
  }
}

/// The objects that outlive a plan: processors, by the node, wire or tap they serve.
///
/// Old and new plans share them, so that an edit keeps every tail and state. Control threads only.
final class ProcessorStore {
  /// The supplied processors of nodes.
  var nodes: [NodeID: Processor] = [:]
  /// The supplied processors of taps.
  var taps: [TapID: Processor] = [:]
  var wires: [Graph.Wire.ID: WireProcessor] = [:]
  /// A gain that belongs to no wire.
  enum Scaled: Hashable {
    /// A mixer's own gain.
    case mixer(NodeID)
    /// The gain of a tap before a wire's fader.
    case tap(TapID)
  }
  var scaled: [Scaled: WireProcessor] = [:]
  var feedback: [Graph.Wire.ID: FeedbackLine] = [:]
  var eventDelays: [Graph.Wire.ID: EventDelay] = [:]
  var eventWires: [Graph.Wire.ID: EventWire] = [:]
  var guards: [NodeID: OutputGuard] = [:]
  var bypasses: [NodeID: BypassFader] = [:]
  /// The tables of lanes, and the faders of nodes and wires that follow them.
  var lanes: [Lane.Target: LaneTrack] = [:]
  var faders: [Lane.Owner: Fader] = [:]
  /// Processors that still retain the one they replaced.
  var successors: [HeldSuccessor] = []
  struct HeldSuccessor { weak var successor: (any SuccessorProcessor)? }
  /// Whether new output nodes start muted, because the engine is paused.
  var isShut = false
  /// The loudness of output nodes, as a factor.
  var loudness: Float = 1

  /// Releases everything that `graph` does not need, and returns the removed nodes. Published plans retain their own
  /// processors.
  func prune(to graph: Graph) -> [NodeID] {
    func isKnown(_ node: NodeID) -> Bool { graph.index(of: node) != nil }
    let wireList = graph.wireList, tapList = graph.tapList, laneList = graph.laneList
    let gone = nodes.keys.filter { id in
      graph.index(of: id).map { !graph.nodes[$0].mayHaveProcessor } ?? true
    }
    for node in gone { nodes[node] = nil }
    guards = guards.filter { isKnown($0.key) }
    bypasses = bypasses.filter { isKnown($0.key) }
    scaled = scaled.filter {
      switch $0.key {
      case .mixer(let node): isKnown(node)
      case .tap(let tap): tapList.contains(tap)
      }
    }
    taps = taps.filter { tapList.contains($0.key) }
    wires = wires.filter { wireList.contains($0.key) }
    feedback = feedback.filter { wireList.contains($0.key) }
    eventDelays = eventDelays.filter { wireList.contains($0.key) }
    lanes = lanes.filter { laneList.contains($0.key) }
    faders = faders.filter { fader in
      switch fader.key {
      case .node(let node): isKnown(node)
      case .wire(let wire): wireList.contains(wire)
      }
    }
    // A removed wire may have held notes to release at its destination.
    eventWires = eventWires.filter { wireList.contains($0.key) || isKnown($0.key.destination.node) }
    return gone
  }
}
