// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletGraph
internal import Synchronization

extension AudioEngine {
  /// Installs a tap on a bus, before or after the node. Taps may be installed and removed while the engine plays.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - bus: an output bus, or, with `side: .before`, an input bus with all that is mixed into it; default: 0.
  ///   - side: `.after` the node, which is the default, or `.before` it.
  ///   - bufferSize: the frames of each buffer, 1 to 2²²; default: 1024. Larger values are clamped to 2²².
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine,
  ///   ``EngineError/graph(_:)`` for a bus that does not exist or that carries events.
  public func installTap(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after, bufferSize: Int = 1024
  ) throws(EngineError) -> Tap {
    try installTap(at: .node(node, bus: bus, side: side), bufferSize: bufferSize)
  }

  /// Installs a tap that calls `body` with each buffer of a bus, and with the time of its first frame at the source.
  ///
  /// `body` runs on a thread of the tap, `swiftlet-tap`, and gets the buffers in order. In JACK, half a minute of
  /// sound is queued for a slow `body`; after that, buffers are lost and counted in ``Tap/lostFrames``. The calls end
  /// shortly after the tap is removed or the engine is closed. Until then a `body` that captures the engine keeps it
  /// alive.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - bus: an output bus, or, with `side: .before`, an input bus with all that is mixed into it; default: 0.
  ///   - side: `.after` the node, which is the default, or `.before` it.
  ///   - bufferSize: the frames of each buffer, from 1 to 2²²; default: 1024. Larger values are clamped to 2²². The
  ///     last buffer may be shorter.
  ///   - body: called with each buffer and the time of its first frame.
  /// - Returns: the tap, to remove it and to count lost frames.
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine,
  ///   ``EngineError/graph(_:)`` for a bus that does not exist or that carries events.
  @discardableResult
  public func installTap(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after, bufferSize: Int = 1024,
    _ body: sending @escaping (AudioBuffer, AudioTime) -> Void
  ) throws(EngineError) -> Tap {
    let size = try checkedSize(bufferSize)
    return try installTap(
      at: .node(node, bus: bus, side: side), size: size, keeping: bufferLimit(size), body)
  }

  /// Removes a tap; its last buffer is still delivered. May be called again for a removed tap.
  ///
  /// - Throws: ``EngineError/notAttached(_:)`` for a tap of another engine.
  public func removeTap(_ tap: Tap) throws(EngineError) {
    guard tap.engine === self else { throw .notAttached("the tap") }
    try core.withLock { core throws(EngineError) in
      guard let feed = core.taps[tap.id] else { return }
      try core.remove(tap.id)
      core.taps[tap.id] = nil
      feed.finish()
    }
  }

  /// Installs a tap on a wire or a send, before or after its fader.
  ///
  /// - Parameters:
  ///   - wire: the wire, channel strip or send.
  ///   - side: `.before` the fader: after trim and phase, independent of mute; or `.after` fader, mute and pan, which
  ///     is the default.
  ///   - bufferSize: the frames of each buffer, 1 to 2²²; default: 1024. Larger values are clamped to 2²².
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a wire of another engine,
  ///   ``EngineError/graph(_:)`` for a wire that no longer exists or that carries events.
  public func installTap(
    on wire: Wire, side: Graph.Tap.Side = .after, bufferSize: Int = 1024
  ) throws(EngineError) -> Tap {
    try installTap(at: .wire(wire, side: side), bufferSize: bufferSize)
  }

  /// Installs a tap at a point of the graph.
  ///
  /// - Parameters:
  ///   - point: the point.
  ///   - bufferSize: the frames of each buffer, 1 to 2²²; default: 1024. Larger values are clamped to 2²².
  /// - Throws: ``EngineError/bufferSize(_:)``, ``EngineError/notAttached(_:)`` for a point of another engine,
  ///   ``EngineError/graph(_:)`` for a point that does not exist or that carries events.
  package func installTap(at point: TapPoint, bufferSize: Int = 1024) throws(EngineError) -> Tap {
    let size = try checkedSize(bufferSize)
    return try installTap(at: point, size: size, keeping: bufferLimit(size))
  }

