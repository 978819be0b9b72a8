// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// How urgent a thread's work is.
package enum ThreadPriority: Sendable {
  /// As all of the process.
  case usual
  /// It must be done in a fraction of a second, or sound is missing: before all threads of other programs, but behind
  /// every audio thread.
  case prefetch
  /// As a client's audio thread in a JACK server with the usual options: real time, where the user may.
  case audio

  /// Gives the calling thread this priority, as far as the user may.
  ///
  /// Threads and processes that it starts do not inherit it.
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

  /// Real time, else a lower nice value, else nothing.
  private func prefetch() {
    // The lowest: JACK's threads have 5 and more.
    var parameters = sched_param()
    parameters.sched_priority = 1
    if Self.mayRunLong, sched_setscheduler(0, SCHED_RR | Self.resetOnFork, &parameters) == 0 { return }
    // Of this thread alone, in Linux.
    guard setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice) == 0 else { return }
    parameters.sched_priority = 0
    _ = sched_setscheduler(0, SCHED_OTHER | Self.resetOnFork, &parameters)
  }

  /// The nice value where the user may have no real-time threads.
  private static var nice: Int32 { -11 }
  /// `SCHED_RESET_ON_FORK`, which Swift does not import.
  private static var resetOnFork: Int32 { 0x4000_0000 }

  /// Whether a real-time thread may decode a file for a while: some systems end a process whose thread does not wait
  /// for some time (`RLIMIT_RTTIME`).
  private static var mayRunLong: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(__RLIMIT_RTTIME.rawValue), &limit) == 0 && limit.rlim_cur == .max
  }
}
