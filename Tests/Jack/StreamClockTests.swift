// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct StreamClockTests {
  @Test func `cycles follow each other from the frame that was asked for`() {
    var clock = StreamClock(from: 1000)
    #expect(clock.begin(at: 77, count: 64) == 1000)
    #expect(clock.begin(at: 141, count: 64) == 1064)
    #expect(clock.begin(at: 205, count: 128) == 1128)
    #expect(clock.end == 1256)
  }

  @Test func `the counter's wrap after a day goes unnoticed`() {
    var clock = StreamClock(from: 0)
    #expect(clock.begin(at: .max - 63, count: 64) == 0)
    #expect(clock.begin(at: 0, count: 64) == 64)
    #expect(clock.begin(at: 64, count: 64) == 128)
    #expect(UInt32(truncatingIfNeeded: 128 + clock.offset) == 64)
  }

  @Test func `three days of cycles are as many frames as there were`() {
    var clock = StreamClock(from: 0), jack: UInt32 = 5, frame: Int64 = 0
    for _ in 0..<1_600_000 {
      #expect(clock.begin(at: jack, count: 8192) == frame)
      jack &+= 8192
      frame += 8192
    }
    #expect(frame > 3 * Int64(UInt32.max))
  }

  @Test func `a gap is kept, a step back is not`() {
    var clock = StreamClock(from: 0)
    _ = clock.begin(at: 100, count: 64)
    #expect(clock.begin(at: 164 + 640, count: 64) == 64 + 640)
    #expect(clock.begin(at: 10, count: 64) == 64 + 640 + 64)
    #expect(clock.begin(at: 74, count: 64) == 64 + 640 + 128)
  }
}
