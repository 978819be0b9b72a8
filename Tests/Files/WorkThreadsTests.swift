// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletFiles

struct WorkThreadsTests {
  /// What ran when: under a lock, as several threads tell.
  private struct Log {
    var begun: [Int] = []
    var names: Set<String> = []
    var running = 0, mostAtOnce = 0
  }

  @Test func `work begins in order, a few at once, on threads that no task needs`() {
    let threads = WorkThreads("swiftlet-test", most: 3), left = DispatchGroup(), log = Mutex(Log())
    for number in 0..<30 {
      left.enter()
      threads.begin {
        log.withLock { log in
          log.begun.append(number)
          log.names.insert(Thread.current.name ?? "")
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
    // Three threads that begin one each may be overtaken by each other before they tell.
    #expect(seen.begun.enumerated().allSatisfy { abs($0.offset - $0.element) < 3 }, "\(seen.begun)")
    #expect(seen.mostAtOnce == 3 && seen.names == ["swiftlet-test"])
  }

  @Test func `what comes when all threads have ended gets one, too`() {
    let threads = WorkThreads("swiftlet-test", most: 1)
    for round in 0..<200 {
      let done = DispatchSemaphore(value: 0)
      threads.begin { done.signal() }
      // Now and then the next one comes just as the thread ends.
      #expect(done.wait(timeout: .now() + 20) == .success, "round \(round)")
    }
  }
}
