// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// A process for several isolated plugins. It starts with the first of them, is restarted after a failure, and ends
/// with the last.
package final class SharedProcess: Sendable, Equatable {
  private struct Reference: Sendable {
    weak var process: ChildProcess?
  }
  private let current = Mutex(Reference())

  /// Creates a shared process, which is not started yet.
  package init() {}

  /// Returns the current process; starts it if necessary.
  func process(for uri: String, path: String?) throws(PluginError) -> ChildProcess {
    try current.withLock { current throws(PluginError) in
      if let process = current.process, !process.monitor.hasFailed, process.path == path { return process }
      let process = try ChildProcess(for: uri, path: path)
      current.process = process
      return process
    }
  }

  package static func == (one: SharedProcess, other: SharedProcess) -> Bool { one === other }
}
