// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The difference between two graphs, and the click-free transition from one to the other.
struct GraphChange {
  /// A step of a transition: a plan that is used for a number of frames before the next. The last one stays.
  struct TransitionStep {
    var graph: Graph
    var transition: Compiler.Transition
    /// The length in fades.
    var fades: Int
    /// Whether the step also lasts until new nodes have filled with sound.
    var warmsUp = false
  }

  /// Audible wires that are removed or added.
  private let leaving: Set<Graph.Wire.ID>, entering: Set<Graph.Wire.ID>
  /// New wires into nodes that were not audible before; those of them that bring in sound from elsewhere.
  private let fresh: Set<Graph.Wire.ID>, feeding: Set<Graph.Wire.ID>
  private let freshNodes: Set<NodeID>
  /// Whether a node changes its role, so that the old and new graph cannot run together.
  let needsBreak: Bool
  private let old: Graph, new: Graph
  /// The union: the new graph and the removed elements.
  let union: Graph

  init(from old: Graph, to new: Graph) {
    self.old = old
    self.new = new
    let oldIndices = NodeIndices(old.nodes), newIndices = NodeIndices(new.nodes)
    let oldHeard = old.heard(oldIndices), newHeard = new.heard(newIndices)
    // Wires into a node that will not be audible, or was not, need no fade: the wires at its outputs fade. Output
    // nodes have no such wires.
    var gone: Set<NodeID> = [], come: Set<NodeID> = [], changed: Set<NodeID> = []
    // Iterate by index: copying a node retains all its references.
    for index in old.nodes.indices where !old.nodes[index].isOutput {
      let id = old.nodes[index].id, isHeard = newIndices[id].map { newHeard[$0] } ?? false
      if !isHeard { gone.insert(id) }
    }
    for index in new.nodes.indices {
      let id = new.nodes[index].id, before = oldIndices[id], wasHeard = before.map { oldHeard[$0] } ?? false
      if let before, old.nodes[before].role != new.nodes[index].role { changed.insert(id) }
      if changed.contains(id) || !(new.nodes[index].isOutput || wasHeard) { come.insert(id) }
    }
    needsBreak = !changed.isEmpty
    freshNodes = come
    let leftWires = old.wireList.missing(from: new.wireList),
      newWires = new.wireList.missing(from: old.wireList)
    var leaving = Set(leftWires.lazy.map(\.id).filter { !gone.contains($0.destination.node) })
    var entering = Set(newWires.lazy.map(\.id).filter { !come.contains($0.destination.node) })
    if !changed.isEmpty {
      // The node's old sound fades out before its role changes.
      leaving.formUnion(old.wires.lazy.map(\.id).filter { changed.contains($0.source.node) })
      entering.formUnion(new.wires.lazy.map(\.id).filter { changed.contains($0.source.node) })
    }
    (self.leaving, self.entering) = (leaving, entering)
    fresh = Set(newWires.lazy.map(\.id).filter { come.contains($0.destination.node) })
    // A node with latency would release an abrupt beginning later, after its own fade.
    feeding = fresh.filter { wire in
      guard let index = newIndices[wire.source.node] else { return false }
      return !come.contains(wire.source.node) || new.nodes[index].inputs.isEmpty
    }

    var union = new
    let leftNodes = old.nodes.filter { newIndices[$0.id] == nil }
    // In the order of identifiers, as in every graph.
    if !leftNodes.isEmpty { union.nodes = (leftNodes + new.nodes).sorted { $0.id < $1.id } }
    union.wireList.prepend(leftWires)
    union.tapList.prepend(old.tapList.missing(from: new.tapList))
    // Removed elements keep following their lanes while they fade out.
    for lane in old.lanes {
      let isThere =
        switch lane.target.owner {
        case .node(let node): newIndices[node] != nil
        case .wire(let wire): new.wireList.contains(wire)
        }
      if !isThere { union.laneList.append(lane) }
    }
    self.union = union
  }

  /// The transition in which the old and new graph run together for a while: new nodes and wires fill with sound,
  /// then one crossfade.
  var together: [TransitionStep] {
    guard !leaving.isEmpty || !entering.isEmpty else {
      return [TransitionStep(graph: new, transition: beginning, fades: 0)]
    }
    let crossing = TransitionStep(graph: union, transition: moving(entering, leaving: leaving), fades: 1)
    return (entering.isEmpty ? [] : [filling(union)]) + [crossing, rest]
  }

  /// The transition if the old and new graph together would contain a cycle: fade out first, then fade in.
  var apart: [TransitionStep] {
    var out = Compiler.Transition(isLive: true)
    out.leaving = leaving
    return [
      TransitionStep(graph: old, transition: out, fades: 1), filling(new),
      TransitionStep(graph: new, transition: moving(entering, leaving: []), fades: 1), rest,
    ]
  }

  private var rest: TransitionStep {
    TransitionStep(graph: new, transition: Compiler.Transition(isLive: true), fades: 0)
  }

  /// New wires into old nodes stay silent until new nodes, and the wires' own delays, are filled.
  private func filling(_ graph: Graph) -> TransitionStep {
    var filling = moving(feeding, leaving: [])
    filling.held = entering
    // One fade for new inputs, and one for existing paths that now wait for them.
    return TransitionStep(graph: graph, transition: filling, fades: feeding.isEmpty ? 0 : 2, warmsUp: true)
  }

  private func moving(_ entering: Set<Graph.Wire.ID>, leaving: Set<Graph.Wire.ID>) -> Compiler.Transition {
    var transition = beginning
    transition.entering = entering
    transition.leaving = leaving
    return transition
  }

  private var beginning: Compiler.Transition {
    Compiler.Transition(fresh: fresh, freshNodes: freshNodes, isLive: true)
  }
}
