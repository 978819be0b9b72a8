// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Dispatch
import Synchronization
import Testing

@testable import SwiftletGraph

/// Processors that have something to report join a list.
@Suite struct ReporterTests {
  private let list = ReportList()

  private func reporter(_ slot: Int) -> Reporter {
    let reporter = Reporter()
    reporter.join(list, as: NodeID(slot: slot))
    return reporter
  }

  @Test func `a reporter is on the list once, with all its reports`() {
    let first = reporter(1), second = reporter(2), quiet = reporter(3)
    first.report(.badInput)
    second.report(.words)
    first.report(.latency)
    first.report(.badInput)
    let taken = list.take()
    #expect(taken.map(\.node.slot) == [1, 2])
    #expect(taken.map(\.matters) == [[.badInput, .latency], [.words]])
    #expect(list.take().isEmpty)
    first.report(.words)
    #expect(list.take().map(\.matters) == [[.words]])
    withExtendedLifetime(quiet) {}
  }

  @Test func `reports made before joining a list are delivered after joining`() {
    let early = Reporter()
    early.report(.words)
    #expect(list.take().isEmpty)
    early.join(list, as: NodeID(slot: 7))
    early.join(list, as: NodeID(slot: 7))
    #expect(list.take().map(\.matters) == [[.words]])
  }

  @Test func `a reporter that moves to another list is on that list only`() {
    let moved = reporter(1), other = ReportList()
    moved.report(.words)
    moved.join(other, as: NodeID(slot: 2))
    moved.report(.latency)
    #expect(list.take().map(\.matters) == [[.words]])
    #expect(other.take().map(\.node.slot) == [2])
  }

  @Test func `releasing a reporter keeps the list intact`() {
    let last = reporter(2)
    do {
      let first = reporter(1)
      last.report(.words)
      first.report(.words)
    }
    last.report(.latency)
    #expect(list.take().map(\.node.slot).filter { $0 == 2 } == [2, 2])
    last.report(.latency)
    #expect(list.take().count == 1)
  }

  @Test func `no report of several threads is lost while others are taken`() {
    let count = 20_000, threads = 4
    let reporters = (0..<3).map { reporter($0) }
    let made = reporters.map { _ in Counter() }, isOver = Atomic(0)
    let seen = Mutex<[Int]>([0, 0, 0])
    @Sendable func look() {
      for report in list.take() {
        let now = made[report.node.slot].value.load(ordering: .relaxed)
        seen.withLock { $0[report.node.slot] = max($0[report.node.slot], now) }
      }
    }
    DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
      guard thread < threads else {
        while isOver.load(ordering: .acquiring) < threads { look() }
        return
      }
      for round in 0..<count {
        let slot = (round + thread) % reporters.count
        made[slot].value.add(1, ordering: .relaxed)
        reporters[slot].report(round % 2 == 0 ? .words : .badInput)
      }
      isOver.add(1, ordering: .releasing)
    }
    look()
    #expect(seen.withLock { $0 } == made.map { $0.value.load(ordering: .relaxed) })
    #expect(list.take().isEmpty)
  }

  private final class Counter: Sendable { let value = Atomic(0) }
}
