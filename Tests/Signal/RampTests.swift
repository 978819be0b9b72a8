// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

struct RampTests {
  @Test func `a glide of one minute is linear and ends at its last frame`() {
    let length = 60 * 48_000
    var ramp = Ramp(0.1)
    ramp.glide(to: 0.9, over: length)
    for frame in 1...length {
      let value = ramp.next(), line = 0.1 + 0.8 * Double(frame) / Double(length)
      guard abs(Double(value) - line) < 2e-7 else {
        Issue.record("frame \(frame): \(value), the line is at \(line)")
        return
      }
      if frame < length { #expect(ramp.isMoving) }
    }
    #expect(ramp.value == 0.9 && !ramp.isMoving && ramp.remaining == 0)
    #expect(ramp.next() == 0.9)
  }

  @Test func `stepping, skipping and looking ahead give the same values`() {
    var steps = Ramp(-3), skips = Ramp(-3)
    steps.glide(to: 5, over: 1000)
    skips.glide(to: 5, over: 1000)
    let ahead = skips
    for frame in stride(from: 0, to: 1100, by: 10) {
      for _ in 0..<10 { _ = steps.next() }
      skips.skip(10)
      #expect(steps.value == skips.value && steps.value == ahead.value(after: frame + 10))
    }
  }

  @Test func `a new glide starts at the current value`() {
    var ramp = Ramp(0)
    ramp.glide(to: 1, over: 100)
    ramp.skip(50)
    ramp.glide(to: 0, over: 50)
    #expect(ramp.value == 0.5)
    ramp.skip(25)
    #expect(ramp.value == 0.25)
    ramp.finish()
    #expect(ramp.value == 0 && !ramp.isMoving)
  }

  @Test func `a glide over zero frames is immediate`() {
    var ramp = Ramp(0)
    ramp.glide(to: 7, over: 0)
    #expect(ramp.value == 7 && !ramp.isMoving)
  }

  @Test func `a negative length means a cubic glide with zero slope at both ends`() {
    var ramp = Ramp(1)
    ramp.glide(to: 3, over: -200)
    for frame in 1...200 {
      let x = Double(frame) / 200
      #expect(abs(Double(ramp.next()) - (1 + 2 * x * x * (3 - 2 * x))) < 1e-6)
    }
    #expect(ramp.value == 3 && !ramp.isMoving)
  }

  @Test(arguments: [0.0, -1, 5])
  func `a smooth glide that replaces another continues its slope`(target: Float) {
    var ramp = Ramp(0)
    ramp.glide(to: 1, over: -1000)
    var values = (0..<300).map { _ in ramp.next() }
    let speed = ramp.speed
    ramp.glide(to: target, over: -1000)
    #expect(abs(ramp.speed - speed) < 1e-8)
    values += (0..<1000).map { _ in ramp.next() }
    #expect(ramp.value == target)
    // The slope changes by at most that of a cubic in a frame: no corner.
    let bends = zip(values, zip(values.dropFirst(), values.dropFirst(2))).map { abs($0 - 2 * $1.0 + $1.1) }
    #expect((bends.max() ?? 1) < 6 * 5.3 / 1_000_000)
    // Within both targets.
    let range = min(0, target) - 1e-6...max(1, target) + 1e-6
    #expect(values.allSatisfy { range ~= $0 })
  }
}
