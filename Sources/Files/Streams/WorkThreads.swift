// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletThreads
internal import Synchronization

/// Threads for long operations: a limited number at once, started in order of request, and no thread while there is no
/// work.
///
/// Operation queues and global dispatch queues are not used: on Linux, Swift tasks run on their threads, and as many
/// long operations as there are processors would block all tasks, even one that is to cancel them.
final class WorkThreads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }
  private let state = Mutex(State())
  private let name: String
  private let most: Int

  /// - Parameter most: the maximum number of threads. The default is the number of processors, but at least 2, because
  ///   one thread may wait for a disk.
  init(_ name: String, most: Int = max(2, ProcessInfo.processInfo.activeProcessorCount)) {
    (self.name, self.most) = (name, most)
  }

  /// Runs the work as soon as a thread is free.
  func begin(_ work: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.running < most else { return false }
      state.running += 1
      return true
    }
    guard needsThread else { return }
    startThread(name) { [self] in
      while let work = next() { work() }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
