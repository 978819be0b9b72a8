// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

extension GraphEdit {
  /// Connects nodes in a row, main bus to main bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  public mutating func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try use([first] + rest)
    let automatic = automaticWire
    try change { graph throws(GraphError) in try graph.connect([first] + rest, insteadOf: automatic) }
  }

  /// Connects a node to a mixer, as a channel strip: see ``AudioEngine/connect(_:to:through:replacing:)``. Levels
  /// that are set on the strip before the edit is committed belong to the edit.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public mutating func connect(
    _ source: AudioNode, to mixer: MixerNode, through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> ChannelStrip {
    try use([source, mixer])
    return ChannelStrip(try add(Graph.Wire(source, to: mixer, through: channels), replacing), in: engine)
  }

  /// Connects the first bus of a node to a bus of another: see ``AudioEngine/connect(_:to:bus:through:replacing:)``.
  /// Levels that are set on the connection before the edit is committed belong to the edit.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public mutating func connect(
    _ source: AudioNode, to destination: AudioNode, bus: Bus = 0, through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> Wire {
    try connect(source, bus: 0, to: destination, bus: bus, through: channels, replacing: replacing)
  }

  /// Connects a bus of a node to a bus of another: see ``connect(_:to:bus:through:replacing:)``.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public mutating func connect(
    _ source: AudioNode, bus: Bus, to destination: AudioNode, bus destinationBus: Bus = 0,
    through channels: ChannelMap = ChannelMap(),
    replacing: Bool = false
  ) throws(EngineError) -> Wire {
    try use([source, destination])
    let wire = Graph.Wire(source, bus, to: destination, destinationBus, through: channels)
    return Wire.handle(try add(wire, replacing), of: graph, in: engine)
  }

  /// Adds a wire with all its properties: buses, channels, levels, a send, a pan law, feedback.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  package mutating func connect(_ wire: Graph.Wire) throws(EngineError) -> Wire {
    Wire.handle(try add(wire, false), of: graph, in: engine)
  }

  private mutating func add(_ wire: Graph.Wire, _ replacing: Bool) throws(EngineError) -> Graph.Wire.ID {
    let automatic = automaticWire
    try change { graph throws(GraphError) in
      try graph.connect(wire, replacing: replacing, insteadOf: automatic)
    }
    stage(wire.id)
    return wire.id
  }

  /// Also sends the sound of a connection to the first bus of another node: see
  /// ``Wire/send(to:bus:channel:gain:isPreFader:)``.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a wire or node of another engine.
  @discardableResult
  public mutating func send(
    _ wire: Wire, to destination: AudioNode, gain: Level = .decibels(0), isPreFader: Bool = false
  ) throws(EngineError) -> Wire {
    try checkOwner(of: wire)
    try use([destination])
    let send = try change { graph throws(GraphError) in
      try wire.send(
        to: Endpoint(destination.id), gain: gain.decibels, isPreFader: isPreFader, in: &graph)
    }
    stage(send)
    return Wire.handle(send, of: graph, in: engine)
  }

  /// Removes all wires from one node to another, with their sends.
  ///
  /// - Returns: the number of wires.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public mutating func disconnect(
    _ source: AudioNode, from destination: AudioNode
  ) throws(EngineError) -> Int {
    try engine.checkOwner(of: [source, destination])
    return try change { graph throws(GraphError) in try graph.disconnect(source, from: destination) }
  }

  /// Removes a wire and its sends. May be called again for a removed wire.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public mutating func disconnect(_ wire: Wire) throws(EngineError) {
    try checkOwner(of: wire)
    try change { graph throws(GraphError) in
      if graph.wire(wire.id) != nil { try graph.disconnect(wire.id) }
    }
  }

  /// Inserts a node between two connected nodes: the wire between their main buses is replaced by two. The wire into
  /// `destination` takes over the levels of the replaced wire.
  ///
  /// - Throws: ``EngineError/graph(_:)``, also if the main bus of `source` is not connected to that of `destination`;
  ///   ``EngineError/notAttached(_:)`` for a node of another engine.
  public mutating func insert(
    _ node: AudioNode, between source: AudioNode, and destination: AudioNode
  ) throws(EngineError) {
    try use([node, source, destination])
    takeStagedLevels()
    let direct = Graph.Wire(source, to: destination)
    try change { graph throws(GraphError) in
      guard let old = graph.wire(direct.id) else {
        throw .unknownWire(source: source.name, destination: destination.name)
      }
      let sends = graph.wires.filter { $0.id.stripID == old.id }
      try graph.disconnect(old.id)
      try graph.connect(Graph.Wire(from: direct.source, to: Endpoint(node.id)))
      for var wire in [old] + sends {
        wire.id.source = Endpoint(node.id)
        wire.isAutomatic = false
        try graph.connect(wire)
      }
    }
  }

  /// Changes the levels of a wire: its gain, trim, pan, mute, solo and polarity. Its ends stay.
  ///
  /// A level out of range is clamped and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///
  /// - Parameters:
  ///   - wire: the wire, channel strip or send.
  ///   - duration: the time that gain, trim and pan take, 5 ms to an hour.
  ///   - body: changes the levels.
  /// - Throws: ``EngineError/graph(_:)``, also for a level that is not a number.
  public mutating func update(
    _ wire: Wire, over duration: Duration = .zero, _ body: (inout Graph.Wire) -> Void
  ) throws(EngineError) {
    try checkOwner(of: wire)
    takeStagedLevels()
    engine.broadcaster.send(
      try change { graph throws(GraphError) in try wire.change(in: &graph, over: duration, body) })
    if stagedWires.contains(wire.id) { stage(wire.id) }
  }

  /// Replaces all lanes by those of a mix: see ``AudioEngine/apply(_:master:)``.
  package mutating func apply(_ mix: AudioMix) throws(EngineError) {
    try changeLanes { graph, parameters throws(EngineError) in
      try graph.apply(mix, master: nil, parameters)
    }
  }

  /// Automates a value of a wire: see ``Wire/automate(_:with:)``.
  package mutating func automate(
    _ wire: Graph.Wire.ID, _ parameter: Wire.Parameter, with lane: Automation?
  ) throws(EngineError) {
    engine.broadcaster.send(
      try change { graph throws(GraphError) in try graph.automate(wire, parameter, with: lane) })
  }

  /// Makes levels that are set on a wire's handle a part of this edit.
  private mutating func stage(_ id: Graph.Wire.ID) {
    let wire = graph.wire(id)
    engine.core.withLock { $0.stagedWires[id] = wire }
    stagedWires.insert(id)
  }

  /// Copies the levels that were set on the handles of new wires and mixers into the graph copy.
  mutating func takeStagedLevels() {
    let (wires, mixers) = engine.core.withLock { core in
      (
        stagedWires.compactMap { core.stagedWires[$0] },
        staged.compactMap { node in core.staged[node.id]?.mixerGain.map { (node.id, $0) } }
      )
    }
    // A level that the wire or mixer cannot have is ignored.
    for wire in wires where graph.wire(wire.id) != nil { try? graph.update(wire) }
    for (id, gain) in mixers where graph.node(id) != nil { try? graph.setGain(gain, of: id) }
  }

  private func checkOwner(of wire: Wire) throws(EngineError) {
    guard wire.engine === engine else { throw .notAttached("the wire") }
  }
}
