// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// Wires nodes in a row, main bus to main bus. Any number of wires may leave and reach a bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine; then none of
  ///   the wires is made.
  public func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try checkOwner(of: [first] + rest)
    try changeGraph { graph throws(GraphError) in try graph.connect([first] + rest) }
    tellDoubled()
  }

  /// Wires a node's first bus to a bus of another, or to one channel of it.
  ///
  /// - Parameters:
  ///   - bus: the input bus of `destination`; default 0.
  ///   - channel: a channel of that bus, from 0; nil, the default, means all of them.
  ///   - gain: in dB, up to +60; −infinity is silence; default 0.
  ///   - pan: −1 (left) to 1 (right), for two-channel destinations; nil, the default, leaves the sound where the channel
  ///     rule puts it: a mono sound at full level on both sides.
  /// - Returns: the wire, to change it, and to send its sound elsewhere, too.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func connect(
    _ source: AudioNode, to destination: AudioNode, bus: Bus = 0, channel: Int? = nil, gain: Float = 0,
    pan: Float? = nil
  ) throws(EngineError) -> AudioWire {
    try checkOwner(of: [source, destination])
    return try connect(
      Wire(
        from: Endpoint(source.id), to: Endpoint(destination.id, bus: bus, channel: channel), gain: gain,
        pan: pan))
  }

  /// Wires one bus of a node, or one channel of it, to another node's first bus.
  ///
  /// - Parameters:
  ///   - bus: the output bus of `source`.
  ///   - channel: a channel of that bus, from 0; nil, the default, means all of them.
  ///   - gain: in dB, up to +60; −infinity is silence; default 0.
  ///   - pan: −1 (left) to 1 (right), for two-channel destinations; nil, the default, leaves the sound where the channel
  ///     rule puts it.
  /// - Returns: the wire.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func connect(
    _ source: AudioNode, bus: Bus, channel: Int? = nil, to destination: AudioNode, gain: Float = 0,
    pan: Float? = nil
  ) throws(EngineError) -> AudioWire {
    try checkOwner(of: [source, destination])
    return try connect(
      Wire(
        from: Endpoint(source.id, bus: bus, channel: channel), to: Endpoint(destination.id), gain: gain,
        pan: pan))
  }

  /// Wires one bus of a node, or one channel of it, to a bus of another node, or to one channel of that.
  ///
  /// - Parameters:
  ///   - bus: the output bus of `source`.
  ///   - channel: a channel of that bus, from 0; nil, the default, means all of them.
  ///   - destinationBus: the input bus of `destination`.
  ///   - destinationChannel: a channel of that bus, from 0; nil, the default, means all of them.
  /// - Returns: the wire, whose gain and pan can be set.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func connect(
    _ source: AudioNode, bus: Bus, channel: Int? = nil, to destination: AudioNode, bus destinationBus: Bus,
    channel destinationChannel: Int? = nil
  ) throws(EngineError) -> AudioWire {
    try checkOwner(of: [source, destination])
    return try connect(
      Wire(
        from: Endpoint(source.id, bus: bus, channel: channel),
        to: Endpoint(destination.id, bus: destinationBus, channel: destinationChannel)))
  }

  /// Wires a node's first bus to another's as a feedback wire, which may close a loop.
  ///
  /// - Parameters:
  ///   - feedback: the delay of the wire in frames, 16 to 480000.
  ///   - gain: in dB, up to +60; −infinity is silence; default 0.
  /// - Returns: the wire.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func connect(
    _ source: AudioNode, to destination: AudioNode, feedback: Int, gain: Float = 0
  ) throws(EngineError) -> AudioWire {
    try checkOwner(of: [source, destination])
    return try connect(
      Wire(from: Endpoint(source.id), to: Endpoint(destination.id), gain: gain, feedback: feedback))
  }

  /// Makes a wire with all that a wire can have: a send, a pan law, feedback.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  package func connect(_ wire: Wire) throws(EngineError) -> AudioWire {
    try changeGraph { graph throws(GraphError) in try graph.connect(wire) }
    tellDoubled()
    return AudioWire(wire.id, in: self)
  }

  /// The wire between two nodes' main buses with all their channels, if there is one.
  public func wire(from source: AudioNode, to destination: AudioNode) -> AudioWire? {
    guard source.engine === self, destination.engine === self else { return nil }
    return graph.wire(Wire(from: Endpoint(source.id), to: Endpoint(destination.id)).id)
      .map { AudioWire($0.id, in: self) }
  }

  /// Changes all that a wire is but its ends: what is heard glides as long as the wire says, and 5 ms at least.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  package func update(_ wire: Wire) throws(EngineError) {
    try changeGraph(.passing) { graph throws(GraphError) in try graph.update(wire) }
  }

  /// Removes all wires from one node to another, with their sends; their sound fades out over 5 ms.
  ///
  /// - Returns: how many there were, sends from one to the other among them.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func disconnect(_ source: AudioNode, from destination: AudioNode) throws(EngineError) -> Int {
    try checkOwner(of: [source, destination])
    return try changeGraph { graph throws(GraphError) in
      try graph.disconnect(source, from: destination)
    }
  }

  /// Changes the graph under the lock, and hands it on; if either fails, all is as before.
  func changeGraph<Result: Sendable>(
    _ kind: EditHistory.Kind = .edit, _ body: @Sendable (inout Graph) throws(GraphError) -> Result
  ) throws(EngineError) -> Result {
    try core.withLock { core throws(EngineError) in
      try core.edit(kind) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try body(&core.graph) }
      }
    }
  }

  /// Sees that nodes are this engine's: the numbers of another engine's nodes mean other nodes here.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
  func checkOwner(of nodes: [AudioNode]) throws(EngineError) {
    for node in nodes where node.engine !== self { throw .notAttached(node.name) }
  }
}

extension Graph {
  /// Connects nodes in a row, main bus to main bus.
  mutating func connect(_ nodes: [AudioNode]) throws(GraphError) {
    for (source, destination) in zip(nodes, nodes.dropFirst()) {
      try connect(Wire(from: Endpoint(source.id), to: Endpoint(destination.id)))
    }
  }

  /// Removes all wires from one node to another, with their sends.
  ///
  /// - Returns: their number, sends from one to the other among them.
  mutating func disconnect(_ source: AudioNode, from destination: AudioNode) throws(GraphError) -> Int {
    let wires = wires.filter { $0.source.node == source.id && $0.destination.node == destination.id }
    // A send may have gone with its strip.
    for wire in wires where self.wire(wire.id) != nil { try disconnect(wire.id) }
    return wires.count
  }
}
