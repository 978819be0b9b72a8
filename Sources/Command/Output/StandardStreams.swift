// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// The program's own standard output and standard error.
///
/// Libraries and plugins print to descriptors 1 and 2. Swiftlet's results and messages therefore go to duplicates
/// to which libraries have no access; descriptors 1 and 2 are the pipe of ``LibraryOutput``.
enum StandardStreams {
  private static let ownOutput = Atomic<Int32>(1), ownError = Atomic<Int32>(2)

  /// The descriptor for results.
  static var output: Int32 { ownOutput.load(ordering: .acquiring) }
  /// The descriptor for messages.
  static var error: Int32 { ownError.load(ordering: .acquiring) }

  /// Returns the path of the original standard stream if `path` names one by its number, since the number now belongs
  /// to the pipe; otherwise `path`.
  static func path(_ path: String) -> String {
    switch path {
    case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": "/proc/self/fd/\(output)"
    case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2": "/proc/self/fd/\(error)"
    default: path
    }
  }

  /// Duplicates both streams, then redirects descriptors 1 and 2 to `other`.
  static func separate(from other: Int32) {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3), error = fcntl(2, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, error >= 0 else { return }
    ownOutput.store(output, ordering: .releasing)
    ownError.store(error, ordering: .releasing)
    dup2(other, 1)
    dup2(other, 2)
  }

  /// Restores descriptors 1 and 2. Safe inside a signal handler.
  static func rejoin() {
    swiftlet_stop_labels()
    dup2(output, 1)
    dup2(error, 2)
  }
}
