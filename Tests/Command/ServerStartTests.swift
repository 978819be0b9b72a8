// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct ServerStartTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  @Test func `a private server that never accepts clients is an error after ten seconds`() throws {
    // Like a jackd that waits for a database that no process creates.
    try scratch.write(
      "#!/bin/sh\necho $$ >server\necho 'BDB1546 unable to join the environment'\nexec sleep 1000\n",
      to: "jackd")
    let outcome = try swiftlet.shell(
      "chmod +x jackd; PATH=$PWD:$PATH swiftlet run voice.yaml --dummy --for 1 --no-record", limit: 60)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.messages.contains("accepts no clients after ten seconds"), "\(outcome.messages)")
    #expect(outcome.messages.contains("/dev/shm/jack_db-\(getuid())"), "\(outcome.messages)")
    #expect(outcome.messages.contains("BDB1546 unable to join the environment"), "\(outcome.messages)")
    let server = try #require(Int32(scratch.text("server").dropLast()))
    #expect(kill(server, 0) != 0)
  }

  @Test func `a private server that ends at once, or is missing, is an error with the reason`() throws {
    try scratch.write("#!/bin/sh\necho 'Cannot lock down memory'\nexit 1\n", to: "jackd")
    let outcome = try swiftlet.shell(
      "chmod +x jackd; PATH=$PWD:$PATH swiftlet run voice.yaml --dummy --for 1 --no-record", limit: 10)
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages
        == "swiftlet: error: the private JACK server did not start: Cannot lock down memory\n", "\(outcome)")
    let missing = try swiftlet.shell(
      "tool=$(command -v swiftlet); PATH=/nonexistent $tool run voice.yaml --dummy --for 1 --no-record",
      limit: 10)
    #expect(missing.status == 3 && missing.messages.contains("jackd is not installed"), "\(missing)")
  }

  // Two login sessions of one user, as by ssh and by sudo.
  @Test func `servers of programs with different runtime folders use distinct slots`() throws {
    let outcome = try swiftlet.shell(
      """
      mkdir -m 700 one two
      for folder in one two; do
        XDG_RUNTIME_DIR=$PWD/$folder swiftlet run plain.yaml --dummy --for 30 >/dev/null 2>&1 & eval "$folder=$!"
      done
      place() {
        for turn in $(seq 300); do
          for child in $(cat /proc/$1/task/*/children); do
            case $(tr '\\0' ' ' </proc/$child/cmdline) in *jackd*) readlink /proc/$child/fd/3 && return;; esac
          done
          sleep 0.1
        done
      }
      place $one; place $two
      kill -INT $one $two; wait $one; echo "ended $?"; wait $two; echo "ended $?"
      """, limit: 100)
    let locks = outcome.output.split(separator: "\n").filter { $0.hasSuffix(".lock") }
    #expect(outcome.output.hasSuffix("ended 0\nended 0\n"), "\(outcome)")
    #expect(locks.count == 2 && Set(locks).count == 2, "\(outcome)")
    #expect(Set(locks.map { $0.prefix { $0 != "." }.dropLast() }).count == 1, "\(outcome)")
  }
}
