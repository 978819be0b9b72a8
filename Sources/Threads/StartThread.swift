// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Starts a detached thread that is not an audio thread. Control thread.
///
/// - Parameters:
///   - name: The name for `top -H` and debuggers; cut to 15 bytes.
///   - priority: The thread's priority.
///   - body: The thread's work. The thread ends when it returns.
package func startThread(
  _ name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable () -> Void
) {
  JoinableThread(name, priority: priority, body)?.detach()
}

/// A joinable thread that is not an audio thread. All threads in the sources start here.
///
/// The thread names itself through `/proc/thread-self/comm` (`proc_pid_comm(5)`). Without `/proc` it has no name.
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

  /// Starts a thread; nil if the system cannot create one. Control thread.
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

  /// Waits until the thread has ended. Call it once. Control thread.
  package func join() { pthread_join(thread, nil) }

  fileprivate func detach() { pthread_detach(thread) }
}
