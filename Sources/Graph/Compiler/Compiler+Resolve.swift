// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Compiler {
  /// The graph with its names looked up: nodes by place, each with the processor that runs or will run it.
  struct Parts {
    var graph: Graph
    /// By wire: the places of the nodes it joins.
    var sources: [Int] = [], destinations: [Int] = []
    /// By place; nil for ways in, mixers, and ways out that nothing stands before.
    var processors: [Processor?]
    /// By place: the wires that end in the node, as places in `graph.wires`, in the order they were made.
    var incoming: [[Int]]
    /// By place: the wires that leave the node.
    var outgoing: [[Int]]
    /// By place: the taps that listen to the node.
    var taps: [[Graph.Tap]]
    /// The taps that listen to wires.
    var wireTaps: [Wire.ID: [Graph.Tap]] = [:]

    func source(_ wire: Int) -> Int { sources[wire] }
    func destination(_ wire: Int) -> Int { destinations[wire] }
    func isFeedback(_ wire: Int) -> Bool { graph.wires[wire].feedback != nil }
  }

  /// Pass 1: finds each node's processor among those that run, or that were handed over.
  func resolve(_ graph: Graph) throws(GraphError) -> Parts {
    let none = Array(repeating: [Int](), count: graph.nodes.count)
    var parts = Parts(
      graph: graph, processors: [], incoming: none, outgoing: none,
      taps: Array(repeating: [], count: graph.nodes.count))
    for node in graph.nodes {
      switch node.role {
      case .input, .mixer: parts.processors.append(nil)
      case .output: parts.processors.append(store.nodes[node.id])
      case .processor:
        guard let processor = store.nodes[node.id] else { throw .missingProcessor(node.name) }
        parts.processors.append(processor)
      }
    }
    for (index, wire) in graph.wires.enumerated() {
      let source = try place(of: wire.source.node, in: graph)
      let destination = try place(of: wire.destination.node, in: graph)
      parts.sources.append(source)
      parts.destinations.append(destination)
      parts.outgoing[source].append(index)
      parts.incoming[destination].append(index)
    }
    for tap in graph.taps {
      if let wire = tap.wire {
        parts.wireTaps[wire, default: []].append(tap)
      } else {
        parts.taps[try place(of: tap.node, in: graph)].append(tap)
      }
    }
    return parts
  }

  private func place(of id: NodeID, in graph: Graph) throws(GraphError) -> Int {
    guard let place = graph.place(of: id) else { throw .unknownNode(id) }
    return place
  }
}
