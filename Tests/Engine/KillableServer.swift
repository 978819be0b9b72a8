// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// A server that a test kills and restarts under the same name. Nothing cleans up after it, as with a user's own
/// server.
final class KillableServer {
  let name: String
  private var process: Process?

  /// A server that does not run yet. The number distinguishes the servers of one process.
  init(_ number: Int) { name = "swiftlet-\(getpid())-mortal-\(number)" }

  deinit { stop() }

  /// Starts the server, and returns when it accepts clients.
  func start(rate: Int = 48_000, period: Int = 256) throws {
    let server = Process()
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments =
      ["jackd", "-n", name, "--port-max", "256", "-S", "-r", "-d", "dummy"]
      + ["-r", "\(rate)", "-p", "\(period)", "-C", "2", "-P", "2"]
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    process = server
    #expect(
      soon {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/env")
        probe.arguments = ["timeout", "-s", "KILL", "10", "jack_lsp", "-s", name]
        probe.standardOutput = FileHandle.nullDevice
        probe.standardError = FileHandle.nullDevice
        try? probe.run()
        probe.waitUntilExit()
        return probe.terminationStatus == 0
      })
  }

  /// Kills the server with SIGKILL.
  func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Suspends the server as a sleeping machine does, or resumes it.
  func freeze(_ isFrozen: Bool = true) {
    if let process { Foundation.kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// Terminates the server as a user does.
  func stop() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }
}

/// Waits up to 30 seconds until a condition holds.
func soon(_ isSo: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<1500 {
    if try isSo() { return true }
    usleep(20_000)
  }
  return try isSo()
}
