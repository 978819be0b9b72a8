// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Timed waits. Nothing else in the sources sleeps.
///
/// Use it for periodic work, and to wait for what cannot wake a thread: the audio thread, a library, the kernel or
/// another program. Wait for everything else with a ``Monitor``, a semaphore or a descriptor.
package enum Waiting {
  /// Sleeps for a duration, and resumes the sleep after signals. Returns at once if the duration is not positive.
  package static func sleep(_ time: Duration) {
    guard time > .zero else { return }
    let (seconds, attoseconds) = time.components
    var whole = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000)), rest = timespec()
    while nanosleep(&whole, &rest) != 0, errno == EINTR { whole = rest }
  }

  /// Sleeps for a number of microseconds, or until a signal arrives. Safe in a signal handler, and on the audio thread
  /// offline and while JACK freewheels: `Scripts/audio-thread-waivers` names those waits.
  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// Polls a condition until it holds, with at most `tries` pauses.
  ///
  /// - Returns: Whether the condition holds.
  @discardableResult
  package static func until(every pause: Duration, tries: Int, _ holds: () -> Bool) -> Bool {
    for _ in 0..<max(tries, 0) {
      if holds() { return true }
      sleep(pause)
    }
    return holds()
  }

  /// Polls a condition until it holds or the time has elapsed.
  ///
  /// - Returns: Whether the condition holds.
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
