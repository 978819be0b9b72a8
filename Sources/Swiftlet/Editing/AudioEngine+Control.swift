// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension AudioEngine {
  /// Makes all edits so far permanent: neither ``undo()`` nor ``redo()`` reaches them.
  package func forgetEdits() {
    core.withLock { core in
      for forgotten in core.history.forget() { core.detached.free(forgotten) }
    }
  }

  /// Whether the server has gone and the engine waits for its return.
  package var isAway: Bool { core.withLock { $0.state.absence != nil } }
}
