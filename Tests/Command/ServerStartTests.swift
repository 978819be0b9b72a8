// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct ServerStartTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Voice.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  @Test func `a private server that does not come up is an error with a reason, not a wait without end`()
    throws
  {
    // jackd waits for a database that nobody is making.
    let outcome = try swiftlet.shell(
      """
      unshare -m sh -c 'mount -t tmpfs none /dev/shm && mkdir /dev/shm/jack_db-0 && : >/dev/shm/jack_db-0/__db.001 &&
        swiftlet run voice.yaml --dummy --for 1 --no-record'
      """, limit: 60)
    // Only root may have a folder of shared memory of its own.
    guard getuid() == 0, !outcome.messages.contains("unshare") else { return }
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.messages.contains("takes no clients after ten seconds"), "\(outcome.messages)")
    #expect(outcome.messages.contains("/dev/shm/jack_db-0"))
  }
}
