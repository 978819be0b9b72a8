// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletManifest

/// The error of a pipe whose reader has closed it. The program then ends without a message.
struct ClosedPipe: Error {}

/// Standard output or another open file, which receives results.
struct Results {
  /// The file descriptor, and its name in messages.
  private let descriptor: Int32, name: String

  init(descriptor: Int32 = StandardStreams.output, name: String = "standard output") {
    (self.descriptor, self.name) = (descriptor, name)
  }

  /// Writes results, then throws `failure` if there is one. A closed pipe does not hide the failure.
  ///
  /// - Throws: `failure`; if that is nil, the error of `write`.
  func print(before failure: Failure?, _ write: (Results) throws -> Void) throws {
    do { try write(self) } catch {
      guard let failure else { throw error }
      if let other = Failure(error) { other.print(Console(stream: .error)) }
      throw failure
    }
    if let failure { throw failure }
  }

  /// Writes a line with its newline.
  ///
  /// - Throws: The errors of ``write(_:)``.
  func line(_ text: StyledText) throws { try write(text.written + "\n") }

  /// Writes a value as JSON, which escapes its strings, and a newline.
  ///
  /// - Throws: The errors of ``write(_:)``.
  func json(_ value: JSONValue) throws { try write(value.text() + "\n") }

  /// Writes a document that Swiftlet itself has made without escaping it: a picture, help, terminal control codes.
  ///
  /// - Throws: ``ClosedPipe`` if the reader has closed the pipe; a ``Failure`` if the file cannot be written.
  func write(_ text: String) throws {
    guard let failure = Self.writeAll(text, to: descriptor) else { return }
    if failure == EPIPE { throw ClosedPipe() }
    throw Failure(.badInput, "\(name) cannot be written: \(String(cString: strerror(failure)))")
  }

  /// Writes all of a text to an open file, and waits while the file accepts no more.
  ///
  /// - Returns: The error number; nil on success.
  static func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if count == 0 {
          return EIO
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}

extension JSONValue {
  /// The first field of all `--json` output: the version of its format. The version increases when a key changes its
  /// meaning or is removed.
  static var format: (key: String, value: JSONValue) { ("format", .integer(1)) }

  /// Returns the text as a JSON string, or null.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// Returns a number with the shortest digits of a 32-bit float: 0.1, not 0.10000000149.
  static func float(_ value: Float) -> JSONValue { .number(Double(value.description) ?? Double(value)) }
}
