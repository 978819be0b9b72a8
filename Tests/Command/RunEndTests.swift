// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A shell function that returns the process ID of the private server of a run, not of its guard, which cleans up.
private let serverOf = """
  server_of() { ps -eo pid=,comm=,args= | awk -v name="swiftlet-$1-" '$2 == "jackd" && index($0, name) { print $1 }'; }

  """

/// The end of a run: by an interrupt, a full disk, a killed server or a crash.
extension RunTests {
  @Test func `an interrupt finishes the takes and removes all other files`() throws {
    for name in ["INT", "TERM"] {
      let outcome = try swiftlet.shell(
        "swiftlet run voice.yaml --dummy --play mic=voice.wav 2> words & echo $! > id; for n in $(seq 600); do "
          + "grep -q '^0:01' words && break; sleep 0.1; done; ls /dev/shm > shared; kill -\(name) $!; wait $!",
        limit: 100)
      #expect(outcome.status == 0, "\(scratch.text("words"))")
      #expect(outcome.output.split(separator: "\n").count == 2)
      // The name of the private server contains the process ID.
      let server = "swiftlet-\(scratch.text("id").filter(\.isNumber))-"
      #expect(scratch.text("shared").contains(server), "\(scratch.text("shared"))")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter { $0.contains(server) } == [])
    }
    #expect(try (VoiceFixture.stat("\(scratch.path)/dry-002.wav", "Length") ?? 0) > 0.5)
    #expect(!scratch.names.contains { $0.hasSuffix(".journal") })
  }

  @Test func `a second interrupt ends a run at once`() throws {
    // The server is stopped, so that the first interrupt waits for the end of the take.
    let outcome = try swiftlet.shell(
      serverOf
        + """
        swiftlet run voice.yaml --dummy --play mic=voice.wav 2> words & first=$!
        for n in $(seq 600); do grep -q '^0:01' words && break; sleep 0.1; done
        server=$(server_of $first)
        kill -STOP $server; kill -INT $first; sleep 0.3; kill -INT $first
        wait $first; echo "status $?"; kill -CONT $server 2> /dev/null
        """, limit: 120)
    #expect(outcome.output == "status 130\n", "\(outcome.output) \(scratch.text("words"))")
  }

  @Test func `a take that ends early ends the run with status 4, and is kept`() throws {
    // During the run a file size limit of 100,000 bytes is set, with the same effect as a full disk.
    let outcome = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav --for 4 2> words & first=$!
      for n in $(seq 600); do grep -q '^0:01' words && break; sleep 0.1; done
      prlimit --pid $first --fsize=100000; wait $first; echo "status $?"
      """, limit: 120)
    #expect(outcome.output.hasSuffix("\nstatus 4\n"), "\(outcome.output) \(scratch.text("words"))")
    #expect(scratch.text("words").contains("'dry-001.wav' ended early: "))
    #expect(try (VoiceFixture.stat("\(scratch.path)/dry-001.wav", "Length") ?? 0) > 0.3)
  }

  @Test func `a killed server ends a run with status 3, and the take is complete`() throws {
    let outcome = try swiftlet.shell(
      serverOf
        + """
        swiftlet run voice.yaml --dummy --play mic=voice.wav -v 2> words & first=$!
        for n in $(seq 600); do grep -q '^0:01' words && break; sleep 0.1; done
        kill -KILL $(server_of $first)
        wait $first; echo "status $?"
        """, limit: 120)
    #expect(outcome.output.contains("status 3\n"), "\(outcome.output) \(scratch.text("words"))")
    #expect(scratch.text("words").contains("the JACK server has ended"))
    #expect(try (VoiceFixture.stat("\(scratch.path)/dry-001.wav", "Length") ?? 0) > 0.3)
  }

  @Test func `a file size limit ends only the takes that reach it`() throws {
    try scratch.write(
      """
      swiftlet: 1
      name: full
      nodes:
        mic:  { capture: mono, connect: none }
        desk: { playback: stereo, connect: none }
      wires:
        - mic -> desk
      taps:
        large:  { before: desk, record: { file: "{tap}.wav", format: 32-float } }
        encoded: { before: desk, record: { file: "{tap}.flac", format: 24-bit } }
        small:  { after: mic, record: { file: "{tap}.wav", format: 16-bit } }
      """, to: "full.yaml")
    // A limit of 600 KiB: 1.6 s of stereo floats, 2.1 s of 24-bit stereo, 6.4 s of the third tap. The server runs
    // outside the limit, since its shared memory consists of files, too.
    let outcome = try swiftlet.shell(
      """
      swiftlet run plain.yaml --dummy -v 2> words & first=$!
      for n in $(seq 600); do grep -q 'load' words && break; sleep 0.1; done
      server=$(ls /dev/shm | sed -n "s/^jack_\\(swiftlet-$first-[0-9]*\\)_.*/\\1/p" | head -n 1)
      (ulimit -f 1200; swiftlet run full.yaml --server "$server" --for 4 --play mic=voice.wav; echo "status $?")
      kill -INT $first; wait $first
      """, limit: 150)
    #expect(outcome.output.contains("status 4\n"), "\(outcome.output) \(outcome.messages)")
    #expect(
      outcome.messages.contains(
        "error: 'large.wav' ended early: 'large.wav' may not grow any more: a limit on the size of files is reached"
      ),
      "\(outcome.messages)")
    // The written part opens with its correct length.
    let length = try #require(try VoiceFixture.stat("\(scratch.path)/large.wav", "Length"))
    #expect((1...1.61).contains(length), "\(length)")
    let size = try #require(FileManager.default.contents(atPath: "\(scratch.path)/large.wav")?.count)
    #expect(abs(Double(size) - length * 48_000 * 8) < 2000, "\(size)")
    // The others continue: one to its end, one to its own limit, from where it can be recovered.
    #expect(try (VoiceFixture.stat("\(scratch.path)/small.wav", "Length") ?? 0) > 3.9)
    #expect(
      outcome.messages.contains("'encoded.flac.rf64'; recover it with 'swiftlet recover'"),
      "\(outcome.messages)")
    #expect(try swiftlet.run("recover", ".").status == 0)
    let encoded = try #require(try VoiceFixture.stat("\(scratch.path)/encoded.flac", "Length"))
    #expect((1.5...2.14).contains(encoded), "\(encoded)")
  }

  @Test func `an unfinished take is found and finished`() throws {
    let crash = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav 2> words & first=$!
      for n in $(seq 600); do grep -q '^0:02' words && break; sleep 0.1; done
      kill -KILL $first; wait $first
      """, limit: 120)
    #expect(crash.status != 0)
    let outcome = try swiftlet.run("recover", ".")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output.contains("dry-001.wav"))
    #expect(try (VoiceFixture.stat("\(scratch.path)/dry-001.wav", "Length") ?? 0) > 0.3)
    #expect(try (VoiceFixture.stat("\(scratch.path)/wet-001.flac", "Length") ?? 0) > 0.3)
    #expect(try swiftlet.run("recover", ".").messages == "'.' has no unfinished takes\n")
    #expect(try swiftlet.run("recover", "nowhere").status == 1)
  }
}
