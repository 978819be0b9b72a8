// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// The sequence of readings, and its end. The limits are long: in a full run, a waiting test resumes only when most
/// others are done.
struct MeterReadingsTests {
  @Test(.timeLimit(.minutes(20)))
  func `readings arrive at their rate, with the sound since the last`() async throws {
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
    // Not early; the delay depends on the machine.
    #expect(ContinuousClock.now - start >= .milliseconds(5 * 66))
    #expect(levels[0] == 0 && levels.dropFirst().allSatisfy { isNear($0, -20, within: 0.001) })
  }

  @Test(.timeLimit(.minutes(20)))
  func `a slow reader does not get missed readings in a burst`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    var readings = meter.readings(every: .milliseconds(50)).makeAsyncIterator()
    _ = await readings.next(isolation: nil)
    try await Task.sleep(for: .milliseconds(500))
    let start = ContinuousClock.now
    // The one that is due, and then one every 50 ms.
    for _ in 0..<4 { #expect(await readings.next(isolation: nil) != nil) }
    #expect(ContinuousClock.now - start >= .milliseconds(145))
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["remove", "close", "detach"])
  func `the sequence ends when the meter or its engine is removed`(how: String) async throws {
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

  @Test(.timeLimit(.minutes(20)))
  func `the sequence neither keeps its engine alive nor outlives it`() async throws {
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

  @Test(.timeLimit(.minutes(20))) func `removing the meter ends a long wait`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    async let end: Void = {
      for await _ in meter.readings(every: .seconds(86_400)) { Issue.record("a day has not passed") }
    }()
    try await Task.sleep(for: .milliseconds(50))
    meter.remove()
    // Otherwise the time limit would end it.
    await end
  }

  @Test(.timeLimit(.minutes(20))) func `a cancelled task stops waiting`() async throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    let task = Task {
      for await _ in meter.readings(every: .seconds(86_400)) { Issue.record("a day has not passed") }
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    // Otherwise the time limit would end it.
    await task.value
    // The meter still serves others.
    try rig.feed([[Float](repeating: 1, count: 480)])
    #expect(meter.read().averagePower(forChannel: 0) == 0)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
  func `an invalid interval is clamped to the nearest valid one`(interval: Duration) async throws {
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
