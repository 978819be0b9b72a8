// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Compiler {
  /// The graph with its names looked up: nodes by place, each with the processor that runs or will run it.
  struct Parts {
    var graph: Graph
    /// Where each node stands.
    var places: NodePlaces
    /// By wire: the places of the nodes it joins.
    var sources: [Int], destinations: [Int]
    /// By place; nil for ways in, mixers, and ways out that nothing stands before.
    var processors: [Processor?]
    /// By place: the wires that end in the node, as places in `graph.wires`, in the order they were made.
    var incoming: Adjacency
    /// By place: the wires that leave the node.
    var outgoing: Adjacency
    /// By place: the taps that listen to the node.
    var taps: [Int: [Graph.Tap]] = [:]
    /// The taps that listen to wires.
    var wireTaps: [Graph.Wire.ID: [Graph.Tap]] = [:]

    func source(_ wire: Int) -> Int { sources[wire] }
    func destination(_ wire: Int) -> Int { destinations[wire] }
    func isFeedback(_ wire: Int) -> Bool { graph.wireList.elements[wire].feedback != nil }
  }

  /// Pass 1: finds each node's processor among those that run, or that were handed over.
  func resolve(_ graph: Graph) throws(GraphError) -> Parts {
    let places = NodePlaces(graph.nodes)
    func place(of id: NodeID) throws(GraphError) -> Int {
      guard let place = places[id] else { throw .unknownNode(id) }
      return place
    }
    let processors = try processors(of: graph, places)
    var sources: [Int] = [], destinations: [Int] = []
    sources.reserveCapacity(graph.wires.count)
    destinations.reserveCapacity(graph.wires.count)
    for wire in graph.wires {
      sources.append(try place(of: wire.source.node))
      destinations.append(try place(of: wire.destination.node))
    }
    var parts = Parts(
      graph: graph, places: places, sources: sources, destinations: destinations, processors: processors,
      incoming: Adjacency(of: destinations, count: graph.nodes.count),
      outgoing: Adjacency(of: sources, count: graph.nodes.count))
    for tap in graph.taps {
      if let wire = tap.wire {
        parts.wireTaps[wire, default: []].append(tap)
      } else {
        parts.taps[try place(of: tap.node), default: []].append(tap)
      }
    }
    return parts
  }

  /// The processors of a graph's nodes, by place.
  func processors(of graph: Graph, _ places: NodePlaces) throws(GraphError) -> [Processor?] {
    var processors = [Processor?](repeating: nil, count: graph.nodes.count)
    // All that run, rather than one look-up for each node: that would cost more than the rest of the pass.
    for (id, processor) in store.nodes {
      if let place = places[id], graph.nodes[place].mayHaveProcessor { processors[place] = processor }
    }
    for place in processors.indices where processors[place] == nil {
      guard graph.nodes[place].role != .processor else { throw .missingProcessor(graph.nodes[place].name) }
    }
    return processors
  }
}
