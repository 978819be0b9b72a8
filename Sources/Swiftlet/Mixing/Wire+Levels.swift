// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension Wire {
  /// The wire's value in the engine's graph; nil if it is not there.
  package var model: Graph.Wire? { engine.graph.wire(id) }

  /// The wire's value in the graph, in an edit that is not committed yet, or when it was last in the graph.
  var last: Graph.Wire? { engine.core.withLock { $0.lastWire(id) } }

  /// The names of both ends: `voice → main`.
  var ends: String {
    let graph = engine.graph
    return [id.source, id.destination].map { graph.node($0.node)?.name ?? "?" }.joined(separator: " → ")
  }

  /// Sets levels, which never fails: on a wire that is gone, they are kept in case an undo brings it back. A level that the
  /// wire cannot have is reported as a warning.
  func keep(_ body: @Sendable (inout Graph.Wire) -> Void) {
    do throws(EngineError) {
      try engine.core.withLock { core throws(EngineError) in try core.keep(id, body) }
    } catch {
      engine.hub.send(.warning("\(error)"))
    }
  }

  /// Changes levels over a time.
  func change(
    over duration: Duration, _ body: @Sendable (inout Graph.Wire) -> Void
  ) throws(EngineError) {
    try engine.changeGraph(.passing) { graph throws(GraphError) in
      try change(in: &graph, over: duration, body)
    }
  }

  /// Changes the wire in a graph: the engine's, or a copy of it.
  func change(
    in graph: inout Graph, over duration: Duration, _ body: (inout Graph.Wire) -> Void
  ) throws(GraphError) {
    var wire = try found(in: graph)
    body(&wire)
    wire.id = id
    wire.glide = max(duration / .seconds(1), Graph.Wire.shortestGlide)
    try graph.update(wire)
  }

  /// Adds a send of the wire in a graph: the engine's, or a copy of it.
  func send(
    to end: Endpoint, gain: Float, isPreFader: Bool, in graph: inout Graph
  ) throws(GraphError) -> Graph.Wire.ID {
    let gain = min(gain, Graph.Wire.gains.upperBound)
    let send = Graph.Wire(sendOf: try found(in: graph), to: end, gain: gain, isPreFader: isPreFader)
    try graph.connect(send)
    return send.id
  }

  private func found(in graph: Graph) throws(GraphError) -> Graph.Wire {
    if let wire = graph.wire(id) { return wire }
    func name(_ end: Endpoint) throws(GraphError) -> String {
      guard let node = graph.node(end.node) else { throw .unknownNode(end.node) }
      return node.name
    }
    throw .unknownWire(source: try name(id.source), destination: try name(id.destination))
  }
}

extension EngineCore {
  /// A wire of the graph, of an edit that is not committed yet, or one that an undo can bring back.
  func lastWire(_ id: Graph.Wire.ID) -> Graph.Wire? {
    graph.wire(id) ?? stagedWires[id] ?? detached.wires[id]?.wire
  }

  /// Changes the levels of a wire of the graph; those of another wire are kept until it comes into the graph.
  mutating func keep(
    _ id: Graph.Wire.ID, _ body: (inout Graph.Wire) -> Void
  ) throws(EngineError) {
    guard var wire = lastWire(id) else { return }
    body(&wire)
    wire.glide = Graph.Wire.shortestGlide
    if graph.wire(id) != nil {
      try edit(.passing) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.update(wire) }
      }
    } else if stagedWires[id] != nil {
      stagedWires[id] = wire
    } else {
      detached.wires[id]?.wire = wire
    }
  }
}
