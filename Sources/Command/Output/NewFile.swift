// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Files that are written whole or not at all.
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

  /// Writes a picture to a file in place of an earlier one, which stays until all is written. What is there and is no
  /// picture, such as a recording whose name was mistyped, is not replaced.
  ///
  /// - Throws: a ``Failure``; then all is as before.
  static func replace(_ path: String, with text: String) throws {
    // What is no plain file, such as /dev/stdout, is written to as it is.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure(.badInput, "'\(path)' \(told(errno))") }
      defer { close(descriptor) }
      return try Results(descriptor: descriptor).write(text)
    }
    guard isPicture(path) else {
      throw Failure(
        .badInput, "'\(Clean.line(path))' is there and is no picture; choose another name, or remove it first"
      )
    }
    let draft = "\(path).\(getpid()).new"
    do {
      try write(text, to: draft)
    } catch let failure as Failure {
      throw Failure(failure.status, failure.lines.joined().replacing(draft, with: path))
    }
    guard rename(draft, path) == 0 else {
      let number = errno
      unlink(draft)
      throw Failure(.badInput, "'\(path)' \(told(number))")
    }
  }

  /// Whether a file is what `graph` or `--plot` makes, is empty, or is not there.
  private static func isPicture(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno != EACCES }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return count == 0 }
    let head = String(decoding: bytes[..<count], as: UTF8.self)
    // Graphviz says first that it is XML.
    if head.hasPrefix("<?xml") { return head.contains("<svg") || head.contains("<!DOCTYPE svg") }
    return ["<svg", "digraph ", "plan: "].contains { head.hasPrefix($0) }
  }

  private static func told(_ number: Int32) -> String {
    "cannot be written: \(String(cString: strerror(number)))"
  }
}
