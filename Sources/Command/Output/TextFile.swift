// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk
internal import SwiftletManifest

/// Writes text files atomically.
enum TextFile {
  /// Writes a text to a new file. An existing file is not overwritten.
  ///
  /// - Throws: A ``Failure``; then no new file exists.
  static func write(_ text: String, to path: String) throws {
    if try writeToStream(text, path) { return }
    try write(text, to: path, overwrites: false)
  }

  /// Writes a picture to a file. An existing picture is replaced after all is written. An existing file that is no
  /// picture, such as a recording whose name was mistyped, is not replaced.
  ///
  /// - Throws: A ``Failure``; then an existing file is unchanged.
  static func replace(_ path: String, with text: String) throws {
    if try writeToStream(text, path) { return }
    guard isPicture(path) else {
      throw Failure(
        .badInput, "'\(path.shortened())' is there and is no picture; choose another name, or remove it first"
      )
    }
    try write(text, to: path, overwrites: true)
  }

  private static func write(_ text: String, to path: String, overwrites: Bool) throws {
    do throws(DiskError) {
      let file = try NewFile(path, .whole(overwrites: overwrites))
      if let number = Results.writeAll(text, to: file.descriptor) {
        file.discard()
        throw .system(number)
      }
      do throws(DiskError) { try file.publish() } catch {
        file.discard()
        throw error
      }
    } catch {
      throw Failure(.badInput, "'\(path)' \(reason(error))")
    }
  }

  /// Writes a text to a descriptor that is open already, such as `/dev/stdout`, which may be a pipe.
  ///
  /// - Returns: False if `path` names no open descriptor.
  private static func writeToStream(_ text: String, _ path: String) throws -> Bool {
    guard let stream = try outputStream(path) else { return false }
    defer { close(stream) }
    try Results(descriptor: stream, name: "'\(path.shortened())'").write(text)
    return true
  }

  private static func outputStream(_ path: String) throws -> Int32? {
    let path = StandardStreams.path(path)
    var own = stat(), there = stat()
    guard ["/dev/fd", "/proc/self/fd"].contains(FilePath.folder(of: path)), lstat(path, &own) == 0,
      own.st_mode & S_IFMT == S_IFLNK, stat(path, &there) == 0,
      there.st_mode & S_IFMT != S_IFDIR
    else { return nil }
    // `O_NONBLOCK` avoids waiting for a reader of a pipe.
    let stream = open(path, O_WRONLY | O_CLOEXEC | O_APPEND | O_NONBLOCK)
    if stream >= 0 { _ = fcntl(stream, F_SETFL, O_APPEND) }
    guard stream >= 0 else { throw Failure(.badInput, "'\(path)' \(reason(.system(errno)))") }
    return stream
  }

  /// Whether a file is output of `graph`, `--plot` or `audit --html`, is empty, or does not exist.
  private static func isPicture(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno != EACCES }
    defer { close(descriptor) }
    var facts = stat()
    // Writing reports a device or a pipe.
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return true }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return count == 0 }
    let head = String(decoding: bytes[..<count], as: UTF8.self)
    // The SVG output of Graphviz begins with an XML declaration.
    if head.hasPrefix("<?xml") { return head.contains("<svg") || head.contains("<!DOCTYPE svg") }
    return ["<svg", "digraph ", "plan: ", AuditPage.head].contains { head.hasPrefix($0) }
  }

  private static func reason(_ error: DiskError) -> String {
    switch error {
    case .system(EEXIST): "is there already, and is not overwritten"
    case .pipe: "is a pipe, which would have to be waited for; name a file, or use standard output"
    case .link: "is a symbolic link; name the file that it leads to"
    case .special: "is not a regular file; choose another name"
    case .busy: "is being written by another program; wait, or choose another name"
    case .noName: "is not a valid file name; choose another name"
    case .system, .outside: "cannot be written: \(String(cString: strerror(error.number)))"
    }
  }
}
