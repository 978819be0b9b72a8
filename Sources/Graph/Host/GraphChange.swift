// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What lies between two graphs, and the way from one to the other, on which nothing jumps.
struct GraphChange {
  /// A plan to be played for so many frames before the next; the last is played for good.
  struct Stage {
    var graph: Graph
    var transition: Compiler.Transition
    /// How many fades long.
    var fades: Int
    /// Whether it also lasts until new nodes have filled with sound.
    var warmsUp = false
  }

  /// Wires that somebody hears and that go, or come.
  private let leaving: Set<Graph.Wire.ID>, entering: Set<Graph.Wire.ID>
  /// Wires into nodes that nobody heard before; those of them that bring sound in from elsewhere.
  private let fresh: Set<Graph.Wire.ID>, feeding: Set<Graph.Wire.ID>
  private let freshNodes: Set<NodeID>
  /// Whether a node is another thing in the new graph, so that old and new cannot play together.
  let needsBreak: Bool
  private let old: Graph, new: Graph
  /// All of both: the new graph and, beside it, what goes.
  let union: Graph

  init(from old: Graph, to new: Graph) {
    self.old = old
    self.new = new
    let oldPlaces = NodePlaces(old.nodes), newPlaces = NodePlaces(new.nodes)
    let oldHeard = old.heard(oldPlaces), newHeard = new.heard(newPlaces)
    // What feeds a node that nobody will hear need not fade, nor what feeds one that nobody heard: their own
    // ends do. Ways out have none.
    var gone: Set<NodeID> = [], come: Set<NodeID> = [], changed: Set<NodeID> = []
    // By index: to copy a node is to retain all that it holds.
    for place in old.nodes.indices where !old.nodes[place].isOutput {
      let id = old.nodes[place].id, isHeard = newPlaces[id].map { newHeard[$0] } ?? false
      if !isHeard { gone.insert(id) }
    }
    for place in new.nodes.indices {
      let id = new.nodes[place].id, before = oldPlaces[id], wasHeard = before.map { oldHeard[$0] } ?? false
      if let before, old.nodes[before].role != new.nodes[place].role { changed.insert(id) }
      if changed.contains(id) || !(new.nodes[place].isOutput || wasHeard) { come.insert(id) }
    }
    needsBreak = !changed.isEmpty
    freshNodes = come
    let leftWires = old.wireList.missing(from: new.wireList),
      newWires = new.wireList.missing(from: old.wireList)
    var leaving = Set(leftWires.lazy.map(\.id).filter { !gone.contains($0.destination.node) })
    var entering = Set(newWires.lazy.map(\.id).filter { !come.contains($0.destination.node) })
    if !changed.isEmpty {
      // What was a node's sound fades out before the node is another thing.
      leaving.formUnion(old.wires.lazy.map(\.id).filter { changed.contains($0.source.node) })
      entering.formUnion(new.wires.lazy.map(\.id).filter { changed.contains($0.source.node) })
    }
    (self.leaving, self.entering) = (leaving, entering)
    fresh = Set(newWires.lazy.map(\.id).filter { come.contains($0.destination.node) })
    // A node that keeps sound back would let a sudden beginning out later, when its own fade is over.
    feeding = fresh.filter { wire in
      guard let place = newPlaces[wire.source.node] else { return false }
      return !come.contains(wire.source.node) || new.nodes[place].inputs.isEmpty
    }

    var union = new
    let leftNodes = old.nodes.filter { newPlaces[$0.id] == nil }
    // In the order of identities, as in every graph.
    if !leftNodes.isEmpty { union.nodes = (leftNodes + new.nodes).sorted { $0.id < $1.id } }
    union.wireList.prepend(leftWires)
    union.tapList.prepend(old.tapList.missing(from: new.tapList))
    // What goes keeps moving while it fades.
    for lane in old.lanes {
      let isThere =
        switch lane.target.place {
        case .node(let node): newPlaces[node] != nil
        case .wire(let wire): new.wireList.contains(wire)
        }
      if !isThere { union.laneList.append(lane) }
    }
    self.union = union
  }

  /// The way on which old and new play together for a while: new nodes and wires fill with sound, then all
  /// crosses in one fade.
  var together: [Stage] {
    guard !leaving.isEmpty || !entering.isEmpty else {
      return [Stage(graph: new, transition: beginning, fades: 0)]
    }
    let crossing = Stage(graph: union, transition: moving(entering, leaving: leaving), fades: 1)
    return (entering.isEmpty ? [] : [filling(union)]) + [crossing, rest]
  }

  /// The way where old and new together would feed back into each other: first out, then in.
  var apart: [Stage] {
    var out = Compiler.Transition(isLive: true)
    out.leaving = leaving
    return [
      Stage(graph: old, transition: out, fades: 1), filling(new),
      Stage(graph: new, transition: moving(entering, leaving: []), fades: 1), rest,
    ]
  }

  private var rest: Stage { Stage(graph: new, transition: Compiler.Transition(isLive: true), fades: 0) }

  /// New wires into old nodes are silent until new nodes, and the delays of the wires themselves, are full.
  private func filling(_ graph: Graph) -> Stage {
    var filling = moving(feeding, leaving: [])
    filling.held = entering
    // A fade for what comes in, and one for old ways that now wait for it.
    return Stage(graph: graph, transition: filling, fades: feeding.isEmpty ? 0 : 2, warmsUp: true)
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
