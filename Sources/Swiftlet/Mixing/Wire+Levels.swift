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
  var ends: String { engine.graph.ends(of: id) }

  /// Sets levels. Never fails: on a wire that has been removed, they are kept in case an undo restores it. A level
  /// that the wire cannot have is reported as a warning.
  func keep(_ body: @Sendable (inout Graph.Wire) -> Void) {
    do throws(EngineError) {
      try engine.core.withLock { core throws(EngineError) in try core.keep(id, body) }
    } catch {
      engine.broadcaster.send(.warning("\(error)"))
    }
  }

  /// Changes levels over a time.
  func change(
    over duration: Duration, _ body: @Sendable (inout Graph.Wire) -> Void
  ) throws(EngineError) {
    let clamped = try engine.changeGraph(.passing) { graph throws(GraphError) in
      try change(in: &graph, over: duration, body)
    }
    engine.broadcaster.send(clamped)
  }

  /// Changes the wire in a graph: the engine's, or a copy of it. Levels out of range are clamped.
  ///
  /// - Returns: the events that report the clamped levels.
  func change(
    in graph: inout Graph, over duration: Duration, _ body: (inout Graph.Wire) -> Void
  ) throws(GraphError) -> [EngineEvent] {
    var wire = try found(in: graph)
    body(&wire)
    wire.id = id
    wire.glide = max(duration / .seconds(1), Graph.Wire.shortestGlide)
    let ends = graph.ends(of: id), clamped = WireLevel.allCases.compactMap { $0.clamp(in: &wire, of: ends) }
    try graph.update(wire)
    return clamped
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

extension Graph {
  /// The names of both ends of a wire: `voice → main`.
  func ends(of wire: Wire.ID) -> String {
    [wire.source, wire.destination].map { node($0.node)?.name ?? "?" }.joined(separator: " → ")
  }
}

extension EngineCore {
  /// Returns a wire of the graph, of an edit that is not committed yet, or one that an undo can restore.
  func lastWire(_ id: Graph.Wire.ID) -> Graph.Wire? {
    graph.wire(id) ?? stagedWires[id] ?? detached.wires[id]?.wire
  }

  /// Changes the levels of a wire. If it is not in the graph, they are kept until it is.
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
