// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Dictionary {
  /// Removes a key's value, if there is one. Where the dictionary is empty, the key is not even hashed: most wires and
  /// nodes have no processor of their own, and each asks.
  mutating func forget(_ key: Key) {
    if !isEmpty { self[key] = nil }
  }
}

/// What outlives a plan: processors, by the node, wire or tap they serve.
///
/// Old and new plans share them, so that an edit keeps every tail and state. Control thread only.
final class ProcessorStore {
  /// Given from outside, by node.
  var nodes: [NodeID: Processor] = [:]
  /// Given from outside, by tap.
  var taps: [TapID: Processor] = [:]
  var wires: [Graph.Wire.ID: WireProcessor] = [:]
  /// What makes a bus as loud as is asked, and no wire.
  enum Scaled: Hashable {
    /// A mixer's own gain.
    case mixer(NodeID)
    /// What a tap hears of a wire before its fader.
    case tap(TapID)
  }
  var scaled: [Scaled: WireProcessor] = [:]
  var feedback: [Graph.Wire.ID: FeedbackLine] = [:]
  var eventDelays: [Graph.Wire.ID: EventDelay] = [:]
  var eventWires: [Graph.Wire.ID: EventWire] = [:]
  var guards: [NodeID: OutputGuard] = [:]
  var bypasses: [NodeID: BypassFader] = [:]
  /// What values follow, and the faders that do it for nodes and wires.
  var lanes: [Lane.Target: LaneTrack] = [:]
  var faders: [Lane.Place: Fader] = [:]
  /// Processors that still hold on to the one whose place they took.
  var heirs: [HeldHeir] = []
  struct HeldHeir { weak var heir: (any Heir)? }
  /// Whether new ways out start shut: the engine pauses.
  var isShut = false
  /// How loud ways out are, as a factor.
  var loudness: Float = 1

  /// Lets go of what `graph` has no use for, and tells which nodes those were.
  /// Plans in flight keep their own hold.
  func prune(to graph: Graph) -> [NodeID] {
    func isKnown(_ node: NodeID) -> Bool { graph.place(of: node) != nil }
    let wireList = graph.wireList, tapList = graph.tapList, laneList = graph.laneList
    let gone = nodes.keys.filter { id in
      graph.place(of: id).map { !graph.nodes[$0].mayHaveProcessor } ?? true
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
    // One that has gone may have notes to release where it ended.
    eventWires = eventWires.filter { wireList.contains($0.key) || isKnown($0.key.destination.node) }
    return gone
  }
}
