// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Compiler {
  /// The graph with its names looked up: nodes by place, each with the processor that runs or will run it.
  struct Parts {
    var graph: Graph
    /// A node's place in `graph.nodes`.
    var place: [NodeID: Int]
    /// By place; nil for ways in and out and mixers.
    var processors: [Processor?]
    /// By place: the wires that end in the node, as places in `graph.wires`, in the order they were made.
    var incoming: [[Int]]
    /// By place: the wires that leave the node.
    var outgoing: [[Int]]

    func source(_ wire: Int) -> Int { place[graph.wires[wire].source.node] ?? 0 }
    func destination(_ wire: Int) -> Int { place[graph.wires[wire].destination.node] ?? 0 }
    func isFeedback(_ wire: Int) -> Bool { graph.wires[wire].feedback != nil }
  }

  /// Pass 1: finds each node's processor among those that run, or that were handed over.
  func resolve(_ graph: Graph) throws(GraphError) -> Parts {
    var place: [NodeID: Int] = [:]
    var processors: [Processor?] = []
    for (index, node) in graph.nodes.enumerated() {
      place[node.id] = index
      switch node.role {
      case .input, .output, .mixer: processors.append(nil)
      case .processor:
        guard let processor = store.nodes[node.id] else { throw .missingProcessor(node.name) }
        processors.append(processor)
      }
    }
    var incoming = Array(repeating: [Int](), count: graph.nodes.count)
    var outgoing = incoming
    for (index, wire) in graph.wires.enumerated() {
      guard let source = place[wire.source.node] else { throw .unknownNode(wire.source.node) }
      guard let destination = place[wire.destination.node] else {
        throw .unknownNode(wire.destination.node)
      }
      outgoing[source].append(index)
      incoming[destination].append(index)
    }
    return Parts(
      graph: graph, place: place, processors: processors, incoming: incoming, outgoing: outgoing)
  }
}
