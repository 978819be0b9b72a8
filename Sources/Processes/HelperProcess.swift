// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
package import Glibc

/// A helper program of this project, in a process group of its own, which ends with this process.
package struct HelperProcess: Sendable {
  /// The ID of its process and process group.
  package let identifier: pid_t
  /// Becomes readable when the process has ended.
  package let descriptor: Int32
  private let processGuard: ProcessGuard?

  /// Starts the program at `path`, an absolute path.
  ///
  /// - Parameter descriptors: The program's descriptors 0, 1, 2 …, at most 16. It inherits no others.
  /// - Throws: ``StartError``.
  package init(_ path: String, _ arguments: [String], descriptors: [Int32]) throws(StartError) {
    let started = try ProcessStarter.start(
      .init(path: path, arguments: arguments, descriptors: descriptors))
    identifier = started.identifier
    processGuard = started.processGuard
    descriptor = swiftlet_watch_process(identifier)
    guard descriptor >= 0 else {
      let number = errno
      _ = finish()
      throw StartError(number: number)
    }
  }

  /// Kills the process and its descendants in the process group, and waits for it. Call it once, as the last call.
  ///
  /// - Returns: The exit status, or the negated number of the signal that ended the process.
  package func finish() -> Int32 {
    kill(-identifier, SIGKILL)
    return reap()
  }

  /// Reaps the process, which has ended. As with ``finish()``, call it once, as the last call.
  package func reap() -> Int32 {
    processGuard?.dismiss()
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    // Kills processes that it has started.
    kill(-identifier, SIGKILL)
    if descriptor >= 0 { close(descriptor) }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}

/// A helper program is missing.
package struct MissingProgram: Error, Equatable {
  /// The path at which there is no executable program.
  package let path: String
}

extension HelperProcess {
  /// Whether a path names a file that this process may execute.
  package static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Returns the path of a helper program: the file that an environment variable names, or the one beside this
  /// program.
  ///
  /// - Throws: ``MissingProgram``.
  package static func path(of name: String, _ variable: String) throws(MissingProgram) -> String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      guard path.hasPrefix("/"), isProgram(path) else { throw MissingProgram(path: path) }
      return path
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name)
    guard isProgram(path) else { throw MissingProgram(path: path) }
    return path
  }
}
