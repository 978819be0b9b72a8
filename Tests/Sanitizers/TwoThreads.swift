// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization

/// Runs `body` on two threads, which begin together, and waits for both.
func inTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup(), arrived = Waiting()
  for _ in 0..<2 {
    group.enter()
    Thread.detachNewThread {
      // Relaxed: this must not order what the threads do.
      arrived.count.add(1, ordering: .relaxed)
      while arrived.count.load(ordering: .relaxed) < 2 { sched_yield() }
      body()
      group.leave()
    }
  }
  group.wait()
}

/// How many threads have arrived.
private final class Waiting: Sendable { let count = Atomic(0) }
