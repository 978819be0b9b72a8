// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// How a thread spent a period of time, in seconds.
struct ThreadLap: Equatable {
  /// The length of the period, and the part of it that the thread requested to sleep.
  var seconds: Double, sleeping: Double
  /// The processor time.
  var working: Double
  /// The time that the thread was ready to run while other threads had the processors; nil if the system does not
  /// report it.
  var waiting: Double?
}

/// Measures how a thread spends its time, in laps.
struct ThreadClock {
  /// The thread's folder in `/proc`.
  private let thread = Self.folder
  private var last: (seconds: Double, working: Double, waiting: Double?)

  /// Creates a clock of the calling thread and begins the first lap.
  init() {
    last = (
      SystemClock.seconds(of: CLOCK_MONOTONIC), SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID),
      Self.spent(by: thread)?.waiting
    )
  }

  /// The current lap so far. Any thread.
  var lapSoFar: ThreadLap {
    let spent = Self.spent(by: thread)
    return lap(
      until: (SystemClock.seconds(of: CLOCK_MONOTONIC), spent?.working ?? 0, spent?.waiting), sleeping: 0)
  }

  /// Ends a lap of the calling thread and begins the next.
  ///
  /// - Parameter sleep: the requested sleep time in the lap, in seconds.
  mutating func lap(withSleep sleep: Double) -> ThreadLap {
    let now = (
      SystemClock.seconds(of: CLOCK_MONOTONIC), SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID),
      Self.spent(by: thread)?.waiting
    )
    defer { last = now }
    return lap(until: now, sleeping: sleep)
  }

  private func lap(
    until now: (seconds: Double, working: Double, waiting: Double?), sleeping: Double
  ) -> ThreadLap {
    let waiting = now.waiting.flatMap { after in last.waiting.map { after - $0 } }
    return ThreadLap(
      seconds: now.seconds - last.seconds, sleeping: sleeping, working: now.working - last.working,
      waiting: waiting)
  }

  /// The calling thread's folder in `/proc`, by a path that is valid in every thread.
  private static var folder: String {
    var name = [UInt8](repeating: 0, count: 64)
    let count = name.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { readlink("/proc/thread-self", $0, 63) } ?? 0
      }
    }
    return "/proc/" + String(decoding: name.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Returns the time that a thread has had a processor and has waited for one since it started: the first two numbers
  /// in `schedstat`, in nanoseconds.
  private static func spent(by thread: String) -> (working: Double, waiting: Double)? {
    let file = open("\(thread)/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 96)
    let count = read(file, &text, text.count)
    guard count > 0 else { return nil }
    let numbers = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
    guard numbers.count > 1, let working = Double(numbers[0]), let waiting = Double(numbers[1]) else {
      return nil
    }
    return (working / 1e9, waiting / 1e9)
  }
}
