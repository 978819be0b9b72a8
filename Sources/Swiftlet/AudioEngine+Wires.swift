// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// Wires nodes in a row, main bus to main bus. Any number of wires may leave and reach a bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``; then none of the wires is made.
  public func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try changeGraph(isAtomic: rest.count < 2) { graph throws(GraphError) in
      for (source, destination) in zip([first] + rest, rest) {
        try graph.connect(Wire(from: Endpoint(source.id), to: Endpoint(destination.id)))
      }
    }
  }

  /// Wires one bus, or one channel of it, to another.
  ///
  /// - Parameters:
  ///   - gain: in dB, up to +60; −infinity is silence.
  ///   - pan: −1 (left) to 1 (right), for two-channel destinations; nil leaves the sound where the channel
  ///     rule puts it: a mono sound at full level on both sides.
  ///   - panLaw: how both sides share what is panned.
  ///   - feedback: how late a wire is that closes a loop, in frames, 16 to 480,000; nil for all others.
  /// - Returns: the wire, to change it, and to send its sound elsewhere, too.
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  public func connect(
    _ source: AudioNode, bus: Bus = 0, channel: Int? = nil, to destination: AudioNode,
    bus destinationBus: Bus = 0,
    channel destinationChannel: Int? = nil, gain: Float = 0, pan: Float? = nil,
    panLaw: PanLaw = .usual, feedback: Int? = nil
  ) throws(EngineError) -> AudioWire {
    try connect(
      Wire(
        from: Endpoint(source.id, bus: bus, channel: channel),
        to: Endpoint(destination.id, bus: destinationBus, channel: destinationChannel), gain: gain, pan: pan,
        panLaw: panLaw, feedback: feedback))
  }

  /// Makes a wire of your own making, or a send.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  public func connect(_ wire: Wire) throws(EngineError) -> AudioWire {
    try changeGraph { graph throws(GraphError) in try graph.connect(wire) }
    return AudioWire(wire.id, in: self)
  }

  /// The wire between two nodes' main buses with all their channels, if there is one.
  public func wire(from source: AudioNode, to destination: AudioNode) -> AudioWire? {
    graph.wire(Wire(from: Endpoint(source.id), to: Endpoint(destination.id)).id)
      .map { AudioWire($0.id, in: self) }
  }

  /// Changes all that a wire is but its ends: what is heard glides as long as the wire says, and 5 ms at least.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func update(_ wire: Wire) throws(EngineError) {
    try changeGraph { graph throws(GraphError) in try graph.update(wire) }
  }

  /// Removes all wires from one node to another, with their sends; their sound fades out over 5 ms.
  ///
  /// - Returns: how many there were, sends from one to the other among them.
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  public func disconnect(_ source: AudioNode, from destination: AudioNode) throws(EngineError) -> Int {
    try changeGraph { graph throws(GraphError) in
      let wires = graph.wires.filter {
        $0.source.node == source.id && $0.destination.node == destination.id
      }
      // A send may have gone with its strip.
      for wire in wires where graph.wire(wire.id) != nil { try graph.disconnect(wire.id) }
      return wires.count
    }
  }

  /// Changes the graph under the lock, and hands it on; if either fails, all is as before.
  ///
  /// - Parameter isAtomic: whether `body` changes nothing if it throws, as each function of a graph.
  func changeGraph<Result: Sendable>(
    isAtomic: Bool = true, _ body: @Sendable (inout Graph) throws(GraphError) -> Result
  ) throws(EngineError) -> Result {
    try core.withLock { core throws(EngineError) in
      try core.edit(isAtomic: isAtomic) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try body(&core.graph) }
      }
    }
  }
}
