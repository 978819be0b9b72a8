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

/// Measures a thread from lap to lap.
struct ThreadClock {
  /// The folder in `/proc` of the thread that made the clock.
  private let thread = Self.folder
  private var last: (seconds: Double, working: Double, waiting: Double?)

  /// A clock of the calling thread whose first lap begins now.
  init() {
    last = (Self.time(CLOCK_MONOTONIC), Self.time(CLOCK_THREAD_CPUTIME_ID), Self.spent(by: thread)?.waiting)
  }

  /// What the thread has done since its last lap. Any thread.
  var lapSoFar: ThreadLap {
    let spent = Self.spent(by: thread)
    return lap(until: (Self.time(CLOCK_MONOTONIC), spent?.working ?? 0, spent?.waiting), sleeping: 0)
  }

  /// What the calling thread did since the last lap.
  ///
  /// - Parameter sleep: how long it had asked to sleep meanwhile, in seconds.
  mutating func lap(withSleep sleep: Double) -> ThreadLap {
    let now = (
      Self.time(CLOCK_MONOTONIC), Self.time(CLOCK_THREAD_CPUTIME_ID), Self.spent(by: thread)?.waiting
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

  /// The time of a clock of the system, in seconds.
  static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The folder of the calling thread, as every thread finds it.
  private static var folder: String {
    var name = [UInt8](repeating: 0, count: 64)
    let count = name.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { readlink("/proc/thread-self", $0, 63) } ?? 0
      }
    }
    return "/proc/" + String(decoding: name.prefix(max(count, 0)), as: UTF8.self)
  }

  /// How long a thread has had a processor and has waited for one since it began: the first numbers in `schedstat`, in
  /// nanoseconds.
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
