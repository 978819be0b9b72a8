// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Whether this user's threads may have real-time priority.
enum RealtimeRights {
  /// Tries it with the calling thread, and restores the thread's priority.
  static var areThere: Bool {
    var policy: Int32 = 0, own = sched_param()
    guard pthread_getschedparam(pthread_self(), &policy, &own) == 0 else { return false }
    var wanted = sched_param()
    wanted.sched_priority = 2
    guard pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0 else { return false }
    pthread_setschedparam(pthread_self(), policy, &own)
    return true
  }

  /// The message if they may not.
  static let advice =
    "this user may not have real-time priority; on Debian, 'adduser USER audio' and a new login give it"
}
