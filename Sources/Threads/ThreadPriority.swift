// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The priority of a thread.
package enum ThreadPriority: Sendable {
  /// The priority of the process.
  case usual
  /// For work with a deadline of a fraction of a second, such as prefetching audio: above all threads of other
  /// programs and below every audio thread.
  case prefetch
  /// The priority of a client's audio thread in a JACK server with default options: real-time, if the user is
  /// permitted to use it.
  case audio

  /// Gives the calling thread this priority, as far as the user's permissions allow.
  ///
  /// Threads and processes that it starts do not inherit the priority.
  func apply() {
    switch self {
    case .usual: return
    case .prefetch: prefetch()
    case .audio:
      var parameters = sched_param()
      parameters.sched_priority = 5
      _ = sched_setscheduler(0, SCHED_FIFO | Self.resetOnFork, &parameters)
    }
  }

  /// Sets real-time scheduling, or else a lower nice value, or else nothing.
  private func prefetch() {
    // The lowest real-time priority; JACK's threads have 5 and more.
    var parameters = sched_param()
    parameters.sched_priority = 1
    if Self.mayRunLong, sched_setscheduler(0, SCHED_RR | Self.resetOnFork, &parameters) == 0 { return }
    // On Linux, this affects the calling thread only.
    guard setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice) == 0 else { return }
    parameters.sched_priority = 0
    _ = sched_setscheduler(0, SCHED_OTHER | Self.resetOnFork, &parameters)
  }

  /// The nice value for users without permission for real-time threads.
  private static var nice: Int32 { -11 }
  /// `SCHED_RESET_ON_FORK`, which Swift does not import.
  private static var resetOnFork: Int32 { 0x4000_0000 }

  /// Whether a real-time thread may decode a file for a while. Under `RLIMIT_RTTIME`, the kernel ends a process whose
  /// real-time thread runs too long without blocking.
  private static var mayRunLong: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(__RLIMIT_RTTIME.rawValue), &limit) == 0 && limit.rlim_cur == .max
  }
}
