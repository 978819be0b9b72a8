// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct LatencyPathTests {
  //  in 0 ──100──► out 0
  //  in 1 ──20..30─► out 0
  //  in 1 ──5────► out 1        out 2 plays a file
  let paths = [
    LatencyPath(from: 0, to: 0, frames: 100...100), LatencyPath(from: 1, to: 0, frames: 20...30),
    LatencyPath(from: 1, to: 1, frames: 5...5),
  ]

  @Test func `capture latency accumulates from inputs to outputs`() {
    let result = paths.latencies(isCapture: true, known: [0: 256...256, 1: 512...600], wanted: [0, 1, 2])
    #expect(result == [0: 356...630, 1: 517...605, 2: 0...0])
  }

  @Test func `playback latency accumulates from outputs to inputs`() {
    let result = paths.latencies(
      isCapture: false, known: [0: 10...10, 1: 1000...1000, 2: 7...7], wanted: [0, 1])
    #expect(result == [0: 110...110, 1: 30...1005])
  }
}
