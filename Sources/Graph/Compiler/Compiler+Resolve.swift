// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Compiler {
  /// A graph with its identifiers resolved to indices, and each node's processor.
  struct Parts {
    var graph: Graph
    /// The index of each node.
    var nodeIndices: NodeIndices
    /// The indices of the nodes at both ends, by wire.
    var sources: [Int], destinations: [Int]
    /// The processors, by node index; nil for input nodes, mixers, and output nodes without a processor.
    var processors: [Processor?]
    /// The wires that end in a node, as indices of `graph.wires` in order of creation, by node index.
    var incoming: Adjacency
    /// The wires that leave a node, by node index.
    var outgoing: Adjacency
    /// The taps on a node, by node index.
    var taps: [Int: [Graph.Tap]] = [:]
    /// The taps on wires.
    var wireTaps: [Graph.Wire.ID: [Graph.Tap]] = [:]

    func source(_ wire: Int) -> Int { sources[wire] }
    func destination(_ wire: Int) -> Int { destinations[wire] }
    func isFeedback(_ wire: Int) -> Bool { graph.wireList.elements[wire].feedback != nil }
  }

  /// Pass 1: finds each node's processor among the running and the newly supplied ones.
  func resolve(_ graph: Graph) throws(GraphError) -> Parts {
    let nodeIndices = NodeIndices(graph.nodes)
    func index(of id: NodeID) throws(GraphError) -> Int {
      guard let index = nodeIndices[id] else { throw .unknownNode(id) }
      return index
    }
    let processors = try processors(of: graph, nodeIndices)
    var sources: [Int] = [], destinations: [Int] = []
    sources.reserveCapacity(graph.wires.count)
    destinations.reserveCapacity(graph.wires.count)
    for wire in graph.wires {
      sources.append(try index(of: wire.source.node))
      destinations.append(try index(of: wire.destination.node))
    }
    var parts = Parts(
      graph: graph, nodeIndices: nodeIndices, sources: sources, destinations: destinations,
      processors: processors,
      incoming: Adjacency(of: destinations, count: graph.nodes.count),
      outgoing: Adjacency(of: sources, count: graph.nodes.count))
    for tap in graph.taps {
      if let wire = tap.wire {
        parts.wireTaps[wire, default: []].append(tap)
      } else {
        parts.taps[try index(of: tap.node), default: []].append(tap)
      }
    }
    return parts
  }

  /// Returns the processors of a graph's nodes, by node index.
  func processors(of graph: Graph, _ nodeIndices: NodeIndices) throws(GraphError) -> [Processor?] {
    var processors = [Processor?](repeating: nil, count: graph.nodes.count)
    // Iterate over all processors: one lookup per node would cost more than the rest of the pass.
    for (id, processor) in store.nodes {
      if let index = nodeIndices[id], graph.nodes[index].mayHaveProcessor { processors[index] = processor }
    }
    for index in processors.indices where processors[index] == nil {
      guard graph.nodes[index].role != .processor else { throw .missingProcessor(graph.nodes[index].name) }
    }
    return processors
  }
}
