// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Testing

struct TimelineLoopTests {
  @Test(arguments: [0..<1, 0..<7, 3..<5, 10..<100] as [Range<Int64>])
  func `the last frame of a loop is followed by its first`(range: Range<Int64>) throws {
    let loop = try #require(TimelineLoop(range))
    var expected: Int64 = 0
    for frame in 0..<Int64(500) {
      #expect(loop.timelineFrame(of: frame) == expected)
      expected = expected + 1 == range.upperBound ? range.lowerBound : expected + 1
    }
    #expect(loop.length == Int64(range.count))
    #expect(loop.timelineFrame(of: -5) == -5)
    #expect(range.contains(loop.timelineFrame(of: .max)))
  }

  @Test func `an empty range and a range before the timeline are not loops`() {
    #expect(TimelineLoop(5..<5) == nil && TimelineLoop(-1..<5) == nil)
    #expect((nil as TimelineLoop?).timelineFrame(of: 77) == 77)
  }
}
