// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Nobody reads any more: the program ends without a word.
struct ClosedPipe: Error {}

/// Standard output, where results go.
struct Results {
  /// Where they go.
  var descriptor = standardOutput

  /// Standard output under a number of its own. What plugins print to number 1 is none of our results: it
  /// goes nowhere, or to standard error where everything is to be told.
  static let standardOutput: Int32 = {
    let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { return 1 }
    let elsewhere = Hush.isOff ? dup(2) : open("/dev/null", O_WRONLY | O_CLOEXEC)
    if elsewhere >= 0 {
      dup2(elsewhere, 1)
      close(elsewhere)
    }
    return own
  }()

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
