// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Waiting by the clock: nothing else in the sources sleeps.
///
/// Use it for work at intervals, and for what cannot wake a waiting thread: the audio thread, a library, the kernel, another
/// program. Everything else is waited for with a ``Monitor``, a semaphore or a descriptor.
package enum Waiting {
  /// Sleeps for a time, which signals do not shorten; not at all for 0 and less.
  package static func sleep(_ time: Duration) {
    guard time > .zero else { return }
    let (seconds, attoseconds) = time.components
    var whole = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000)), rest = timespec()
    while nanosleep(&whole, &rest) != 0, errno == EINTR { whole = rest }
  }

  /// Sleeps for so many microseconds, less where a signal comes. Safe inside a signal handler, and on the audio thread while
  /// nobody listens: `Scripts/audio-thread-waivers` names those waits.
  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// Asks again and again until a condition holds, so many pauses at most.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  package static func until(every pause: Duration, tries: Int, _ holds: () -> Bool) -> Bool {
    for _ in 0..<max(tries, 0) {
      if holds() { return true }
      sleep(pause)
    }
    return holds()
  }

  /// Asks again and again until a condition holds, for a time at most.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  package static func until(every pause: Duration, within time: Duration, _ holds: () -> Bool) -> Bool {
    let end = ContinuousClock.now + time
    while !holds() {
      guard ContinuousClock.now < end else { return false }
      sleep(pause)
    }
    return true
  }
}
