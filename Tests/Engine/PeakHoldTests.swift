// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Held peaks, compared with a model that evaluates all past peaks.
struct PeakHoldTests {
  /// Returns the held peak after the given peaks. It evaluates them from the start for each.
  private func model(_ peaks: [(time: Double, level: Double)], hold: Double) -> Double {
    var held = -Double.infinity
    for index in peaks.indices {
      // The last peak that was as high as the held value of the earlier ones.
      var top = 0
      for later in 0...index where later > 0 {
        let fallen = max(peaks[later].time - peaks[top].time - hold, 0) * 20
        if peaks[later].level >= peaks[top].level - fallen { top = later }
      }
      held = peaks[top].level - max(peaks[index].time - peaks[top].time - hold, 0) * 20
    }
    return max(held, -160)
  }

  @Test(arguments: [Duration.seconds(2), .milliseconds(300), .zero])
  func `a peak is held, falls by 20 dB per second, and a higher peak replaces it`(hold: Duration) throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main, holdingPeaksFor: hold)
    var state: UInt32 = 7, frame = 0, peaks: [(time: Double, level: Double)] = []
    for _ in 0..<150 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let count = 480 + Int(state >> 20), level = -Double(state >> 8 & 63) - (state >> 16 & 7 == 0 ? 0 : 40)
      try rig.feed([[Float](repeating: Float(pow(10, level / 20)), count: count)], blockSize: 4096)
      frame += count
      peaks.append((Double(frame) / 48_000, level))
      let held = meter.read().channels[0].heldPeak
      let wanted = model(peaks, hold: hold / .seconds(1))
      #expect(isNear(held, Float(wanted), within: 0.001), "after \(frame) frames")
    }
  }

  @Test func `a reset clears the held peak`() throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main)
    try rig.feed([[Float](repeating: 1, count: 480)])
    #expect(meter.read().channels[0].heldPeak == 0)
    try rig.feed([[Float](repeating: 0, count: 4800)])
    #expect(meter.read().channels[0].heldPeak == 0)
    meter.resetPeaks()
    #expect(meter.read().channels[0].heldPeak == -160)
    try rig.feed([[Float](repeating: 0.1, count: 480)])
    #expect(isNear(meter.read().channels[0].heldPeak, -20, within: 0.001))
  }

  @Test(arguments: [Duration.seconds(-3), .seconds(Int64.max)])
  func `an invalid hold time is clamped to the nearest valid one`(hold: Duration) throws {
    let rig = try MeterRig()
    let meter = try rig.engine.installMeter(on: rig.main, holdingPeaksFor: hold)
    try rig.feed([[Float](repeating: 1, count: 480)])
    _ = meter.read()
    try rig.feed([[Float](repeating: 0, count: 48_000)])
    #expect(isNear(meter.read().channels[0].heldPeak, hold < .zero ? -20 : 0, within: 0.01))
  }
}
