// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The process that several isolated plugins run in. It is started for the first of them, started anew after it has failed, and
/// ends with the last.
package final class SharedProcess: Sendable, Equatable {
  private struct Reference: Sendable {
    weak var process: ChildProcess?
  }
  private let current = Mutex(Reference())

  /// A process that is not started yet.
  package init() {}

  /// The process as it is now, started if need be.
  func process(for uri: String, path: String?) throws(PluginError) -> ChildProcess {
    try current.withLock { current throws(PluginError) in
      if let process = current.process, !process.warden.hasFailed, process.path == path { return process }
      let process = try ChildProcess(for: uri, path: path)
      current.process = process
      return process
    }
  }

  package static func == (one: SharedProcess, other: SharedProcess) -> Bool { one === other }
}
