// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// Connects nodes in a chain, main bus to main bus. Any number of wires may leave and reach a bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine; then none of
  ///   the wires is made.
  public func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try use([first] + rest)
    try addWires { graph, automatic throws(GraphError) in
      try graph.connect([first] + rest, insteadOf: automatic)
    }
  }

  /// Connects a node to a mixer, as a channel strip. The connection is added to the existing ones, or replaces them.
  ///
  /// ```swift
  /// let strip = try engine.connect(player, to: mixer)
  /// strip.gain.value = .decibels(-3)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the node whose first output bus is mixed.
  ///   - mixer: the mixer, which has one input bus.
  ///   - channels: the channels that are connected; default: all of both buses.
  ///   - replacing: whether the connection replaces all that lead into the same channels of the bus; default: false.
  /// - Returns: the strip.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine; then nothing
  ///   has changed.
  @discardableResult
  public func connect(
    _ source: AudioNode, to mixer: MixerNode, through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> ChannelStrip {
    try connect(source, bus: 0, to: mixer, through: channels, replacing: replacing)
  }

  /// Connects a bus of a node to a mixer, as a channel strip: see ``connect(_:to:through:replacing:)``.
  ///
  /// - Parameters:
  ///   - source: the node that the sound or events come from.
  ///   - bus: the output bus of `source`, from 0.
  ///   - mixer: the mixer, which has one input bus.
  ///   - channels: the channels that are connected; default: all of both buses.
  ///   - replacing: whether the connection replaces all that lead into the same channels of the bus; default: false.
  @discardableResult
  public func connect(
    _ source: AudioNode, bus: Bus, to mixer: MixerNode, through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> ChannelStrip {
    try use([source, mixer])
    return ChannelStrip(
      try add(Graph.Wire(source, bus, to: mixer, 0, through: channels), replacing), in: self)
  }

  /// Connects the first bus of a node to a bus of another. Any number of connections may leave a bus, and those that
  /// reach a bus are mixed: the connection is added to the existing ones, unless `replacing` is true, as in
  /// AVAudioEngine.
  ///
  /// - Parameters:
  ///   - source: the node whose first output bus the sound or events come from.
  ///   - destination: the node that they go to.
  ///   - bus: the input bus of `destination`; default: 0.
  ///   - channels: the channels that are connected; default: all of both buses.
  ///   - replacing: whether the connection replaces all that lead into the same channels of the bus; default: false.
  /// - Returns: the connection, a ``ChannelStrip`` if `destination` is a mixer.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine; then nothing
  ///   has changed.
  @discardableResult
  public func connect(
    _ source: AudioNode, to destination: AudioNode, bus: Bus = 0, through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> Wire {
    try connect(source, bus: 0, to: destination, bus: bus, through: channels, replacing: replacing)
  }

  /// Connects a bus of a node to a bus of another: see ``connect(_:to:bus:through:replacing:)``.
  ///
  /// - Parameters:
  ///   - source: the node that the sound or events come from.
  ///   - bus: the output bus of `source`, from 0.
  ///   - destination: the node that they go to.
  ///   - destinationBus: the input bus of `destination`; default: 0.
  ///   - channels: the channels that are connected; default: all of both buses.
  ///   - replacing: whether the connection replaces all that lead into the same channels of the bus; default: false.
  @discardableResult
  public func connect(
    _ source: AudioNode, bus: Bus, to destination: AudioNode, bus destinationBus: Bus = 0,
    through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> Wire {
    try use([source, destination])
    let wire = Graph.Wire(source, bus, to: destination, destinationBus, through: channels)
    return Wire.handle(try add(wire, replacing), of: graph, in: self)
  }

  /// Connects a node's first bus to another's by a feedback wire, which may close a loop.
  ///
  /// - Parameters:
  ///   - source: the node that the sound or events come from.
  ///   - destination: the node that they go to.
  ///   - feedback: the delay of the wire in frames, 16 to 480000.
  /// - Returns: the wire.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public func connect(
    _ source: AudioNode, to destination: AudioNode, feedback: Int
  ) throws(EngineError) -> Wire {
    try use([source, destination])
    return try connect(
      Graph.Wire(from: Endpoint(source.id), to: Endpoint(destination.id), feedback: feedback))
  }

  /// Adds a wire with all its properties: levels, a send, a pan law, feedback.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  package func connect(_ wire: Graph.Wire) throws(EngineError) -> Wire {
    Wire.handle(try add(wire, false), of: graph, in: self)
  }

  private func add(_ wire: Graph.Wire, _ replacing: Bool) throws(EngineError) -> Graph.Wire.ID {
    try addWires { graph, automatic throws(GraphError) in
      try graph.connect(wire, replacing: replacing, insteadOf: automatic)
    }
    return wire.id
  }

  /// Adds wires to the graph, as one edit, and reports players whose sound the wires double.
  private func addWires(
    _ body: @Sendable (inout Graph, _ automatic: Graph.Wire.ID?) throws(GraphError) -> Void
  ) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        let automatic = core.main.automaticWire?.id
        try graphEdit { () throws(GraphError) in try body(&core.graph, automatic) }
      }
    }
    reportDoubledPlayers()
  }

  /// The connection between two nodes' main buses with all their channels, a ``ChannelStrip`` if it leads into a mixer;
  /// nil if there is none.
  public func wire(from source: AudioNode, to destination: AudioNode) -> Wire? {
    guard source.engine === self, destination.engine === self else { return nil }
    let graph = graph
    return graph.wire(Graph.Wire(source, to: destination).id)
      .map { Wire.handle($0.id, of: graph, in: self) }
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

  /// Changes the graph under the lock and applies it; if either fails, the graph is unchanged.
  func changeGraph<Result: Sendable>(
    _ kind: EditHistory.Kind = .edit, _ body: @Sendable (inout Graph) throws(GraphError) -> Result
  ) throws(EngineError) -> Result {
    try core.withLock { core throws(EngineError) in
      try core.edit(kind) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try body(&core.graph) }
      }
    }
  }

  /// Checks that nodes belong to this engine: the identity of another engine's node may belong to a different node
  /// here.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
  func checkOwner(of nodes: [AudioNode]) throws(EngineError) {
    for node in nodes where node.engine !== self { throw .notAttached(node.name) }
  }
}

extension Graph {
  /// Connects nodes in a chain, main bus to main bus.
  ///
  /// - Parameter automatic: the wire that the engine made by itself; it is replaced if one of these wires leaves its
  ///   source.
  mutating func connect(_ nodes: [AudioNode], insteadOf automatic: Wire.ID?) throws(GraphError) {
    for (source, destination) in zip(nodes, nodes.dropFirst()) {
      try connect(Wire(source, to: destination), replacing: false, insteadOf: automatic)
    }
  }

  /// Removes all wires from one node to another, with their sends.
  ///
  /// - Returns: their number, sends from one to the other among them.
  mutating func disconnect(_ source: AudioNode, from destination: AudioNode) throws(GraphError) -> Int {
    let wires = wires.filter { $0.source.node == source.id && $0.destination.node == destination.id }
    // A send may have been removed with its strip.
    for wire in wires where self.wire(wire.id) != nil { try disconnect(wire.id) }
    return wires.count
  }
}

extension Graph.Wire {
  /// A wire between two nodes.
  init(
    _ source: AudioNode, _ bus: Bus = 0, to destination: AudioNode, _ destinationBus: Bus = 0,
    through channels: ChannelMap = ChannelMap()
  ) {
    self.init(
      from: Endpoint(source.id, bus: bus, channel: channels.source),
      to: Endpoint(destination.id, bus: destinationBus, channel: channels.destination))
  }
}
