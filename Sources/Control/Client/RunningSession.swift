// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk

/// A session of this user that takes commands.
package struct RunningSession: Sendable, Equatable {
  /// The path of its socket, and its process.
  package let path: String, process: Int32

  /// Returns all sessions, in the order of their processes. Removes the sockets that killed processes left.
  ///
  /// - Parameter folders: The folders of sockets; default: this user's own.
  package static func all(in folders: [String] = RuntimeFolder.all()) -> [RunningSession] {
    sessions(nil, in: folders)
  }

  private static func sessions(_ name: String?, in folders: [String]) -> [RunningSession] {
    let paths = folders.flatMap { folder in
      NamedSocket.removeLeft(.control, in: folder)
      return NamedSocket.paths(of: .control, name, in: folder)
    }
    // Two folders may be spellings of one.
    var known: Set<[UInt]> = []
    let sockets = paths.filter { path in
      var facts = stat()
      return lstat(path, &facts) == 0 && known.insert([UInt(facts.st_dev), UInt(facts.st_ino)]).inserted
    }
    return sockets.compactMap { path in
      NamedSocket.process(of: path).map { RunningSession(path: path, process: $0) }
    }.sorted { ($0.process, $0.path) < ($1.process, $1.path) }
  }

  /// Returns the session with a name or a process ID; without one, the only session.
  ///
  /// - Throws: ``ControlError`` of the kind `noSession`, `unknownSession` or `unclearSession`.
  package static func find(
    _ name: String?, in folders: [String] = RuntimeFolder.all()
  ) throws(ControlError) -> RunningSession {
    let all = all(in: folders)
    var found = all
    if let name {
      found = sessions(name, in: folders)
      if found.isEmpty { found = all.filter { "\($0.process)" == name } }
    }
    if found.count == 1 { return found[0] }
    guard !all.isEmpty else { throw ControlError(.noSession, "no session is running; start one") }
    guard let name else {
      let names = all.map { $0.label }.joined(separator: ", ")
      throw ControlError(.unclearSession, "\(all.count) sessions are running (\(names)); name one of them")
    }
    guard found.isEmpty else {
      let processes = found.map { "process \($0.process)" }.joined(separator: ", ")
      throw ControlError(
        .unclearSession,
        "\(found.count) sessions are called '\(name)' (\(processes)); name one by its process")
    }
    let error = ControlError(unknown: "no session '\(name)' is running", name, among: all.compactMap(\.name))
    throw ControlError(.unknownSession, error.text)
  }

  /// Returns the session's state; nil if it does not answer within a second.
  package var status: ControlStatus? {
    guard let connection = try? ControlConnection(path, timeout: .seconds(1)) else { return nil }
    return try? connection.perform(.status).status
  }

  private var name: String? { status?.name }

  /// The name for messages, or the process if the session does not answer.
  private var label: String { name.map { "'\($0)'" } ?? "process \(process)" }
}
