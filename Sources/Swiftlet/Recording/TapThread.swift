// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletThreads

/// Calls a closure with the buffers of a tap, in order, on a thread of its own.
final class TapThread: Tap.Receiver, Sendable {
  private struct State {
    var buffers: [Tap.Buffer] = []
    /// The number of buffers that the closure has not finished: those in the queue, and those that the thread has
    /// taken.
    var waiting = 0
    var isFinished = false
  }
  private let state = Monitor(State())
  private let most: Int?

  /// Starts the thread, which ends after ``finish()``.
  ///
  /// - Parameters:
  ///   - most: the maximum number of unfinished buffers, including the one that the closure works on; nil for no
  ///     limit.
  ///   - body: the closure.
  init(keeping most: Int?, _ body: @escaping @Sendable (Tap.Buffer) -> Void) {
    self.most = most
    startThread("swiftlet-tap") { [self] in
      while let buffers = next() {
        for buffer in buffers {
          body(buffer)
          state.change { $0.waiting -= 1 }
        }
      }
    }
  }

  func take(_ buffer: Tap.Buffer) -> Bool {
    state.change { state in
      guard state.waiting < most ?? .max else { return false }
      state.buffers.append(buffer)
      state.waiting += 1
      return true
    }
  }

  func finish() { state.change { $0.isFinished = true } }

  /// Waits for the next buffers; returns nil at the end.
  private func next() -> [Tap.Buffer]? {
    state.wait { $0.isFinished || !$0.buffers.isEmpty }
    let buffers = state.change { state in
      defer { state.buffers = [] }
      return state.buffers
    }
    return buffers.isEmpty ? nil : buffers
  }
}
