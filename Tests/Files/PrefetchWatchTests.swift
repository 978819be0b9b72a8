// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

@Suite struct PrefetchWatchTests {
  /// Returns the cause of an underrun after half a second of laps of 20 ms, with 10 ms of sleep each.
  private func cause(working: Double, waiting: Double?) -> UnderrunCause? {
    let watch = PrefetchWatch()
    for lap in 0..<25 {
      watch.note(
        ThreadLap(seconds: 0.02, sleeping: 0.01, working: working, waiting: waiting),
        underruns: lap == 24 ? 3 : 0)
    }
    return watch.mainCause
  }

  @Test func `the cause of an underrun is what took most of the time before it`() {
    #expect(cause(working: 0.001, waiting: 0.008) == .processor)
    #expect(cause(working: 0.001, waiting: 0.0001) == .disk)
    #expect(cause(working: 0.0095, waiting: 0.0001) == .decoding)
    #expect(cause(working: 0.001, waiting: nil) == nil)
  }

  @Test func `without an underrun there is no cause, and old laps do not count`() {
    let watch = PrefetchWatch()
    let starved = ThreadLap(seconds: 1, sleeping: 0.01, working: 0.01, waiting: 0.98)
    watch.note(starved, underruns: 0)
    #expect(watch.mainCause == nil)
    for _ in 0..<20 {
      watch.note(ThreadLap(seconds: 0.05, sleeping: 0.01, working: 0.001, waiting: 0), underruns: 0)
    }
    watch.note(ThreadLap(seconds: 0.05, sleeping: 0.01, working: 0.001, waiting: 0), underruns: 1)
    #expect(watch.mainCause == .disk)
  }

  // As with a disk that hangs: another thread asks.
  @Test func `an unfinished lap has a cause, too`() {
    let watch = PrefetchWatch(), hasBegun = DispatchSemaphore(value: 0)
    #expect(watch.unfinishedCause == nil)
    Thread.detachNewThread {
      watch.begin(ThreadClock())
      hasBegun.signal()
      usleep(500_000)
    }
    hasBegun.wait()
    usleep(200_000)
    #expect(watch.unfinishedCause == .disk)
    #expect(watch.mainCause == nil)
  }

  @Test func `a lap reports how long the thread worked and slept`() {
    var clock = ThreadClock()
    usleep(20_000)
    let sleeping = clock.lap(withSleep: 0.02)
    #expect(sleeping.seconds >= 0.02 && sleeping.working < 0.015)
    let start = ContinuousClock.now
    var sum = 0.0
    while ContinuousClock.now - start < .milliseconds(30) { sum += 1 }
    let working = clock.lap(withSleep: 0)
    // The remaining time the thread waited for others.
    #expect(sum > 0 && working.working + (working.waiting ?? 0.03) > 0.02)
  }

  /// Whether this user may have a lower nice value, tried on a short-lived thread.
  private var mayHavePriority: Bool {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var may = false
    Thread.detachNewThread {
      may = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -11) == 0
      done.signal()
    }
    done.wait()
    return may
  }

  /// Returns the scheduling policy and nice value of each thread with a name.
  private func threads(named name: String) -> [(policy: Int32, nice: Int32)] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap { task -> (Int32, Int32)? in
      guard let id = pid_t(task),
        let text = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8),
        text == name + "\n"
      else { return nil }
      return (sched_getscheduler(id), getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(id)))
    }
  }

  @Test func `a live prefetch thread gets a higher priority if the user may set one`() throws {
    let prefetch = PrefetchThread(isLive: true)
    let reset: Int32 = 0x4000_0000
    var isUrgent = false
    for _ in 0..<200 where !isUrgent {
      usleep(5000)
      isUrgent = threads(named: "swiftlet-reader").contains { thread in
        thread.policy == SCHED_RR | reset || thread.nice == -11
      }
    }
    // Without permission the thread keeps its priority.
    #expect(isUrgent || !mayHavePriority)
    withExtendedLifetime(prefetch) {}
  }
}
