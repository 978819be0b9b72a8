// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Starts a thread beside the audio thread, with a name for `top -H` and debuggers. Control thread.
///
/// The thread names itself, by the file that Linux has for this (`proc_pid_comm(5)`): Foundation loses a name that is given
/// before a thread starts, and now and then one that is given just then. Where there is no `/proc`, it has none.
///
/// - Parameters:
///   - name: up to 15 bytes; more are cut off.
///   - priority: how urgent its work is.
///   - body: what it does; the thread ends with it.
package func startThread(
  _ name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable () -> Void
) {
  Thread.detachNewThread {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      _ = write(file, name, name.utf8.count)
      close(file)
    }
    priority.apply()
    body()
  }
}
