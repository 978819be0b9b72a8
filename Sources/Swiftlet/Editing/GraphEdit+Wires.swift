// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
package import SwiftletTimeline

extension GraphEdit {
  /// Connects nodes in a row, main bus to main bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  public mutating func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try engine.checkOwner(of: [first] + rest)
    try change { graph throws(GraphError) in try graph.connect([first] + rest) }
  }

  /// Connects a node's first bus to a bus of another, or to one channel of it.
  ///
  /// - Parameters:
  ///   - bus: the input bus of `destination`; default 0.
  ///   - channel: a channel of that bus, from 0; default nil: all of them.
  ///   - gain: in dB, up to +60; −120 and less is silence; default 0.
  ///   - pan: −1 (left) to 1 (right), for destinations with two channels; default nil: by the channel rule.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  @discardableResult
  public mutating func connect(
    _ source: AudioNode, to destination: AudioNode, bus: Bus = 0, channel: Int? = nil, gain: Float = 0,
    pan: Float? = nil
  ) throws(EngineError) -> AudioWire {
    try engine.checkOwner(of: [source, destination])
    return try connect(
      Wire(
        from: Endpoint(source.id), to: Endpoint(destination.id, bus: bus, channel: channel), gain: gain,
        pan: pan))
  }

  /// Adds a wire with all that a wire can have: buses, channels, a send, a pan law, feedback.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  package mutating func connect(_ wire: Wire) throws(EngineError) -> AudioWire {
    try change { graph throws(GraphError) in try graph.connect(wire) }
    return AudioWire(wire.id, in: engine)
  }

  /// Sends a strip's sound to the first bus of another node, too: see ``AudioWire/send(to:bus:channel:gain:isPreFader:)``.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a strip or node of another engine.
  @discardableResult
  public mutating func send(
    _ strip: AudioWire, to destination: AudioNode, gain: Float = 0, isPreFader: Bool = false
  ) throws(EngineError) -> AudioWire {
    try checkOwner(of: strip)
    try engine.checkOwner(of: [destination])
    return try change { graph throws(GraphError) in
      try strip.send(to: Endpoint(destination.id), gain: gain, isPreFader: isPreFader, in: &graph)
    }
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

  /// Removes a wire and its sends. Twice is fine.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public mutating func disconnect(_ wire: AudioWire) throws(EngineError) {
    try checkOwner(of: wire)
    try change { graph throws(GraphError) in
      if graph.wire(wire.id) != nil { try graph.disconnect(wire.id) }
    }
  }

  /// Puts a node between two that are connected: the wires between their main buses are replaced. The wire into
  /// `destination` takes over the levels of the one that was there.
  ///
  /// - Throws: ``EngineError/graph(_:)``, also if no main bus of `source` is connected to one of `destination`;
  ///   ``EngineError/notAttached(_:)`` for a node of another engine.
  public mutating func insert(
    _ node: AudioNode, between source: AudioNode, and destination: AudioNode
  ) throws(EngineError) {
    try engine.checkOwner(of: [node, source, destination])
    let direct = Wire(from: Endpoint(source.id), to: Endpoint(destination.id))
    try change { graph throws(GraphError) in
      guard let old = graph.wire(direct.id) else {
        throw .unknownWire(source: source.name, destination: destination.name)
      }
      let sends = graph.wires.filter { $0.id.stripID == old.id }
      try graph.disconnect(old.id)
      try graph.connect(Wire(from: direct.source, to: Endpoint(node.id)))
      for var wire in [old] + sends {
        wire.id.source = Endpoint(node.id)
        try graph.connect(wire)
      }
    }
  }

  /// Changes the levels of a wire: its gain, trim, pan, mute, solo and polarity. Its ends stay.
  ///
  /// - Parameter duration: the time that gain, trim and pan take, up to an hour, and 5 ms at least.
  /// - Throws: ``EngineError/graph(_:)``.
  public mutating func update(
    _ wire: AudioWire, over duration: Duration = .zero, _ body: (inout Wire) -> Void
  ) throws(EngineError) {
    try checkOwner(of: wire)
    try change { graph throws(GraphError) in try wire.change(in: &graph, over: duration, body) }
  }

  /// Applies a mix in place of all lanes: see ``AudioEngine/apply(_:master:)``.
  package mutating func apply(_ mix: AudioMix) throws(EngineError) {
    try changeLanes { graph, parameters throws(EngineError) in
      try graph.apply(mix, master: nil, parameters)
    }
  }

  /// Has a value of a wire follow a lane: see ``AudioWire/automate(_:with:)``.
  package mutating func automate(
    _ wire: Wire.ID, _ parameter: AudioWire.Parameter, with lane: Automation?
  ) throws(EngineError) {
    try change { graph throws(GraphError) in
      try graph.automate(Lane.Target(.wire(wire), parameter.value), with: lane)
    }
  }

  private func checkOwner(of wire: AudioWire) throws(EngineError) {
    guard wire.engine === engine else { throw .notAttached("the wire") }
  }
}