  private func checkedSize(_ bufferSize: Int) throws(EngineError) -> Int {
    guard bufferSize >= 1 else { throw .bufferSize(bufferSize) }
    return min(bufferSize, 1 << 22)
  }

  /// Returns the maximum number of unread buffers of so many frames; nil for no limit. Offline there is no limit,
  /// since the program controls the speed and may read all buffers at the end.
  private func bufferLimit(_ size: Int) -> Int? {
    jackClient == nil ? nil : max(Int(sampleRate * Tap.queuedSeconds) / size, 4)
  }

  /// Installs a tap whose sequence keeps at most `most` unread buffers; nil for no limit.
  func installTap(at point: TapPoint, size: Int, keeping most: Int?) throws(EngineError) -> Tap {
    let (stream, continuation) = AsyncStream<Tap.Buffer>.makeStream(
      bufferingPolicy: most.map { .bufferingOldest($0) } ?? .unbounded)
    return try installTap(at: point, size: size, stream) { continuation }
  }

  /// Installs a tap whose closure may be at most `most` buffers behind; nil for no limit.
  func installTap(
    at point: TapPoint, size: Int, keeping most: Int?,
    _ body: sending @escaping (AudioBuffer, AudioTime) -> Void
  ) throws(EngineError) -> Tap {
    // Only the tap's thread calls the closure.
    let body = Unchecked(body)
    return try installTap(at: point, size: size, AsyncStream { $0.finish() }) {
      TapThread(keeping: most) { body.value($0.samples, $0.time) }
    }
  }

  private func installTap(
    at point: TapPoint, size: Int, _ stream: AsyncStream<Tap.Buffer>, _ receiver: () -> any Tap.Receiver
  ) throws(EngineError) -> Tap {
    let (id, sink) = try addTap(point)
    let receiver = receiver()
    let losses = core.withLock { core in
      let feed = Tap.Feed(
        sink, size: size, sampleRate: sampleRate, clock: { [weak self] in self?.hostClock }, receiver)
      feed.latency = core.controller.latency(of: id)
      core.taps[id] = feed
      return feed.losses
    }
    sink.record()
    return Tap(id: id, engine: self, stream: stream, losses: losses)
  }

  /// Adds a tap with its processor for the audio thread, which meters from now on but does not record yet.
  func addTap(_ point: TapPoint, capacity: Int = 1 << 18) throws(EngineError) -> (TapID, TapSink) {
    switch point {
    case .node(let node, _, _): try use([node])
    case .wire(let wire, _): guard wire.engine === self else { throw .notAttached("the wire") }
    }
    return try core.withLock { core throws(EngineError) in
      try core.edit(.passing) { core throws(EngineError) in
        let id = try graphEdit { () throws(GraphError) in
          switch point {
          case .node(let node, let bus, let side): try core.graph.tap(node.id, bus: bus, side)
          case .wire(let wire, let side): try core.graph.tap(wire.id, side)
          }
        }
        guard let tap = core.graph.tap(id), let format = core.graph.format(of: tap), format != .events else {
          let source = core.graph.tap(id).map { core.name($0.node) } ?? ""
          throw .graph(.mismatch(source: source, destination: "tap"))
        }
        guard MemoryBudget.grants(format.channelCount * capacity * MemoryLayout<Float>.size) else {
          throw .effect(name: core.name(tap.node), .resources)
        }
        let sink = TapSink(channelCount: format.channelCount, capacity: capacity)
        core.newTaps[id] = sink
        core.sinks[id] = sink
        return (id, sink)
      }
    }
  }
}

extension EngineCore {
  /// Removes a tap permanently: no undo restores it.
  mutating func remove(_ tap: TapID) throws(EngineError) {
    if graph.tap(tap) != nil {
      try edit(.passing) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.remove(tap) }
      }
    }
    detached.taps[tap] = nil
  }

  /// Ends the sequences of taps that were removed with their nodes or wires, once all fades have ended.
  mutating func endLooseTaps() {
    guard !taps.isEmpty, controller.isSettled else { return }
    for (id, feed) in taps where graph.tap(id) == nil {
      feed.finish()
      taps[id] = nil
    }
  }
}
