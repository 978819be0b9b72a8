// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// Limits the processor time of the prefetch thread.
///
/// The thread has real-time priority. Linux throttles all real-time threads of a processor, JACK's among them, once
/// together they have used 95 % of a second. So under load this thread rests for a fifth of the time.
struct PrefetchPace {
  /// The maximum work time before a rest, and the rest time, in seconds.
  private static let work = 0.02, pause = 0.005
  /// The thread's processor time at its last rest, in seconds.
  private var last = Self.worked
  /// The total rest time, in seconds.
  private(set) var rested = 0.0

  /// Rests if the work time is used up.
  mutating func rest() {
    guard Self.worked - last >= Self.work else { return }
    Waiting.sleep(.seconds(Self.pause))
    rested += Self.pause
    last = Self.worked
  }

  private static var worked: Double { SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID) }
}
