// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// The paths from input nodes to output nodes, by the numbers that the nodes state.
  package var paths: [(input: Int, output: Int, node: NodeID)] {
    let feeds = feeds
    var inputs: [NodeID: Int] = [:]
    for node in nodes { if case .input(let number) = node.role { inputs[node.id] = number } }
    return nodes.flatMap { node -> [(input: Int, output: Int, node: NodeID)] in
      guard case .output(let output) = node.role else { return [] }
      return Graph.reached(from: node.id, by: feeds).compactMap { source in
        inputs[source].map { (input: $0, output: output, node: node.id) }
      }
    }
  }

  /// Returns the output nodes that a node's output reaches.
  package func outputs(of node: NodeID) -> [NodeID] {
    var ends: [NodeID: [NodeID]] = [:]
    for wire in wires { ends[wire.source.node, default: []].append(wire.destination.node) }
    return Graph.reached(from: node, by: ends).filter { id in
      if case .output = self.node(id)?.role { true } else { false }
    }
  }

  /// Returns all nodes whose output reaches a node, and that node.
  package func sources(of node: NodeID) -> [NodeID] { Graph.reached(from: node, by: feeds) }

  /// Returns the input nodes whose output reaches a node.
  package func inputs(of node: NodeID) -> [NodeID] {
    sources(of: node).filter { id in
      if case .input = self.node(id)?.role { true } else { false }
    }
  }

  /// The audio wires into output nodes, each with the input node that is its only source; nil if it has other
  /// sources, too, or none that is an input node.
  var played: [(wire: Wire, playback: NodeID, owner: NodeID?)] {
    let feeds = feeds, ways = Set(captures.map(\.id))
    return wires.compactMap { wire in
      guard case .output = node(wire.destination.node)?.role, carriesSound(wire) else { return nil }
      let origins = Graph.reached(from: wire.source.node, by: feeds).filter { feeds[$0] == nil }
      let owner = origins.count == 1 && ways.contains(origins[0]) ? origins[0] : nil
      return (wire, wire.destination.node, owner)
    }
  }

  /// The source nodes of the wires into each node, one for each wire.
  private var feeds: [NodeID: [NodeID]] {
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.destination.node, default: []].append(wire.source.node) }
    return feeds
  }

  /// Returns a node and all nodes reachable from it, each once.
  package static func reached<Node: Hashable>(from node: Node, by steps: [Node: [Node]]) -> [Node] {
    var seen: Set<Node> = [node], waiting = [node], reached: [Node] = []
    while let next = waiting.popLast() {
      reached.append(next)
      for other in steps[next] ?? [] where seen.insert(other).inserted { waiting.append(other) }
    }
    return reached
  }

  /// Returns whether a node that is wired to another node directly also reaches it by other wires, so that its sound
  /// is doubled there.
  ///
  /// - Parameters:
  ///   - others: the destinations of the node's other wires.
  ///   - steps: the destinations of all other nodes' wires, as far as these pass the sound on.
  package static func isDoubled<Node: Hashable>(
    at destination: Node, by others: [Node], _ steps: [Node: [Node]]
  ) -> Bool {
    others.contains { reached(from: $0, by: steps).contains(destination) }
  }
}
