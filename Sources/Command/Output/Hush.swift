// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Keeps foreign code from the terminal: plugins greet, and lilv complains of
/// every stray file, on standard error.
enum Hush {
  /// Whether all is to be told: `-v` was given.
  static let isOff = CommandLine.arguments.contains { $0 == "-v" || $0 == "--verbose" }

  /// Runs `body` with standard error going nowhere, unless all is to be told. For the main thread, where
  /// nobody else has anything to say.
  static func during<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
    guard !isOff else { return try body() }
    let own = fcntl(2, F_DUPFD_CLOEXEC, 3)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if own >= 0, nowhere >= 0 { dup2(nowhere, 2) }
    defer {
      if own >= 0, nowhere >= 0 { dup2(own, 2) }
      for descriptor in [own, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    return try body()
  }
}
