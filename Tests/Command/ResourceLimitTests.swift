// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

/// Limits on descriptors, memory and file sizes.
@Suite(.timeLimit(.minutes(10))) struct ResourceLimitTests {
  private static let commands = [
    "run voice.yaml --dummy --for 0.5 --no-record", "render plain.yaml --input mic=voice.wav -o a.wav",
    "check voice.yaml", "graph voice.yaml --format dot", "list", "show delay", "show voice.wav",
    "bench voice.yaml --for 0.01", "recover .", "schema", "--help",
  ]

  /// Shell code that closes descriptors inherited from other tests.
  private static let closing =
    "for f in /proc/$$/fd/*; do f=${f##*/}; [ $f -gt 2 ] && eval \"exec $f>&-\"; done"

  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  private func expectRefusal(_ outcome: Command.Outcome, _ words: String) {
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("swiftlet: error: "), "\(outcome)")
    #expect(
      outcome.messages.filter { $0 == "\n" }.count == 1 && outcome.messages.contains(words), "\(outcome)")
  }

  @Test(arguments: commands) func `too few descriptors end a command with one message`(command: String) throws
  {
    for count in [8, 16, 63] {
      expectRefusal(try swiftlet.shell("ulimit -n \(count); swiftlet \(command)"), "ulimit -n 1024")
    }
  }

  @Test func `a command with two free descriptors ends with one message and no crash`() throws {
    let line = "\(Self.closing); ulimit -n 5; exec swiftlet check voice.yaml"
    expectRefusal(try swiftlet.run(program: "/bin/bash", ["-c", line], limit: 20), "ulimit -n 1024")
  }

  // Far below the requirement the dynamic loader ends the program with its own message or a signal.
  @Test(arguments: ["-d", "-v"]) func `a command ends with any memory limit`(option: String) throws {
    let outcome = try swiftlet.shell(
      """
      for limit in $(seq 4 4 124); do
        timeout -s KILL 20 sh -c "ulimit \(option) $((limit * 1024)); exec swiftlet check voice.yaml" > out 2> words
        echo "$limit $? $(grep -c '^swiftlet: error: ' words) $(wc -c < out)"
      done 2> /dev/null
      """, limit: 300)
    let ends = outcome.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    try #require(ends.count == 31 && ends.allSatisfy { $0.count == 4 }, "\(outcome)")
    for end in ends {
      #expect(end[1] != 0 && end[1] != 137 && (end[1] == 3) == (end[2] == 1) && end[3] == 0, "\(end)")
    }
    #expect(option == "-v" || ends.last?[1] == 3, "\(ends)")
  }

  // Slightly more than a release build needs to load.
  @Test func `the lowest memory limit at which a command can report is reported`() throws {
    for command in Self.commands {
      expectRefusal(try swiftlet.shell("ulimit -d 40000; swiftlet \(command)"), "ulimit -d unlimited")
    }
  }

  @Test(arguments: commands) func `a command works with its required number of descriptors`(command: String)
    throws
  {
    let line = "\(Self.closing); ulimit -n \(ResourceLimits.descriptors + 3); exec swiftlet \(command)"
    let outcome = try swiftlet.run(program: "/bin/bash", ["-c", line], limit: 60)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test(arguments: commands) func `too little memory ends a command with one message`(command: String) throws
  {
    let need = ResourceLimits.need(of: String(command.prefix { $0 != " " }))
    // Far below the requirement the dynamic loader already refuses the program.
    for (option, mebibytes) in [("-d", need.data), ("-v", need.addresses)] {
      let outcome = try swiftlet.shell("ulimit \(option) \(mebibytes * 1024 - 1); swiftlet \(command)")
      expectRefusal(outcome, "ulimit \(option) unlimited")
    }
  }

  @Test(arguments: commands) func `a command works with its required memory`(command: String) throws {
    let need = ResourceLimits.need(of: String(command.prefix { $0 != " " }))
    for limit in ["-d \(need.data * 1024)", "-v \(need.addresses * 1024)"] {
      let outcome = try swiftlet.shell("ulimit \(limit); swiftlet \(command); s=$?; rm -f a.wav; exit $s")
      #expect(outcome.status == 0, "\(limit): \(outcome)")
    }
  }

  @Test func `a file size limit too low for a private JACK server is reported before one starts`() throws {
    let outcome = try swiftlet.shell("ulimit -f 300000; swiftlet run plain.yaml --dummy --for 0.1")
    #expect(outcome.status == 0, "\(outcome)")
    expectRefusal(
      try swiftlet.shell("ulimit -f 100000; swiftlet run plain.yaml --dummy --for 0.1"), "ulimit -f unlimited"
    )
  }

  @Test func `excessive memory of a manifest or file is refused before memory runs out`() throws {
    let head =
      "swiftlet: 1\nnodes:\n  mic: { capture: 64, connect: none }\n  desk: { playback: 64, connect: none }\n"
    let taps = (1...60).map { "  t\($0): { after: mic, record: t\($0).wav }\n" }.joined()
    try scratch.write(head + "wires: [ mic -> desk ]\ntaps:\n" + taps, to: "taps.yaml")
    let delays = (1...12).map { "  d\($0): { effect: delay }\n" }.joined()
    let chain = (1...12).map { "d\($0) -> " }.joined()
    try scratch.write(head + delays + "wires: [ mic -> \(chain)desk ]\n", to: "delays.yaml")
    // 599 s of 16 channels at 96 kHz in 8 bits, all zero: a sparse file.
    let made = try swiftlet.shell(
      """
      python3 - <<'END'
      import struct
      size = 16 * 96000 * 599
      head = b"RIFF" + struct.pack("<I", size + 36) + b"WAVEfmt "
      head += struct.pack("<IHHIIHH", 16, 1, 16, 96000, 16 * 96000, 16, 8) + b"data" + struct.pack("<I", size)
      with open("hole.wav", "wb") as file:
          file.write(head)
          file.truncate(44 + size)
      END
      """)
    try #require(made.status == 0, "\(made.messages)")
    try scratch.write(
      head + "  hall: { effect: convolver, files: { response: hole.wav } }\nwires: [ mic -> hall -> desk ]\n",
      to: "response.yaml")
    for (command, kibibytes, words) in [
      ("render taps.yaml -o a.wav --for 0.1", 1_500_000, "no memory"),
      ("graph delays.yaml --format plan", 700_000, "no memory"),
      ("check response.yaml", 1_500_000, "needs two copies of 1754 MiB in memory"),
    ] {
      let outcome = try swiftlet.shell("ulimit -v \(kibibytes); swiftlet \(command)")
      #expect(outcome.status == 1 && outcome.messages.contains(words), "\(command): \(outcome)")
      #expect(outcome.messages.split(separator: "\n").count { $0.contains("error: ") } == 1, "\(outcome)")
    }
  }

  //  mic ──► two takes; after about 2 s no more memory is available
  @Test func `a take survives when memory runs out`() throws {
    let outcome = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav --takes takes > out 2> words & show=$!
      size() { cat takes/*.wav* 2> /dev/null | wc -c; }
      for n in $(seq 600); do [ $(size) -gt 400000 ] && break; sleep 0.1; done
      prlimit --pid $show --data=1000000:1000000 --as=1000000:1000000; echo "limited $?"
      sleep 2
      kill -INT $show 2> /dev/null
      for n in $(seq 400); do kill -0 $show 2> /dev/null || break; sleep 0.1; done
      kill -KILL $show 2> /dev/null && echo "hung"; wait $show; echo "ended $?"
      swiftlet recover takes; echo "recovered $?"
      for take in takes/*; do echo "$take $(soxi -s $take)"; done
      """, limit: 200)
    #expect(outcome.output.contains("limited 0\n"), "\(outcome)")
    #expect(!outcome.output.contains("hung"), "\(outcome) \(scratch.text("words"))")
    #expect(
      outcome.output.contains("recovered 0\n") || outcome.output.contains("recovered 4\n"), "\(outcome)")
    let takes = outcome.output.split(separator: "\n").filter { $0.hasPrefix("takes/") && $0.contains(".") }
      .compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }
    // Two seconds were recorded before; up to one second of FLAC may not have been written.
    #expect(takes.count == 2 && takes.allSatisfy { $0 >= 48_000 }, "\(outcome) \(scratch.text("words"))")
  }

  //  mic ──► two takes; after about 2 s no more files can be opened
  @Test func `a run that runs out of descriptors ends with a message, and its takes are recovered`() throws {
    let outcome = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav --takes takes > out 2> words & show=$!
      size() { cat takes/*.wav* 2> /dev/null | wc -c; }
      for n in $(seq 600); do [ $(size) -gt 400000 ] && break; sleep 0.1; done
      prlimit --pid $show --nofile=8:8; echo "limited $?"
      sleep 1
      kill -INT $show
      for n in $(seq 400); do kill -0 $show 2> /dev/null || break; sleep 0.1; done
      kill -KILL $show 2> /dev/null && echo "hung"; wait $show; echo "ended $?"
      swiftlet recover takes; echo "recovered $?"
      for take in takes/*; do echo "$take $(soxi -s $take)"; done
      """, limit: 200)
    let words = scratch.text("words")
    #expect(outcome.output.contains("limited 0\n") && !outcome.output.contains("hung"), "\(outcome) \(words)")
    #expect(outcome.output.contains("ended 4\n"), "\(outcome) \(words)")
    #expect(words.contains("too many open files") && !words.contains("crashed"), "\(words)")
    #expect(outcome.output.contains("recovered 0\n"), "\(outcome)")
    let takes = outcome.output.split(separator: "\n").filter { $0.hasPrefix("takes/") && $0.contains(".") }
      .compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }
    #expect(takes.count == 2 && takes.allSatisfy { $0 >= 48_000 }, "\(outcome) \(words)")
  }
}
