// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTesting
import SwiftletTimeline
import Testing

struct AutomationTableTests {
  /// A lane with all curves. Its entries start between frames, some less than one frame apart.
  private func lane(_ count: Int = 60, from start: MediaTime = .zero, seed: UInt64 = 1) throws -> Automation {
    var lane = Automation(0.5), time = start, generator = SeededGenerator(seed: seed)
    for index in 0..<count {
      let next = time + MediaTime(frames: .random(in: 1...20_000, using: &generator), at: 999_983)
      let curves: [Automation.Curve] = [
        .linear, .decibels, .exponential(steepness: .random(in: -32...32, using: &generator)), .sCurve,
        .equalPower,
        .bezier(
          x1: .random(in: 0...1, using: &generator), y1: 0, x2: .random(in: 0...1, using: &generator), y2: 1),
      ]
      if index % 7 == 6 {
        try lane.set(.random(in: 0...1, using: &generator), at: time)
      } else {
        try lane.ramp(
          from: .random(in: 0...1, using: &generator), to: .random(in: 0...1, using: &generator),
          in: time..<next,
          curve: curves[index % 6])
      }
      time =
        next
        + (index % 3 == 0 ? MediaTime(frames: .random(in: 1...9000, using: &generator), at: 777_777) : .zero)
    }
    return lane
  }

  private func values(_ table: borrowing AutomationTable, _ frames: Range<Int64>, block: Int) -> [Float] {
    var values = [Float](repeating: .nan, count: frames.count)
    values.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: buffer.count, by: block) {
        let count = min(block, buffer.count - start)
        table.fill(MutableSamples(base + start, count: count), from: frames.lowerBound + Int64(start))
      }
    }
    return values
  }

  @Test(arguments: [44_100.0, 48_000, 47_999.5, 8000])
  func `blocks of any size give bit-identical values`(rate: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let table = AutomationTable(try lane(seed: seed), sampleRate: rate), frames = Int64(-100)..<60_000
      let whole = values(table, frames, block: frames.count)
      for block in [1, 7, 64, 1000] {
        let parts = values(table, frames, block: block)
        #expect(parts.map(\.bitPattern) == whole.map(\.bitPattern), "blocks of \(block)")
      }
      for (index, frame) in frames.enumerated() where index % 11 == 0 {
        #expect(table.value(at: frame) == whole[index])
      }
    }
  }

  @Test(arguments: [44_100.0, 48_000, 47_999.5, 8000])
  func `each frame has the automation's value at the frame's exact time`(rate: Double) throws {
    let lane = try lane(), table = AutomationTable(lane, sampleRate: rate)
    for (frame, value) in values(table, 0..<60_000, block: 512).enumerated() {
      let exact = lane.value(at: MediaTime(frames: Int64(frame), at: rate))
      guard abs(value - exact) < 1e-6 else {
        Issue.record("frame \(frame): \(value), the automation has \(exact)")
        return
      }
    }
  }

  @Test func `a ramp 34 years after the start is as exact as one at the start`() throws {
    var near = Automation(), far = Automation()
    let start = MediaTime.seconds(1 << 30), range = MediaTime.zero..<MediaTime.seconds(2)
    try near.ramp(from: 0, to: 1, in: range, curve: .sCurve)
    try far.ramp(from: 0, to: 1, in: start..<(start + .seconds(2)), curve: .sCurve)
    let first = start.frames(at: 48_000)
    let a = values(AutomationTable(near, sampleRate: 48_000), 0..<100_000, block: 64)
    let b = values(AutomationTable(far, sampleRate: 48_000), first..<(first + 100_000), block: 1000)
    #expect(a == b)
  }

  @Test func `steadyFrames returns the number of frames until the next change`() throws {
    var lane = Automation(1)
    try lane.ramp(from: 0, to: 1, in: .seconds(1)..<(.seconds(2)))
    try lane.set(3, at: .seconds(5))
    let table = AutomationTable(lane, sampleRate: 100)
    #expect(table.steadyFrames(from: -50) == 150 && table.steadyFrames(from: 100) == 0)
    #expect(table.steadyFrames(from: 199) == 0 && table.steadyFrames(from: 200) == 300)
    #expect(table.steadyFrames(from: 500) == .max && table.value(at: 499) == 1)
  }

  @Test func `extreme frames and sample rates do not trap`() throws {
    for rate in [-.infinity, -1, 0, .nan, 1e-300, 1, 16_777_216, 1e300, .infinity] {
      for start in [MediaTime.zero, .seconds(1 << 30), .latest - .seconds(9)] {
        let table = AutomationTable(try lane(8, from: start), sampleRate: rate)
        for frame in [Int64.min, -1, 0, 1, 1 << 59, .max - 1, .max] {
          #expect(values(table, frame..<frame, block: 64).isEmpty && table.value(at: frame).isFinite)
          _ = table.steadyFrames(from: frame)
        }
        let last = values(table, (.max - 2000)..<(.max - 1), block: 64)
        #expect(last.allSatisfy { $0.isFinite })
      }
    }
  }

  @Test func `declick bridges jumps with a smooth glide, and leaves the rest as it is`() throws {
    var lane = Automation(1)
    try lane.set(0, at: .seconds(1))
    try lane.ramp(from: 0.5, to: 1, in: .seconds(2)..<(.seconds(3)))
    try lane.set(0.25, at: .milliseconds(3100), curve: .step)
    let plain = AutomationTable(lane, sampleRate: 1000),
      smooth = AutomationTable(lane, sampleRate: 1000, declick: 0.1)
    let a = (0..<4000).map { plain.value(at: $0) }, b = (0..<4000).map { smooth.value(at: $0) }
    for frame in 0..<4000 {
      let isGliding = 1000..<1099 ~= frame || 2000..<2099 ~= frame
      #expect(isGliding || abs(a[frame] - b[frame]) < 1e-6, "frame \(frame): \(b[frame]), not \(a[frame])")
    }
    #expect(zip(b, b.dropFirst()).prefix(3098).allSatisfy { abs($0 - $1) < 0.016 })
    #expect(abs(b[1049] - 0.5) < 0.01)
    #expect(smooth.steadyFrames(from: 1050) == 0 && smooth.steadyFrames(from: 1100) == 900)
    #expect(values(smooth, 0..<4000, block: 64) == b)
  }
}
