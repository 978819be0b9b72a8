// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletThreads
import Testing

struct MonitorTests {
  @Test func `a waiting thread wakes when its condition becomes true`() throws {
    let baton = Monitor(0)
    let other = try #require(
      JoinableThread("swiftlet-other") {
        for round in 0..<1000 {
          baton.wait { $0 == 2 * round + 1 }
          baton.change { $0 += 1 }
        }
      })
    for round in 0..<1000 {
      baton.change { $0 += 1 }
      #expect(baton.wait(within: .seconds(100)) { $0 == 2 * round + 2 })
    }
    other.join()
    #expect(baton.value == 2000)
  }

  @Test func `concurrent changes are not lost`() throws {
    let count = Monitor(0)
    let threads = try (0..<4).map { _ in
      try #require(JoinableThread("swiftlet-count") { for _ in 0..<10_000 { count.change { $0 += 1 } } })
    }
    #expect(count.wait(within: .seconds(100)) { $0 == 40_000 })
    for thread in threads { thread.join() }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(20)])
  func `a wait for a condition that never holds ends after its limit`(limit: Duration) {
    let time = ContinuousClock().measure { #expect(!Monitor(false).wait(within: limit) { $0 }) }
    #expect(time >= limit)
  }

  @Test func `a wait for a condition that holds returns at once`() {
    #expect(Monitor(true).wait { $0 } && Monitor(true).wait(within: .zero) { $0 })
    #expect(Monitor(true).wait(within: .seconds(Int64.max)) { $0 })
  }
}
