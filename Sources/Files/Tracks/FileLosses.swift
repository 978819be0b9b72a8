// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The files of a composition item that can no longer be read, shared by all versions of the composition.
///
/// A loss is reported once, and again only if the file could be read in between.
final class FileLosses: Sendable {
  private struct State {
    var lost: Set<String> = []
    var unreported: [(path: String, error: FileError)] = []
  }
  private let state = Mutex(State())

  /// Records that a file cannot be read.
  func note(_ path: String, _ error: FileError) {
    state.withLock { state in
      guard state.lost.insert(path).inserted else { return }
      state.unreported.append((path, error))
    }
  }

  /// Records that a file can be read.
  func remove(_ path: String) { state.withLock { _ = $0.lost.remove(path) } }

  /// Returns the losses that have not been reported yet.
  func takeUnreported() -> [FileError] {
    state.withLock { state in
      defer { state.unreported = [] }
      return state.unreported.map(\.error)
    }
  }
}
