// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What lies between two graphs, and the graph that holds both while one fades into the other.
struct GraphChange {
  /// Wires that somebody hears and that go, or come.
  let leaving: Set<Wire.ID>, entering: Set<Wire.ID>
  /// Wires into nodes that nobody heard before.
  let fresh: Set<Wire.ID>
  let freshNodes: Set<NodeID>
  /// All of both: the new graph and, beside it, what goes.
  let union: Graph

  init(from old: Graph, to new: Graph) {
    let oldNodes = Set(old.nodes.map(\.id)), newNodes = Set(new.nodes.map(\.id))
    let oldWires = Set(old.wires.map(\.id)), newWires = Set(new.wires.map(\.id))
    let outputs = Set(
      (old.nodes + new.nodes).filter { if case .output = $0.role { true } else { false } }.map(\.id))
    freshNodes = newNodes.subtracting(oldNodes)
    // What feeds a node that goes need not fade, nor what feeds one that comes: their own ends do. Ways out
    // have none.
    let gone = oldNodes.subtracting(newNodes).subtracting(outputs), come = freshNodes
    leaving = oldWires.subtracting(newWires).filter { !gone.contains($0.destination.node) }
    entering = newWires.subtracting(oldWires).filter { !come.contains($0.destination.node) }
    fresh = newWires.subtracting(oldWires).filter { come.contains($0.destination.node) }

    var union = new
    // In the order of identities, as in every graph.
    union.nodes = (old.nodes.filter { !newNodes.contains($0.id) } + new.nodes).sorted { $0.id < $1.id }
    union.wires = old.wires.filter { !newWires.contains($0.id) } + new.wires
    let newTaps = Set(new.taps.map(\.id))
    union.taps = old.taps.filter { !newTaps.contains($0.id) } + new.taps
    self.union = union
  }

  /// Whether a plan in between is needed.
  var isAudible: Bool { !leaving.isEmpty || !entering.isEmpty }

  func transition(isLive: Bool) -> Compiler.Transition {
    Compiler.Transition(
      entering: entering, leaving: leaving, fresh: fresh, freshNodes: freshNodes, isLive: isLive)
  }
}
