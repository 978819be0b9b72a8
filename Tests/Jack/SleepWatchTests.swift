// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct SleepWatchTests {
  @Test func `a pause between cycles is reported once, when it is over`() {
    let start = ContinuousClock.now
    var watch = SleepWatch(now: start)
    // A client that waits to be started does not sleep.
    let cycles: [(cycle: Int, second: Int)] = [
      (0, 60), (1, 61), (9, 62), (9, 63), (9, 80), (10, 81), (11, 82), (11, 91), (12, 91), (13, 102),
    ]
    let reported = cycles.map { watch.hasSlept(at: $0.cycle, now: start + .seconds($0.second)) }
    #expect(reported == [false, false, false, false, false, true, false, false, false, true])
  }
}
