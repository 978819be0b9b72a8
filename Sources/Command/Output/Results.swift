// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Nobody reads any more: the program ends without a word.
struct ClosedPipe: Error {}

/// Standard output, where results go.
struct Results {
  /// Where they go.
  var descriptor: Int32 = 1

  /// Writes a line, and its end.
  ///
  /// - Throws: as ``write(_:)``.
  func line(_ text: String) throws { try write(text + "\n") }

  /// Writes all of a text.
  ///
  /// - Throws: ``ClosedPipe``; a ``Failure`` where the disk behind it is full.
  func write(_ text: String) throws {
    var text = text
    let failure: Int32? = text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
    guard let failure else { return }
    if failure == EPIPE { throw ClosedPipe() }
    throw Failure(.badInput, "standard output cannot be written: \(String(cString: strerror(failure)))")
  }
}
