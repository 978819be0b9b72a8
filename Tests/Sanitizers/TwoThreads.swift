// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization

/// Runs `body` on two threads that start together, and waits for both.
func inTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup(), arrived = Waiting()
  for _ in 0..<2 {
    group.enter()
    Thread.detachNewThread {
      // Relaxed: the counter must not order the threads' accesses.
      arrived.count.add(1, ordering: .relaxed)
      while arrived.count.load(ordering: .relaxed) < 2 { sched_yield() }
      body()
      group.leave()
    }
  }
  group.wait()
}

/// The number of threads that have arrived.
private final class Waiting: Sendable { let count = Atomic(0) }
