// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization
import Testing

@testable import Swiftlet

@Suite(.serialized) struct LoadEstimateTests {
  /// An engine that behaves as in JACK, with a period of `period` frames.
  private func engine(period: Int) throws -> AudioEngine {
    try AudioEngine(
      .offline(sampleRate: 48_000, longestBlock: AudioEngine.longestLiveBlock), simulatedPeriod: period)
  }

  /// Keeps the processor busy for `seconds`.
  private static func work(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {}
  }

  //  slow, quick ─► desk      slow takes a fifth of the period, quick a twentieth
  @Test func `a load estimate names the nodes that cause it, at one cycle per period`() throws {
    let engine = try engine(period: 1024)
    defer { engine.close() }
    let period = 1024.0 / 48_000
    let slow = try engine.attach(.source(channels: 1) { _ in Self.work(period / 5) }, name: "slow")
    let quick = try engine.attach(.source(channels: 1) { _ in Self.work(period / 20) }, name: "quick")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(slow, output)
    try engine.connect(quick, output)
    let start = ContinuousClock.now
    let estimate = try engine.estimateLoad(seconds: 0.5)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    // At least the work itself; more if other programs use the processor.
    #expect(estimate.load.median > 0.24, "\(estimate)")
    #expect(estimate.nodes.prefix(2).map(\.node) == ["slow", "quick"])
    #expect((estimate.nodes.first?.share ?? 0) > 0.19, "\(estimate)")
    #expect(Double(engine.now.frame) / 48_000 < elapsed + 0.1)
    #expect(engine.cycleLoad.map { $0.cycleCount >= estimate.load.cycleCount } == true)
  }

  //  steady, rare ─► desk      rare is interrupted for 14 periods, once in 20 cycles
  @Test func `a node that another program interrupts is not blamed`() throws {
    let engine = try engine(period: 1024)
    defer { engine.close() }
    let period = 1024.0 / 48_000, cycles = CycleCounter()
    let steady = try engine.attach(.source(channels: 1) { _ in Self.work(period / 10) }, name: "steady")
    let rare = try engine.attach(
      .source(channels: 1) { _ in
        if cycles.next() % 20 == 0 { Self.work(14 * period) }
      }, name: "rare")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(steady, output)
    try engine.connect(rare, output)
    let estimate = try engine.estimateLoad(seconds: 0.2)
    #expect(estimate.nodes.first?.node == "steady", "\(estimate)")
    // Its mean is 0.7.
    #expect((estimate.nodes.first { $0.node == "rare" }?.share ?? 0) < 0.35, "\(estimate)")
    #expect(0.09..<0.5 ~= estimate.load.median, "\(estimate)")
  }

  //  mic ─► desk
  @Test func `input nodes receive noise while a load is estimated`() throws {
    let engine = try engine(period: 256)
    defer { engine.close() }
    let mic = try engine.attach(.capture(channels: 2), name: "mic")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(mic, output)
    let meter = try engine.installMeter(on: output, side: .before)
    _ = try engine.estimateLoad(seconds: 0.2)
    let levels = meter.takeLevels()
    #expect(levels.count == 2)
    for level in levels { #expect(abs(level.rms - 0.058) < 0.004, "\(level)") }
  }

  @Test func `cycles rendered back to back do not count as load`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    let source = try engine.attach(.source(channels: 1) { _ in }, name: "source")
    try engine.connect(source, output)
    for _ in 0..<10 { _ = try engine.render(256) }
    #expect(engine.cycleLoad == nil)
  }
}

/// Counts cycles.
private final class CycleCounter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
