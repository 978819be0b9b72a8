// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct StreamClockTests {
  @Test func `cycles continue from the requested frame`() {
    var clock = StreamClock(from: 1000, sampleRate: 48_000)
    #expect(clock.begin(at: 77, count: 64) == 1000)
    #expect(clock.begin(at: 141, count: 64) == 1064)
    #expect(clock.begin(at: 205, count: 128) == 1128)
    #expect(clock.end == 1256)
  }

  @Test func `the counter's wrap after a day has no effect`() {
    var clock = StreamClock(from: 0, sampleRate: 48_000)
    #expect(clock.begin(at: .max - 63, count: 64) == 0)
    #expect(clock.begin(at: 0, count: 64) == 64)
    #expect(clock.begin(at: 64, count: 64) == 128)
    #expect(UInt32(truncatingIfNeeded: 128 + clock.offset) == 64)
  }

  @Test func `three days of cycles give their exact number of frames`() {
    var clock = StreamClock(from: 0, sampleRate: 48_000), jack: UInt32 = 5, frame: Int64 = 0
    for _ in 0..<1_600_000 {
      #expect(clock.begin(at: jack, count: 8192) == frame)
      jack &+= 8192
      frame += 8192
    }
    #expect(frame > 3 * Int64(UInt32.max))
  }

  // Before and across the counter's wrap.
  @Test(arguments: [UInt32(100), UInt32.max - 163, UInt32.max - 300_000, UInt32.max - 63])
  func `a jump up to ten seconds is lost sound, and a longer one a new time base`(_ start: UInt32) {
    for (gap, isLoss) in [(0, true), (1, true), (640, true), (480_000, true), (480_001, false)] {
      var clock = StreamClock(from: 5, sampleRate: 48_000)
      #expect(clock.begin(at: start, count: 64) == 5)
      let next = start &+ 64 &+ UInt32(gap)
      let expected = 69 + Int64(isLoss ? gap : 32)
      #expect(clock.begin(at: next, count: 32) == expected, "\(gap)")
      #expect(clock.jumps == (isLoss ? 0 : 1))
      // From there on all is as before.
      #expect(clock.begin(at: next &+ 32, count: 64) == expected + 32)
      #expect(UInt32(truncatingIfNeeded: expected + clock.offset) == next)
    }
  }

  @Test(arguments: [
    // Twenty seconds back, an hour, twelve hours, half of the range and more, a day minus twenty seconds.
    Int64(-1_000_000), Int64(3600 * 48_000), Int64(Int32.max), Int64(Int32.max) + 1,
    Int64(UInt32.max) - 1_000_000,
  ])
  func `a jump that is no loss costs exactly one cycle`(_ jump: Int64) {
    var clock = StreamClock(from: 0, sampleRate: 48_000)
    _ = clock.begin(at: 2_000_000, count: 64)
    let next = UInt32(truncatingIfNeeded: 2_000_064 + jump)
    #expect(clock.begin(at: next, count: 64) == 128)
    #expect(clock.begin(at: next &+ 64, count: 64) == 192)
    #expect(clock.jumps == 1)
  }

  @Test(arguments: [UInt32(1), 64, 480_000]) func `a small step back has no effect`(_ step: UInt32) {
    var clock = StreamClock(from: 0, sampleRate: 48_000)
    _ = clock.begin(at: 2_000_000, count: 64)
    let next = 2_000_064 - step
    #expect(clock.begin(at: next, count: 64) == 64)
    #expect(clock.begin(at: next + 64, count: 64) == 128)
    #expect(clock.jumps == 0 && UInt32(truncatingIfNeeded: 128 + clock.offset) == next + 64)
  }

  @Test func `a clock with an invalid rate runs`() {
    for rate in [Double.nan, -1, 0, .infinity, 1e300] {
      var clock = StreamClock(from: 0, sampleRate: rate)
      _ = clock.begin(at: 0, count: 64)
      #expect(clock.begin(at: 64, count: 64) == 64)
    }
  }
}
