// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// A server that a test kills and starts again under the same name: nobody clears away behind it, as nobody does
/// behind a user's own.
final class MortalServer {
  let name: String
  private var process: Process?

  /// A server that does not run yet. The number tells those of one process apart.
  init(_ number: Int) { name = "swiftlet-\(getpid())-mortal-\(number)" }

  deinit { stop() }

  /// Starts it, and returns when it takes clients.
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

  /// Kills it where it stands.
  func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Holds it still, as a machine that sleeps does; or lets it go on.
  func freeze(_ isFrozen: Bool = true) {
    if let process { Foundation.kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// Ends it as a user does.
  func stop() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }
}

/// Waits until something is so, at most half a minute.
func soon(_ isSo: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<1500 {
    if try isSo() { return true }
    usleep(20_000)
  }
  return try isSo()
}
