// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

@testable import SwiftletGraph

@Suite struct HistoryLineTests {
  /// Writes each frame's own number, plus 1000 × the channel, for the frames from -50 to `end`.
  private func fill(_ line: borrowing HistoryLine, to end: Int64) {
    for channel in 0..<line.channelCount {
      for frame in -50..<end {
        withUnsafePointer(to: Float(frame + 1000 * Int64(channel))) {
          line.write(Samples($0, count: 1), channel: channel, at: frame)
        }
      }
    }
  }

  @Test(arguments: [(8, 40), (40, 8), (16, 16)], [0, 1, 15, 16, 17, 100])
  func `a new line takes over the history as far back as both lines reach`(
    _ sizes: (old: Int, new: Int), _ frame: Int64
  ) {
    let old = HistoryLine(channelCount: 2, longestDelay: sizes.old, longestBlock: 8)
    let new = HistoryLine(channelCount: 3, longestDelay: sizes.new, longestBlock: 8)
    fill(old, to: frame)
    new.take(over: old.view, before: frame)
    for channel in 0..<2 {
      for back in 1...Int64(min(sizes.old, sizes.new) + 8) {
        #expect(new.sample(channel: channel, at: frame - back) == Float(frame - back + 1000 * Int64(channel)))
      }
    }
    #expect(new.sample(channel: 2, at: frame - 1) == 0)
  }

  @Test func `samples of a channel that a line lacks are ignored`() {
    let line = HistoryLine(channelCount: 1, longestDelay: 8, longestBlock: 8)
    withUnsafePointer(to: Float(7)) { line.write(Samples($0, count: 1), channel: 1, at: 0) }
    #expect(line.sample(channel: 0, at: 0) == 0)
  }
}
