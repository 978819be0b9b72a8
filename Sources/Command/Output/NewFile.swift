// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Files that did not exist before.
enum NewFile {
  /// Writes a text to a new file; what is there stays.
  ///
  /// - Throws: a ``Failure``; then there is no new file.
  static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "is there already, and is not overwritten" : told(errno)
      throw Failure(.badInput, "'\(path)' \(reason)")
    }
    defer { close(descriptor) }
    do {
      try Results(descriptor: descriptor).write(text)
    } catch {
      let number = errno
      unlink(path)
      throw Failure(.badInput, "'\(path)' \(told(number))")
    }
  }

  private static func told(_ number: Int32) -> String {
    "cannot be written: \(String(cString: strerror(number)))"
  }
}
