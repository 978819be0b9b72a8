// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Complete runs: private servers, real clients, a recorded sound.
@Suite(.serialized) struct RunTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  @Test func `a voice is played, processed and recorded`() throws {
    let outcome = try swiftlet.run(
      "run", "voice.yaml", "--dummy", "--for", "2", "--play", "mic=voice.wav", "--takes", "takes", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("takes/dry-001.wav   0:02.0  peak -6.0 dBFS") == true, "\(outcome.output)")
    let length = try #require(try VoiceFixture.stat("\(scratch.path)/takes/dry-001.wav", "Length"))
    #expect(abs(length - 2) < 0.1)
    let loudest = try #require(
      try VoiceFixture.stat("\(scratch.path)/takes/dry-001.wav", "Maximum amplitude"))
    #expect(abs(loudest - 0.5) < 0.01)
    // Both takes have the same length.
    #expect(try VoiceFixture.stat("\(scratch.path)/takes/wet-001.flac", "Length") == length)
    let meters = outcome.messages.split(separator: "\n").filter {
      $0.contains("dry ") && $0.contains("load ")
    }
    #expect((2...4).contains(meters.count), "\(outcome.messages)")
    #expect(outcome.messages.hasSuffix("to run it on your own JACK server: swiftlet run voice.yaml\n"))
  }

  @Test(arguments: [(44_100, 16), (96_000, 1024)])
  func `pitch and duration are right at every sample rate and period`(rate: Int, period: Int) throws {
    // A player, resampled in the tool, and a voice, resampled in another client; both files have 48 kHz.
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        song: { player: voice.wav, loop: forever }
        mic:  { capture: mono, connect: none }
        desk: { playback: stereo, connect: none }
      wires:
        - song -> desk
        - mic -> desk
      taps:
        song: { after: song, record: "{tap}.wav" }
        mic:  { after: mic, record: "{tap}.flac" }
      """, to: "rates.yaml")
    let outcome = try swiftlet.run(
      "run", "rates.yaml", "--dummy=\(rate)/\(period)", "--for", "1.5", "--play", "mic=voice.wav", limit: 100)
    // A period of 16 frames is short while other tests run: JACK may skip cycles, which ends the run with status 4.
    let hasSkipped = outcome.status == 4 && outcome.messages.contains("xrun")
    #expect(outcome.status == 0 || hasSkipped, "\(outcome.messages)")
    for file in ["song.wav", "mic.flac"] {
      #expect(try swiftlet.shell("soxi -r \(file)").output == "\(rate)\n")
      let seconds = try #require(try VoiceFixture.stat("\(scratch.path)/\(file)", "Length"))
      #expect((1.5...1.7).contains(seconds), "\(seconds)")
      let frequency = try #require(try VoiceFixture.stat("\(scratch.path)/\(file)", "Rough   frequency"))
      #expect(abs(frequency - 440) < 5, "\(frequency)")
      let loudest = try #require(try VoiceFixture.stat("\(scratch.path)/\(file)", "Maximum amplitude"))
      #expect(abs(loudest - 0.5) < 0.01)
    }
  }

  @Test func `a MIDI file is played into a midi-in node`() throws {
    try VoiceFixture.song("\(scratch.path)/song.mid")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys:  { midi-in: , connect: none }
        piano: { lv2: "http://drobilla.net/plugins/mda/EPiano" }
        desk:  { playback: stereo, connect: none }
      wires:
        - keys -> piano -> desk
      taps:
        piano: { after: piano, record: piano.wav }
      """, to: "piano.yaml")
    let outcome = try swiftlet.run(
      "run", "piano.yaml", "--dummy", "--for", "3", "--play", "keys=song.mid", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let left = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/piano.wav"))
    let onset = try #require(left.firstIndex { abs($0) > 1e-3 })
    // The player starts slightly later than the recording.
    #expect((24_000...48_000).contains(onset), "\(onset)")
    let louder = left.filter { abs($0) > 0.1 }.count
    #expect(louder > 5000)
    #expect(try swiftlet.run("run", "piano.yaml", "--dummy", "--play", "keys=voice.wav").status == 1)
  }

  @Test func `without a server a run ends at once with one line and status 3`() throws {
    var alone = swiftlet
    alone.environment = ["JACK_DEFAULT_SERVER": "swiftlet-nobody"]
    let start = ContinuousClock.now
    let outcome = try alone.run("run", "plain.yaml")
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(outcome.status == 3)
    #expect(
      outcome.messages
        == "swiftlet: error: no JACK server 'swiftlet-nobody' is running; start one or name another with --server, "
        + "or use --dummy\n")
    #expect(try swiftlet.run("run", "plain.yaml", "--server", "swiftlet-nothing").status == 3)
  }

  @Test(
    arguments: [
      ([], "name a manifest"), (["a", "--chain", "b"], "exclude each other"),
      (["a", "--save", "b"], "goes with --chain"),
      (["a", "--dummy", "--server", "b"], "exclude each other"),
      (["a", "--dummy=5"], "a period from 16 to 8192 frames that is a power of two, as in --dummy=48000/64"),
      (["a", "--dummy=48000/100"], "a power of two"), (["a", "--for", "x"], "as in 10, 1.5 or 500ms"),
      (["a", "--play", "mic"], "expected node=file, as in mic=voice.wav"),
      (
        ["plain.yaml", "--dummy", "--play", "mik=x"],
        "there is no capture or midi-in node 'mik'; expected 'mic'"
      ),
      (["plain.yaml", "--name", "a:b"], "found ':' in the name"),
      (["plain.yaml", "--name", ""], "an empty name"),
      (["plain.yaml", "--name", "a\u{1B}b"], "a control character in the name 'a\\u{1B}b'"),
    ] as [([String], String)])
  func `an invalid option ends with status 2 and states what is expected`(arguments: [String], words: String)
    throws
  {
    let outcome = try swiftlet.run(program: Command.path, ["run"] + arguments, limit: 20)
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains(words), "\(outcome.messages)")
    #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
    #expect(!outcome.messages.contains("\u{1B}"))
  }

  @Test func `a chain runs, and is saved as a valid manifest`() throws {
    let outcome = try swiftlet.run(
      "run", "--chain", "gain | delay", "--save", "chain.yaml", "--dummy", "--for", "0.3", limit: 100)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      try swiftlet.run("check", "chain.yaml").messages == "chain.yaml: good: 4 nodes, 3 wires, 0 taps\n")
    let wrong = try swiftlet.run("run", "--chain", "gain | dealy", "--save", "other.yaml")
    #expect(wrong.status == 1)
    #expect(wrong.messages == "--chain:1:8: error: found no effect 'dealy'; did you mean 'delay'?\n")
    #expect(!scratch.names.contains("other.yaml"))
    let taken = try swiftlet.run("run", "--chain", "gain", "--save", "chain.yaml")
    #expect(taken.status == 1)
    #expect(taken.messages.contains("'chain.yaml' is there already"))
  }

  @Test func `a client name in use ends with status 3, and another is suggested`() throws {
    let outcome = try swiftlet.shell(
      """
      swiftlet run plain.yaml --dummy -v 2> words & first=$!
      for n in $(seq 600); do grep -q 'load' words && break; sleep 0.1; done
      server=$(ls /dev/shm | sed -n "s/^jack_\\(swiftlet-$first-[0-9]*\\)_.*/\\1/p" | head -n 1)
      swiftlet run plain.yaml --server "$server" --for 0.1; echo "status $?"
      swiftlet run plain.yaml --server "$server" --for 0.1 --name other -q; echo "status $?"
      kill -INT $first; wait $first
      """, limit: 150)
    #expect(outcome.output.contains("status 3\n"), "\(outcome.output) \(outcome.messages)")
    #expect(outcome.messages.contains("has a client named 'plain' already"), "\(outcome.messages)")
    #expect(outcome.messages.contains("--name plain-2"))
    #expect(outcome.output.contains("status 0\n"))
  }

  @Test func `a plugin replaced for another JACK period is reported`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: mono, connect: none }
        hall: { lv2: "http://gareus.org/oss/lv2/convoLV2#Mono" }
        desk: { playback: mono, connect: none }
      wires: [ mic -> hall -> desk ]
      """, to: "hall.yaml")
    let outcome = try swiftlet.shell(
      """
      swiftlet run hall.yaml --dummy --for 60 2> words & first=$!
      for n in $(seq 600); do grep -q 'load' words && break; sleep 0.1; done
      export JACK_DEFAULT_SERVER=$(ls /dev/shm | sed -n "s/^jack_\\(swiftlet-$first-[0-9]*\\)_.*/\\1/p" | head -n 1)
      jack_bufsize 128 > /dev/null
      for n in $(seq 100); do grep -q 'created again' words && break; sleep 0.1; done
      jack_bufsize 32 > /dev/null
      for n in $(seq 100); do grep -q 'silent' words && break; sleep 0.1; done
      kill -INT $first; wait $first; echo "status $?"
      """, limit: 150)
    #expect(outcome.output == "status 0\n", "\(outcome.output) \(outcome.messages)")
    let words = scratch.text("words")
    #expect(
      words.contains(
        "\n'hall' was replaced for JACK's period of 128 frames: its settings are kept, its tail is lost\n"
      ),
      "\(words)")
    #expect(
      words.contains(
        "\nswiftlet: warning: 'hall' is silent while JACK's period is 32 frames: its minBlockLength is 64 frames, and blocks "
          + "have 32 here; choose a longer period\n"), "\(words)")
  }
}
