// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletThreads
internal import Synchronization

/// Threads for work that takes a while: a few at once, begun in the order it came, and none where there is none.
///
/// No operation queue and no global dispatch queue: on Linux theirs are the threads that Swift's tasks run on, and as
/// many long operations as there are processors would let no task go on, not even one that is to cancel them.
final class WorkThreads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }
  private let state = Mutex(State())
  private let name: String
  private let most: Int

  /// - Parameter most: how many threads there are at most; as many as processors where nothing is said, and two at
  ///   least: one may wait for a disk.
  init(_ name: String, most: Int = max(2, ProcessInfo.processInfo.activeProcessorCount)) {
    (self.name, self.most) = (name, most)
  }

  /// Does it as soon as a thread is free.
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
