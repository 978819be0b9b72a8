// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletManifest

/// Nobody reads any more: the program ends without a word.
struct ClosedPipe: Error {}

/// Standard output, or another open file, where results go.
struct Results {
  /// Where they go, and what that is called.
  private let descriptor: Int32, place: String

  init(descriptor: Int32 = StandardStreams.output, place: String = "standard output") {
    (self.descriptor, self.place) = (descriptor, place)
  }

  /// Writes results, then ends with a failure if there is one. That nobody reads the results does not hide the failure.
  ///
  /// - Throws: `failure`; without one, what `write` throws.
  func tell(before failure: Failure?, _ write: (Results) throws -> Void) throws {
    do { try write(self) } catch {
      guard let failure else { throw error }
      if let other = Failure(error) { other.tell(Console(stream: .error)) }
      throw failure
    }
    if let failure { throw failure }
  }

  /// Writes a line, and its end.
  ///
  /// - Throws: as ``write(_:)``.
  func line(_ text: StyledText) throws { try write(text.written + "\n") }

  /// Writes a value for programs, whose strings JSON's own rule escapes, and the end of a line.
  ///
  /// - Throws: as ``write(_:)``.
  func json(_ value: JSONValue) throws { try write(value.text() + "\n") }

  /// Writes all of a document of Swiftlet's own making, as it is: a picture, help, what a terminal draws.
  ///
  /// - Throws: ``ClosedPipe``; a ``Failure`` where the disk behind it is full.
  func write(_ text: String) throws {
    guard let failure = Self.writeAll(text, to: descriptor) else { return }
    if failure == EPIPE { throw ClosedPipe() }
    throw Failure(.badInput, "\(place) cannot be written: \(String(cString: strerror(failure)))")
  }

  /// Writes all of a text to an open file, waiting where that takes no more for now.
  ///
  /// - Returns: the error number; nil where all went well.
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
