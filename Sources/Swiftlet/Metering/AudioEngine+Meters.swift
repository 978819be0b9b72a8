// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletLibraryEffects
internal import Synchronization

extension AudioEngine {
  /// Installs a meter on a bus. Peak and average cost some nanoseconds a block.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - bus: an output bus, or, with `side: .before`, an input bus with all that is mixed into it; default: 0.
  ///   - side: `.after` the node, which is the default, or `.before` it.
  ///   - measures: the measurements besides peak and average; default: none.
  ///   - hold: the time for which peaks are held before they fall by 20 dB a second, 0 or more; default: 2 s.
  /// - Throws: ``EngineError/graph(_:)`` if the bus does not exist or carries events; ``EngineError/effect(name:_:)``
  ///   if there is not enough memory.
  public func installMeter(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after,
    _ measures: Set<Meter.Measure> = [],
    holdingPeaksFor hold: Duration = .seconds(2)
  ) throws(EngineError) -> Meter {
    try installMeter(at: .node(node, bus: bus, side: side), measures, holdingPeaksFor: hold)
  }

  /// Installs a meter on a wire or a send: before its fader, or at its end.
  ///
  /// - Parameters:
  ///   - wire: the wire, channel strip or send.
  ///   - side: `.before` the fader, behind trim and phase, whether the wire is muted or not; or `.after` fader, mute
  ///     and pan. Default: `.after`.
  ///   - measures: the measurements besides peak and average; default: none.
  ///   - hold: the time for which peaks are held before they fall by 20 dB a second, 0 or more; default: 2 s.
  /// - Throws: as ``installMeter(on:bus:side:_:holdingPeaksFor:)``, and if the wire has been removed.
  public func installMeter(
    on wire: Wire, side: Graph.Tap.Side = .after, _ measures: Set<Meter.Measure> = [],
    holdingPeaksFor hold: Duration = .seconds(2)
  ) throws(EngineError) -> Meter {
    try installMeter(at: .wire(wire, side: side), measures, holdingPeaksFor: hold)
  }

  /// Installs a meter at a point of the graph.
  ///
  /// - Parameters:
  ///   - measures: the measurements besides peak and average; default: none.
  ///   - hold: the time for which peaks are held before they fall by 20 dB a second, 0 or more; default: 2 s.
  /// - Throws: as ``installMeter(on:bus:side:_:holdingPeaksFor:)``.
  package func installMeter(
    at point: TapPoint, _ measures: Set<Meter.Measure> = [],
    holdingPeaksFor hold: Duration = .seconds(2)
  ) throws(EngineError) -> Meter {
    let held = PeakHold(for: max(hold / .seconds(1), 0), falling: 20)
    guard !measures.isEmpty else {
      let (id, sink) = try addTap(point, capacity: 1)
      return Meter(id, MeterMemory(sink, held), self)
    }
    // A ring of 1 s. The housekeeping thread drains it 200 times in that time.
    let (id, sink) = try addTap(point, capacity: max(Int(sampleRate), 2 * longestBlock))
    do throws(EngineError) {
      let memory = MeterMemory(sink, held, try measurement(measures, of: sink.channelCount))
      core.withLock { $0.meters[id] = memory }
      sink.record()
      return Meter(id, memory, self)
    } catch {
      core.withLock { core in try? core.remove(id) }
      throw error
    }
  }

  private func measurement(
    _ measures: Set<Meter.Measure>, of channelCount: Int
  ) throws(EngineError) -> R128Measurement {
    let measurement = R128Measurement(
      channelCount: channelCount, sampleRate: sampleRate, truePeak: measures.contains(.truePeak),
      loudness: measures.contains(.loudness))
    // The measurement accepts every width of a bus, so it fails only if there is no memory.
    guard let measurement else { throw .effect(name: "loudness", .resources) }
    return measurement
  }

  /// The time for meters in seconds: the machine's clock, or offline the engine's time.
  var meterTime: Double {
    jackClient == nil ? now.seconds : (ContinuousClock.now - Self.clockStart) / .seconds(1)
  }

  private static let clockStart = ContinuousClock.now

  /// Whether a meter is in the graph and the engine is open.
  func hasMeter(_ id: TapID) -> Bool { !isClosed && core.withLock { $0.graph.tap(id) != nil } }
}

extension EngineCore {
  /// The meters with measurements that the housekeeping thread must drain.
  mutating func busyMeters() -> [MeterMemory] {
    guard !meters.isEmpty else { return [] }
    return Array(meters.values)
  }
}
