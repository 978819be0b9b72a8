// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletLibraryEffects
internal import Synchronization

extension AudioEngine {
  /// Watches a bus from now on; peak and average cost some nanoseconds a block.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - bus: an output bus, or, with `side: .before`, an input bus with all that is mixed into it; default: 0.
  ///   - side: `.after` the node, which is the default, or `.before` it.
  ///   - measures: what it measures beside peak and average.
  ///   - hold: how long peaks are held before they fall by 20 dB a second; 0 or more.
  /// - Throws: ``EngineError/graph(_:)`` for a bus that is not there, or one that carries events;
  ///   ``EngineError/effect(name:_:)`` where there is no memory to measure in.
  public func installMeter(
    on node: AudioNode, bus: Bus = 0, side: Graph.Tap.Side = .after,
    _ measures: Set<Meter.Measure> = [],
    holdingPeaksFor hold: Duration = .seconds(2)
  ) throws(EngineError) -> Meter {
    try installMeter(at: .node(node, bus: bus, side: side), measures, holdingPeaksFor: hold)
  }

  /// Watches a wire or a send from now on: what comes to its fader, or what it brings to its end.
  ///
  /// - Parameters:
  ///   - wire: the wire, channel strip or send.
  ///   - side: before the fader, behind trim and phase, muted or not; or behind fader, mute and pan.
  ///   - measures: what it measures beside peak and average.
  ///   - hold: how long peaks are held before they fall by 20 dB a second; 0 or more.
  /// - Throws: as ``installMeter(on:bus:side:_:holdingPeaksFor:)``, and for a wire that is gone.
  public func installMeter(
    on wire: Wire, side: Graph.Tap.Side = .after, _ measures: Set<Meter.Measure> = [],
    holdingPeaksFor hold: Duration = .seconds(2)
  ) throws(EngineError) -> Meter {
    try installMeter(at: .wire(wire, side: side), measures, holdingPeaksFor: hold)
  }

  /// Watches a point from now on.
  ///
  /// - Parameters:
  ///   - measures: what it measures beside peak and average.
  ///   - hold: how long peaks are held before they fall by 20 dB a second; 0 or more.
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
    // A second: the house thread looks 200 times in it.
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
    // It takes any width that a bus may have, so what is missing is memory.
    guard let measurement else { throw .effect(name: "loudness", .resources) }
    return measurement
  }

  /// What time it is for meters, in seconds: offline, that of the sound.
  var meterTime: Double {
    studio == nil ? now.seconds : (ContinuousClock.now - Self.clockStart) / .seconds(1)
  }

  private static let clockStart = ContinuousClock.now

  /// Whether a meter is still in the graph of an engine that is not closed.
  func hasMeter(_ id: TapID) -> Bool { !isClosed && core.withLock { $0.graph.tap(id) != nil } }
}

extension EngineCore {
  /// The meters whose sound waits to be measured, without those that were taken out of the graph.
  mutating func busyMeters() -> [MeterMemory] {
    guard !meters.isEmpty else { return [] }
    return Array(meters.values)
  }
}
