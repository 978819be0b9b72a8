// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletFiles

struct WorkThreadsTests {
  /// The order in which work ran. It is used under a lock, since several threads report.
  private struct Log {
    var begun: [Int] = []
    var names: Set<String> = []
    var running = 0, mostAtOnce = 0
  }

  @Test(arguments: [1, 3]) func `all work is done in order, within the limit of threads`(most: Int) {
    let threads = WorkThreads("swiftlet-test", most: most), left = DispatchGroup(), log = Mutex(Log())
    for number in 0..<30 {
      left.enter()
      threads.begin {
        log.withLock { log in
          log.begun.append(number)
          log.names.insert((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "")
          log.running += 1
          log.mostAtOnce = max(log.mostAtOnce, log.running)
        }
        usleep(2000)
        log.withLock { $0.running -= 1 }
        left.leave()
      }
    }
    left.wait()
    let seen = log.withLock { $0 }
    #expect(seen.begun.sorted() == Array(0..<30) && seen.mostAtOnce <= most)
    // Dedicated threads, not those of tasks.
    #expect(seen.names == ["swiftlet-test\n"])
    // Several threads may overtake each other before they report.
    #expect(most > 1 || seen.begun == Array(0..<30))
  }

  @Test func `work that arrives after all threads have ended gets a new one`() {
    let threads = WorkThreads("swiftlet-test", most: 1)
    for round in 0..<200 {
      let done = DispatchSemaphore(value: 0)
      threads.begin { done.signal() }
      // Occasionally the next one arrives just as the thread ends.
      #expect(done.wait(timeout: .now() + 20) == .success, "round \(round)")
    }
  }
}
