// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Starts a thread beside the audio thread that is not joined. Control thread.
///
/// - Parameters:
///   - name: the name for `top -H` and debuggers, up to 15 bytes; more are cut off.
///   - priority: how urgent the thread's work is.
///   - body: what the thread does; it ends with it.
package func startThread(
  _ name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable () -> Void
) {
  JoinableThread(name, priority: priority, body)?.detach()
}

/// A thread beside the audio thread that can be joined: all threads of the sources start here.
///
/// The thread names itself, by the file that Linux has for this (`proc_pid_comm(5)`). Where there is no `/proc`, it has no
/// name.
package struct JoinableThread: Sendable {
  private let thread: pthread_t

  /// The arguments of a thread.
  private final class Work: Sendable {
    let name: String, priority: ThreadPriority, body: @Sendable () -> Void

    init(_ name: String, _ priority: ThreadPriority, _ body: @escaping @Sendable () -> Void) {
      (self.name, self.priority, self.body) = (name, priority, body)
    }

    func run() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      if file >= 0 {
        _ = write(file, name, name.utf8.count)
        close(file)
      }
      priority.apply()
      body()
    }
  }

  /// Starts a thread; nil if the system gives none. Control thread.
  package init?(
    _ name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable () -> Void
  ) {
    let work = Unmanaged.passRetained(Work(name, priority, body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    guard error == 0 else {
      work.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until the thread has ended, once. Control thread.
  package func join() { pthread_join(thread, nil) }

  fileprivate func detach() { pthread_detach(thread) }
}
