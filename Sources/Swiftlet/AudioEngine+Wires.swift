// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// Wires nodes in a row, main bus to main bus. Any number of wires may leave and reach a bus.
  ///
  /// - Throws: ``EngineError/graph(_:)``; then none of the wires is made.
  public func connect(_ first: AudioNode, _ rest: AudioNode...) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        for (source, destination) in zip([first] + rest, rest) {
          try graphEdit { () throws(GraphError) in
            try core.graph.connect(Wire(from: Endpoint(source.id), to: Endpoint(destination.id)))
          }
        }
      }
    }
  }

  /// Wires one bus, or one channel of it, to another.
  ///
  /// - Parameters:
  ///   - gain: in dB, up to +60; −infinity is silence.
  ///   - pan: −1 (left) to 1 (right); for two-channel destinations.
  ///   - feedback: how late a wire is that closes a loop, in frames, 16 to 480,000; nil for all others.
  /// - Throws: ``EngineError/graph(_:)``.
  public func connect(
    _ source: AudioNode, bus: Bus = 0, channel: Int? = nil, to destination: AudioNode,
    bus destinationBus: Bus = 0,
    channel destinationChannel: Int? = nil, gain: Float = 0, pan: Float = 0, feedback: Int? = nil
  ) throws(EngineError) {
    let wire = Wire(
      from: Endpoint(source.id, bus: bus, channel: channel),
      to: Endpoint(destination.id, bus: destinationBus, channel: destinationChannel), gain: gain, pan: pan,
      feedback: feedback)
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.connect(wire) }
      }
    }
  }

  /// Makes a wire of your own making.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func connect(_ wire: Wire) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.connect(wire) }
      }
    }
  }

  /// Moves the gain and pan of a wire, gliding over 5 ms.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func update(_ wire: Wire) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.update(wire) }
      }
    }
  }

  /// Removes all wires from one node to another; its sound fades out over 5 ms.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``EngineError/graph(_:)``.
  @discardableResult
  public func disconnect(_ source: AudioNode, from destination: AudioNode) throws(EngineError) -> Int {
    try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        let wires = core.graph.wires.filter {
          $0.source.node == source.id && $0.destination.node == destination.id
        }
        for wire in wires { try graphEdit { () throws(GraphError) in try core.graph.disconnect(wire.id) } }
        return wires.count
      }
    }
  }
}
