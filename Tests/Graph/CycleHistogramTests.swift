// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

@Suite struct CycleHistogramTests {
  /// Returns the load of cycles of `frameCount` frames that take these shares of a period of one million ticks.
  private func measured(_ shares: [Double], frameCount: Int = 64) -> CycleLoad? {
    let histogram = CycleHistogram()
    for share in shares { histogram.add(UInt64(share * 1e6), frameCount: frameCount) }
    return CycleLoad(histogram.snapshot(), ticksPerFrame: 1e6 / Double(frameCount))
  }

  @Test(arguments: [1e-4, 0.001, 0.03, 0.3, 0.999, 1, 1.01, 7, 400])
  func `the median of equal cycles is their share of the period, within 2 percent`(share: Double) throws {
    let load = try #require(measured(Array(repeating: share, count: 10)))
    #expect(load.cycleCount == 10)
    #expect(abs(load.median / share - 1) < 0.02)
    #expect(load.high == load.median)
  }

  @Test func `a few interrupted cycles change neither the median nor the high value`() throws {
    let shares = (0..<1000).map { (cycle: Int) -> Double in
      if cycle % 40 == 0 { return 30 }
      return 0.2 + Double(cycle % 10) / 1000
    }
    let load = try #require(measured(shares))
    #expect(abs(load.median - 0.205) < 0.005)
    #expect(abs(load.high - 0.209) < 0.005)
  }

  @Test func `the high value shows every tenth cycle being slow`() throws {
    let shares = (0..<1000).map { (cycle: Int) -> Double in cycle % 10 == 0 ? 0.9 : 0.2 }
    let load = try #require(measured(shares))
    #expect(abs(load.median - 0.2) < 0.005)
    #expect(abs(load.high - 0.9) < 0.02)
  }

  @Test func `cycles of different lengths are measured against their own periods`() throws {
    let histogram = CycleHistogram()
    for _ in 0..<10 { histogram.add(500_000, frameCount: 64) }
    for _ in 0..<10 { histogram.add(2_000_000, frameCount: 256) }
    let load = try #require(CycleLoad(histogram.snapshot(), ticksPerFrame: 1e6 / 64))
    #expect(abs(load.median - 0.5) < 0.01 && abs(load.high - 0.5) < 0.01)
  }

  @Test func `cycles before a snapshot are excluded`() throws {
    let histogram = CycleHistogram()
    for _ in 0..<100 { histogram.add(900_000, frameCount: 64) }
    let before = histogram.snapshot()
    for _ in 0..<10 { histogram.add(100_000, frameCount: 64) }
    let cycles = histogram.snapshot().since(before)
    #expect(cycles.cycleCount == 10)
    let load = try #require(CycleLoad(cycles, ticksPerFrame: 1e6 / 64))
    #expect(abs(load.median - 0.1) < 0.002)
  }

  @Test func `without cycles there is no load, and extreme cycle times are accepted`() {
    #expect(measured([]) == nil)
    let histogram = CycleHistogram()
    histogram.add(.max >> 20, frameCount: 1)
    histogram.add(0, frameCount: 64)
    histogram.add(1, frameCount: 0)
    #expect(histogram.snapshot().cycleCount == 2)
  }

  //   one ─► out
  @Test func `cycles of a suspended graph are not counted`() throws {
    let rig = Rig()
    var graph = Graph()
    let mono = BusFormat.audio(channels: 1)
    let one = try graph.add("one", .mixer, inputs: [mono], outputs: [mono])
    let out = try graph.add("out", .output(0), inputs: [mono], outputs: [])
    try graph.connect(Graph.Wire(from: Endpoint(one), to: Endpoint(out)))
    try rig.controller.apply(graph)
    rig.render(640)
    #expect(rig.controller.cycleCounts.cycleCount == 10)
    rig.controller.suspend()
    rig.render(48_000)
    let asleep = rig.controller.cycleCounts
    rig.render(48_000)
    #expect(rig.controller.cycleCounts == asleep)
    rig.controller.resume()
    rig.render(640)
    #expect(rig.controller.cycleCounts.since(asleep).cycleCount == 10)
  }
}
