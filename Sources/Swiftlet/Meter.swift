// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import Synchronization

/// Watches the level of a bus.
public struct Meter: Sendable {
  let id: TapID
  let sink: TapSink
  private let engine: AudioEngine

  init(_ id: TapID, _ sink: TapSink, _ engine: AudioEngine) {
    self.id = id
    self.sink = sink
    self.engine = engine
  }

  /// How many channels the bus has.
  public var channelCount: Int { sink.channelCount }

  /// Peak and RMS of each channel since the last call, as factors of full scale. One caller at a time.
  public func takeLevels() -> [ChannelLevel] { sink.takeLevels() }

  /// Takes the meter away. Twice is fine.
  public func remove() {
    engine.core.withLock { core in try? core.remove(id) }
  }
}

extension AudioEngine {
  /// Watches a bus from now on; it costs some nanoseconds a block.
  ///
  /// - Throws: ``EngineError/graph(_:)`` for a bus that is not there, or one that carries events.
  public func addMeter(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after
  ) throws(EngineError) -> Meter {
    let (id, sink) = try addTap(on: node, bus: bus, side: side, capacity: 1)
    return Meter(id, sink, self)
  }
}
