// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Which ways in can be heard at each way out, by the numbers that their nodes state.
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

  /// The ways out at which a node can be heard.
  package func outputs(of node: NodeID) -> [NodeID] {
    var ends: [NodeID: [NodeID]] = [:]
    for wire in wires { ends[wire.source.node, default: []].append(wire.destination.node) }
    return Graph.reached(from: node, by: ends).filter { id in
      if case .output = self.node(id)?.role { true } else { false }
    }
  }

  /// All nodes that can be heard at a node, and that node.
  package func sources(of node: NodeID) -> [NodeID] { Graph.reached(from: node, by: feeds) }

  /// The ways in that can be heard at a node.
  package func inputs(of node: NodeID) -> [NodeID] {
    sources(of: node).filter { id in
      if case .input = self.node(id)?.role { true } else { false }
    }
  }

  /// The wires that bring sound to ways out, each with the way in that alone is heard by it; nil where there is
  /// another sound, too, or none that comes in.
  var played: [(wire: Wire, playback: NodeID, owner: NodeID?)] {
    let feeds = feeds, ways = Set(captures.map(\.id))
    return wires.compactMap { wire in
      guard case .output = node(wire.destination.node)?.role, carriesSound(wire) else { return nil }
      let origins = Graph.reached(from: wire.source.node, by: feeds).filter { feeds[$0] == nil }
      let owner = origins.count == 1 && ways.contains(origins[0]) ? origins[0] : nil
      return (wire, wire.destination.node, owner)
    }
  }

  /// What is wired to each node, with a source for each wire.
  private var feeds: [NodeID: [NodeID]] {
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.destination.node, default: []].append(wire.source.node) }
    return feeds
  }

  /// A node, and all that steps lead to from it, each once.
  package static func reached<Node: Hashable>(from node: Node, by steps: [Node: [Node]]) -> [Node] {
    var seen: Set<Node> = [node], waiting = [node], reached: [Node] = []
    while let next = waiting.popLast() {
      reached.append(next)
      for other in steps[next] ?? [] where seen.insert(other).inserted { waiting.append(other) }
    }
    return reached
  }

  /// Whether the sound of a node whose own wire leads to another is heard twice there: whether it arrives by other wires,
  /// too.
  ///
  /// - Parameters:
  ///   - others: where the node's other wires lead.
  ///   - steps: where the wires of all other nodes lead, as far as they pass the sound on.
  package static func isDoubled<Node: Hashable>(
    at destination: Node, by others: [Node], _ steps: [Node: [Node]]
  ) -> Bool {
    others.contains { reached(from: $0, by: steps).contains(destination) }
  }
}
