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
  private let leaving: Set<Wire.ID>, entering: Set<Wire.ID>
  /// Wires into nodes that nobody heard before; those of them that bring sound in from elsewhere.
  private let fresh: Set<Wire.ID>, feeding: Set<Wire.ID>
  private let freshNodes: Set<NodeID>
  /// Whether a node is another thing in the new graph, so that old and new cannot play together.
  let needsBreak: Bool
  private let old: Graph, new: Graph
  /// All of both: the new graph and, beside it, what goes.
  let union: Graph

  init(from old: Graph, to new: Graph) {
    self.old = old
    self.new = new
    let oldNodes = Set(old.nodes.map(\.id)), newNodes = Set(new.nodes.map(\.id))
    let oldWires = Set(old.wires.map(\.id)), newWires = Set(new.wires.map(\.id))
    let outputs = Set(
      (old.nodes + new.nodes).filter { if case .output = $0.role { true } else { false } }.map(\.id))
    // What feeds a node that nobody will hear need not fade, nor what feeds one that nobody heard: their own
    // ends do. Ways out have none.
    let gone = oldNodes.subtracting(new.heard).subtracting(outputs)
    let changed = Set(
      new.nodes.filter { node in old.node(node.id).map { $0.role != node.role } ?? false }.map(\.id))
    let come = newNodes.subtracting(old.heard).subtracting(outputs).union(changed)
    needsBreak = !changed.isEmpty
    freshNodes = come
    // What was a node's sound fades out before the node is another thing.
    let before = oldWires.filter { changed.contains($0.source.node) }
    let after = newWires.filter { changed.contains($0.source.node) }
    leaving = oldWires.subtracting(newWires).filter { !gone.contains($0.destination.node) }.union(before)
    entering = newWires.subtracting(oldWires).filter { !come.contains($0.destination.node) }.union(after)
    fresh = newWires.subtracting(oldWires).filter { come.contains($0.destination.node) }
    // A node that keeps sound back would let a sudden beginning out later, when its own fade is over.
    let beginnings = Set(new.nodes.filter { !come.contains($0.id) || $0.inputs.isEmpty }.map(\.id))
    feeding = fresh.filter { beginnings.contains($0.source.node) }

    var union = new
    // In the order of identities, as in every graph.
    union.nodes = (old.nodes.filter { !newNodes.contains($0.id) } + new.nodes).sorted { $0.id < $1.id }
    union.wires = old.wires.filter { !newWires.contains($0.id) } + new.wires
    let newTaps = Set(new.taps.map(\.id))
    union.taps = old.taps.filter { !newTaps.contains($0.id) } + new.taps
    // What goes keeps moving while it fades.
    union.lanes =
      new.lanes
      + old.lanes.filter { lane in
        switch lane.target.place {
        case .node(let node): !newNodes.contains(node)
        case .wire(let wire): !newWires.contains(wire)
        }
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

  private func moving(_ entering: Set<Wire.ID>, leaving: Set<Wire.ID>) -> Compiler.Transition {
    var transition = beginning
    transition.entering = entering
    transition.leaving = leaving
    return transition
  }

  private var beginning: Compiler.Transition {
    Compiler.Transition(fresh: fresh, freshNodes: freshNodes, isLive: true)
  }
}
