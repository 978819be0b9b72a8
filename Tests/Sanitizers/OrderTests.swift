// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletSanitizers
import Foundation
import Synchronization
import Testing

/// Synchronisation that ThreadSanitizer must not report as a race, although Swift's libraries are not instrumented. The
/// tests of `make test-tsan` rely on each.
@Suite(.serialized) struct OrderTests {
  @Test func `a contended mutex orders accesses to its value`() {
    final class Shared: Sendable { let numbers = Mutex([0]) }
    let shared = Shared()
    inTwoThreads {
      for number in 0..<20_000 {
        shared.numbers.withLock {
          $0.append(number)
          if $0.count > 100 { $0 = [] }
        }
      }
    }
    #expect(shared.numbers.withLock { !$0.isEmpty })
  }

  @Test func `withLockIfAvailable orders accesses to the mutex's value`() {
    final class Shared: Sendable { let numbers = Mutex([0]) }
    let shared = Shared()
    inTwoThreads {
      var left = 5000
      while left > 0 {
        if shared.numbers.withLockIfAvailable({ $0 = [left] }) != nil { left -= 1 } else { sched_yield() }
      }
    }
    #expect(shared.numbers.withLock { $0 == [1] })
  }

  @Test func `a semaphore and a serial queue order accesses`() {
    final class Shared: Sendable {
      let done = DispatchSemaphore(value: 0), queue = DispatchQueue(label: "swiftlet-test")
      nonisolated(unsafe) var numbers: [Int] = []
    }
    let shared = Shared()
    Thread.detachNewThread {
      shared.numbers = [1]
      shared.done.signal()
    }
    shared.done.wait()
    for number in 0..<100 { shared.queue.async { shared.numbers.append(number) } }
    #expect(shared.queue.sync { shared.numbers.count } == 101)
  }

  @Test func `a lazy static value is fully initialised for every thread`() {
    enum Lazy { static let numbers = (0..<1000).map { $0 * 3 } }
    inTwoThreads { precondition(Lazy.numbers[999] == 2997) }
    #expect(Lazy.numbers.count == 1000)
  }

  @Test func `a stream and a continuation order accesses to the values that they pass`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
    Thread.detachNewThread {
      for number in 0..<100 { continuation.yield([number]) }
      continuation.finish()
    }
    var sum = 0
    for await numbers in stream { sum += numbers[0] }
    #expect(sum == 4950)
    let last = await withCheckedContinuation { waiting in
      Thread.detachNewThread { waiting.resume(returning: [1, 2]) }
    }
    #expect(last == [1, 2])
  }

  @Test func `the thread with the last reference may free memory that others wrote`() {
    final class Node: @unchecked Sendable { var numbers = [1] }
    let group = DispatchGroup()
    for _ in 0..<100 {
      let node = Node()
      node.numbers.append(2)
      group.enter()
      Thread.detachNewThread {
        precondition(node.numbers.count == 2)
        group.leave()
      }
    }
    group.wait()
  }
}
