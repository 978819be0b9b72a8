// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
package import Glibc

/// A program of ours that runs beside us, in a process group of its own, and ends with this process.
package struct HelperProcess: Sendable {
  /// Its process, and its process group.
  package let identifier: pid_t
  /// Becomes readable when the process has ended.
  package let descriptor: Int32
  private let processGuard: ProcessGuard?

  /// Starts the program at `path`, an absolute path.
  ///
  /// - Parameter descriptors: its descriptors 0, 1, 2 …, at most 16. It inherits no others.
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

  /// Kills the process and what it has started, unless it has ended, and waits for it. Once; nothing else is called after it.
  ///
  /// - Returns: its exit status, or the negative number of the signal that ended it.
  package func finish() -> Int32 {
    kill(-identifier, SIGKILL)
    return reap()
  }

  /// Waits for the process, which has ended. As ``finish()``, once.
  package func reap() -> Int32 {
    processGuard?.dismiss()
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    // What it has started ends with it.
    kill(-identifier, SIGKILL)
    if descriptor >= 0 { close(descriptor) }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}

/// A helper program is not where it should be.
package struct MissingProgram: Error, Equatable {
  /// The path at which no program is that can be run.
  package let path: String
}

extension HelperProcess {
  /// Where a helper program is: the file that an environment variable names, or the one beside this program.
  ///
  /// - Throws: ``MissingProgram``.
  package static func path(of name: String, _ variable: String) throws(MissingProgram) -> String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      guard path.hasPrefix("/"), access(path, X_OK) == 0 else { throw MissingProgram(path: path) }
      return path
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name)
    guard access(path, X_OK) == 0 else { throw MissingProgram(path: path) }
    return path
  }
}
