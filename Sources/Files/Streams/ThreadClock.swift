// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// What a thread did in some time, in seconds.
struct ThreadLap: Equatable {
  /// How long it was, and how much of that the thread had asked to sleep.
  var seconds: Double, sleeping: Double
  /// How long it had a processor.
  var working: Double
  /// How long it was ready to run while others had the processors; nil where the system does not tell.
  var waiting: Double?
}

/// Measures the thread that uses it, from lap to lap.
struct ThreadClock {
  private var last: (seconds: Double, working: Double, waiting: Double?)

  /// A clock whose first lap begins now.
  init() { last = Self.now }

  /// What the calling thread did since the last lap.
  ///
  /// - Parameter sleep: how long it had asked to sleep meanwhile, in seconds.
  mutating func lap(withSleep sleep: Double) -> ThreadLap {
    let now = Self.now
    defer { last = now }
    let waiting = now.waiting.flatMap { after in last.waiting.map { after - $0 } }
    return ThreadLap(
      seconds: now.seconds - last.seconds, sleeping: sleep, working: now.working - last.working,
      waiting: waiting)
  }

  private static var now: (seconds: Double, working: Double, waiting: Double?) {
    (time(CLOCK_MONOTONIC), time(CLOCK_THREAD_CPUTIME_ID), waited)
  }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How long this thread has waited for a processor since it began: the second number in `schedstat`, in nanoseconds.
  private static var waited: Double? {
    let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 96)
    let count = read(file, &text, text.count)
    guard count > 0 else { return nil }
    let numbers = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
    return numbers.count > 1 ? Double(numbers[1]).map { $0 / 1e9 } : nil
  }
}
