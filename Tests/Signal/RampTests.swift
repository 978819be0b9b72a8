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

  @Test func `a glide over zero or fewer frames is immediate`() {
    var ramp = Ramp(0)
    for length in [0, -5] {
      ramp.glide(to: 7, over: length)
      #expect(ramp.value == 7 && !ramp.isMoving)
    }
  }
}
