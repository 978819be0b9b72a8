// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
public import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// Listens to a bus from now on, before or after the node. It may be
  /// installed and removed while sound runs.
  ///
  /// - Parameters:
  ///   - bus: an output bus, or, with `side: .before`, an input bus with all that is mixed into it.
  ///   - bufferSize: frames of each piece, 1 or more; more than 2²² are 2²².
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine,
  ///   ``EngineError/graph(_:)`` for a bus that is not there, or one that carries events.
  public func installTap(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after, bufferSize: Int = 1024
  ) throws(EngineError) -> Tap {
    try installTap(at: .node(node, bus: bus, side: side), bufferSize: bufferSize)
  }

  /// Ends a tap; its last buffer is still delivered. Twice is fine.
  public func removeTap(_ tap: Tap) throws(EngineError) {
    try changeCore { core throws(EngineError) in
      guard let feed = core.taps[tap.id] else { return }
      try core.remove(tap.id, endingWith: feed)
    }
  }

  /// Listens to a wire or a send from now on: to what comes to its fader, or to what it brings to its end.
  ///
  /// - Parameter side: before the fader, behind trim and phase, muted or not; or behind fader, mute and pan.
  /// - Throws: ``EngineError/graph(_:)`` for a wire that is gone, or one of events.
  public func installTap(
    on wire: AudioWire, side: Graph.Tap.Side = .after, bufferSize: Int = 1024
  ) throws(EngineError) -> Tap {
    try installTap(at: .wire(wire, side: side), bufferSize: bufferSize)
  }

  /// Listens at a point from now on.
  ///
  /// - Parameter bufferSize: frames of each piece, 1 or more; more than 2²² are 2²².
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a point of another engine,
  ///   ``EngineError/graph(_:)`` for a point that is not there, or one that carries events.
  package func installTap(at point: TapPoint, bufferSize: Int = 1024) throws(EngineError) -> Tap {
    guard bufferSize >= 1 else { throw .bufferSize(bufferSize) }
    let size = min(bufferSize, 1 << 22)
    // Offline, whoever renders says how fast it goes, and may fetch everything in the end.
    let most = studio == nil ? nil : max(Int(sampleRate * Tap.patience) / size, 4)
    return try installTap(at: point, size: size, keeping: most)
  }

  /// As the public one; of what nobody has fetched so many pieces are kept, or all.
  func installTap(at point: TapPoint, size: Int, keeping most: Int?) throws(EngineError) -> Tap {
    let (stream, continuation) = AsyncStream<Tap.Piece>.makeStream(
      bufferingPolicy: most.map { .bufferingOldest($0) } ?? .unbounded)
    let (id, sink) = try addTap(point)
    core.withLock { core in
      let feed = Tap.Feed(sink, size: size, sampleRate: sampleRate, continuation)
      feed.latency = core.host.latency(of: id)
      core.taps[id] = feed
    }
    sink.record()
    return Tap(id: id, stream: stream)
  }

  /// Adds a tap with its audio-thread half, which measures from now on but records nothing yet.
  func addTap(_ point: TapPoint, capacity: Int = 1 << 18) throws(EngineError) -> (TapID, TapSink) {
    switch point {
    case .node(let node, _, _): try checkOwner(of: [node])
    case .wire(let wire, _): guard wire.engine === self else { throw .notAttached("the wire") }
    }
    return try changeCore { core throws(EngineError) in
      try core.edit(isAtomic: true) { core throws(EngineError) in
        let id = try graphEdit { () throws(GraphError) in
          switch point {
          case .node(let node, let bus, let side): try core.graph.tap(node.id, bus: bus, side)
          case .wire(let wire, let side): try core.graph.tap(wire.id, side)
          }
        }
        guard let tap = core.graph.tap(id), let format = core.graph.format(of: tap), format != .events else {
          let source = core.graph.tap(id).map { core.name($0.node) } ?? ""
          try graphEdit { () throws(GraphError) in try core.graph.remove(id) }
          throw .graph(.mismatch(source: source, destination: "tap"))
        }
        guard MemoryBudget.grants(format.channelCount * capacity * MemoryLayout<Float>.size) else {
          try graphEdit { () throws(GraphError) in try core.graph.remove(id) }
          throw .effect(name: core.name(tap.node), .resources)
        }
        let sink = TapSink(channelCount: format.channelCount, capacity: capacity)
        core.newTaps[id] = sink
        return (id, sink)
      }
    }
  }
}

extension EngineCore {
  /// Takes a tap out of the graph, and ends the sequence that it feeds.
  mutating func remove(_ tap: TapID, endingWith feed: Tap.Feed? = nil) throws(EngineError) {
    try edit(isAtomic: true) { core throws(EngineError) in
      core.taps[tap] = nil
      if let feed { core.removedTaps.append(feed) }
      guard core.graph.tap(tap) != nil else { return }
      try graphEdit { () throws(GraphError) in try core.graph.remove(tap) }
      core.newTaps[tap] = nil
    }
  }

  /// Ends the sequences of taps that were removed, once no edit under way can bring them back.
  mutating func endRemovedTaps() {
    guard !isEditing else { return }
    for feed in removedTaps { feed.finish() }
    removedTaps = []
  }

  /// Ends the sequences of taps that went with their nodes and wires, once all that sounded has been heard.
  mutating func endLooseTaps() {
    guard !isEditing, !taps.isEmpty, host.isSettled else { return }
    for (id, feed) in taps where graph.tap(id) == nil {
      feed.finish()
      taps[id] = nil
    }
  }
}
