// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// The sequence of readings, and how it ends. The limits are long: in a full run, a test that waits goes on when most
/// others are done.
struct MeterReadingsTests {
  @Test(.timeLimit(.minutes(20))) func `readings come at their rate, with what has sounded`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    try rig.feed([[Float](repeating: 1, count: 480)])
    let start = ContinuousClock.now
    var levels: [Float] = []
    for await reading in meter.readings(every: .milliseconds(66)) {
      levels.append(reading.averagePower(forChannel: 0))
      try rig.feed([[Float](repeating: 0.1, count: 480)])
      if levels.count == 5 { break }
    }
    // Not early; how late depends on the machine.
    #expect(ContinuousClock.now - start >= .milliseconds(5 * 66))
    #expect(levels[0] == 0 && levels.dropFirst().allSatisfy { isNear($0, -20, within: 0.001) })
  }

  @Test(.timeLimit(.minutes(20))) func `who was slow is not given in a burst what it missed`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    var readings = meter.readings(every: .milliseconds(50)).makeAsyncIterator()
    _ = await readings.next(isolation: nil)
    try await Task.sleep(for: .milliseconds(500))
    let start = ContinuousClock.now
    // The one that is due, and then one each 50 ms.
    for _ in 0..<4 { #expect(await readings.next(isolation: nil) != nil) }
    #expect(ContinuousClock.now - start >= .milliseconds(145))
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["remove", "close", "detach"])
  func `the sequence ends when the meter or its engine goes`(how: String) async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main, [.loudness])
    var readings = meter.readings(every: .milliseconds(10)).makeAsyncIterator()
    #expect(await readings.next(isolation: nil) != nil)
    switch how {
    case "remove": meter.remove()
    case "close": rig.engine.close()
    default: try rig.engine.detach(rig.main)
    }
    #expect(await readings.next(isolation: nil) == nil)
    #expect(await readings.next(isolation: nil) == nil)
  }

  @Test(.timeLimit(.minutes(20))) func `the sequence neither keeps its engine nor outlives it`() async throws
  {
    weak var engine: AudioEngine?
    func readings() throws -> some AsyncSequence<Meter.Reading, Never> {
      let rig = try MeterRig()
      engine = rig.engine
      return try rig.engine.installMeter(on: rig.main).readings(every: .seconds(86_400))
    }
    let sequence = try readings()
    #expect(engine == nil)
    var count = 0
    for await _ in sequence { count += 1 }
    #expect(count == 0)
  }

  @Test(.timeLimit(.minutes(20))) func `a long wait ends with the meter`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    async let end: Void = {
      for await _ in meter.readings(every: .seconds(86_400)) { Issue.record("a day has not passed") }
    }()
    try await Task.sleep(for: .milliseconds(50))
    meter.remove()
    // Or the time limit would.
    await end
  }

  @Test(.timeLimit(.minutes(20))) func `a task that is cancelled waits no longer`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    let task = Task {
      for await _ in meter.readings(every: .seconds(86_400)) { Issue.record("a day has not passed") }
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    // Or the time limit would.
    await task.value
    // The meter is there for others.
    try rig.feed([[Float](repeating: 1, count: 480)])
    #expect(meter.read().averagePower(forChannel: 0) == 0)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
  func `an interval that cannot be is taken for the nearest that can`(interval: Duration) async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    let readings = meter.readings(every: interval)
    if interval > .zero {
      let task = Task { for await _ in readings { Issue.record("a day has not passed") } }
      task.cancel()
      await task.value
    } else {
      let start = ContinuousClock.now
      var iterator = readings.makeAsyncIterator()
      for _ in 0..<10 { #expect(await iterator.next(isolation: nil) != nil) }
      #expect(ContinuousClock.now - start >= .milliseconds(10))
    }
  }
}
