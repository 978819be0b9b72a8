// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// Ends the process at most five seconds after `exit` was called.
///
/// `exit` calls the destructors of every library and plugin. One of them may wait forever, for example for a thread
/// that the system refused to start. All results are written before `exit`, so the process then ends with its own
/// status.
enum ExitDeadline {
  /// The seconds from `exit` to the end of the process.
  private static let seconds: UInt32 = 5
  fileprivate static let status = Atomic<Int32>(0)

  /// Sets the deadline. The last call before `exit`.
  static func set(_ status: ExitStatus) {
    self.status.store(status.rawValue, ordering: .releasing)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in endProcess() }
    sigaction(SIGALRM, &action, nil)
    alarm(seconds)
  }
}

/// Handles SIGALRM. Restores the terminal and ends the process.
private func endProcess() {
  rt_third_party_enter()
  defer { rt_third_party_exit() }
  TerminalState.restore()
  _exit(ExitDeadline.status.load(ordering: .acquiring))
}
