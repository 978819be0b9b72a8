// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import Glibc

/// The clocks of the system. Any thread.
package enum SystemClock {
  /// The monotonic time in seconds, since an arbitrary moment before the program's start.
  package static var now: Double { seconds(of: CLOCK_MONOTONIC) }

  /// Returns the time of a clock in seconds, for example of `CLOCK_MONOTONIC`; 0 if the system does not have the clock.
  package static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
