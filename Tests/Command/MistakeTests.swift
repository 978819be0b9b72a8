// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Mistakes of users are reported and change no file.
@Suite struct MistakeTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  @Test func `a render over its own manifest is refused`() throws {
    let before = scratch.bytes("plain.yaml")
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "plain.yaml", "--format", "wav16",
      "--overwrite")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.contains("'plain.yaml' is a source of the export: write to another file"),
      "\(outcome.messages)")
    #expect(scratch.bytes("plain.yaml") == before)
  }

  @Test func `a piped manifest finds its files in the current directory`() throws {
    let song =
      "swiftlet: 1\nnodes: { desk: playback }\ntimeline: { tracks: { a: [ { file: voice.wav } ] } }\nwires: [ a -> desk ]"
    try scratch.write(song, to: "song.yaml")
    for shell in [
      "bash -c '\"$0\" check <(cat song.yaml)' \(Command.path)", "cat song.yaml | \(Command.path) check -",
    ] {
      let outcome = try swiftlet.shell(shell)
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
  }

  @Test(arguments: ["voice.wav", "./voice.wav", "mix.wav"])
  func `a take over a played or rendered file is refused`(file: String) throws {
    try scratch.write(
      VoiceFixture.plain + "\ntaps:\n  dry: { after: mic, record: { file: \(file), overwrite: true } }\n",
      to: "greedy.yaml")
    let before = scratch.bytes("voice.wav")
    let outcome = try swiftlet.run(
      "render", "greedy.yaml", "--input", "mic=voice.wav", "-o", "mix.wav", "--overwrite")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("record to another file"), "\(outcome.messages)")
    #expect(scratch.bytes("voice.wav") == before)
    #expect(!scratch.names.contains("mix.wav"))
  }

  @Test func `one file under two names is reported before anything is written`() throws {
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a.wav", "-o", "./a.wav")
    #expect(outcome.status == 2 && outcome.messages.contains("would be written twice"), "\(outcome.messages)")
    try scratch.write(
      VoiceFixture.plain
        + "\ntaps:\n  one: { after: mic, record: x.wav }\n  two: { after: mic, record: ./y/../x.wav }\n",
      to: "twice.yaml")
    let checked = try swiftlet.run("check", "twice.yaml")
    #expect(checked.status == 1 && checked.messages.contains("into which 'one' records too"))
  }

  @Test func `a file of 0 frames is an error of the file, not of the command line`() throws {
    let made = try swiftlet.shell("sox -n -r 48000 -c 1 empty.wav trim 0 0")
    try #require(made.status == 0, "\(made.messages)")
    let outcome = try swiftlet.run("render", "plain.yaml", "--input", "mic=empty.wav", "-o", "a.wav")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("swiftlet: error: 'empty.wav' has a length of 0 frames"), "\(outcome)")
    #expect(!scratch.names.contains("a.wav"))
    try scratch.write(
      """
      swiftlet: 1
      nodes: { song: { player: empty.wav }, desk: { playback: mono, connect: none } }
      wires: [ song -> desk ]
      """, to: "played.yaml")
    // Also if an option gives the duration: an empty file in a player is a mistake.
    for line in [
      "check played.yaml", "render played.yaml -o a.wav", "render played.yaml -o a.wav --for 1",
      "run played.yaml --dummy --for 0.2",
    ] {
      let played = try swiftlet.shell("swiftlet \(line)")
      #expect(played.status == 1, "\(played)")
      #expect(played.messages.contains("empty.wav', which has a length of 0 frames"), "\(played)")
    }
    for line in [
      "run plain.yaml --dummy --for 0.2 --play mic=empty.wav",
      "render plain.yaml --input mic=empty.wav -o a.wav --for 1",
    ] {
      let played = try swiftlet.shell("swiftlet \(line)")
      #expect(played.status == 1, "\(played)")
      #expect(played.messages.contains("empty.wav' has a length of 0 frames"), "\(played)")
    }
    #expect(!scratch.names.contains("a.wav"))
    let timed = try swiftlet.run("render", "plain.yaml", "-o", "a.wav", "--for", "0")
    #expect(timed.status == 2, "\(timed)")
  }

  @Test func `a pipe and standard output are refused for sound files`() throws {
    let outcome = try swiftlet.shell(
      """
      mkfifo pipe
      timeout 20 swiftlet render plain.yaml --input mic=voice.wav -o pipe --format wav16 --overwrite
      """)
    #expect(outcome.status == 1 && outcome.messages.contains("'pipe' is a pipe"), "\(outcome.messages)")
    #expect(try swiftlet.run("render", "plain.yaml", "--input", "mic=voice.wav", "-o", "-").status == 2)
  }

  @Test func `negative numbers are option values, with and without an equals sign`() throws {
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a.wav", "--loudness", "-23", "--true-peak",
      "-2")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let wrong = try swiftlet.run("render", "plain.yaml", "-o", "b.wav", "--for", "-1")
    #expect(wrong.status == 2 && !wrong.messages.contains("missing value"), "\(wrong.messages)")
  }

  @Test func `leftovers of a killed render are removed, and a user's own file stays`() throws {
    try scratch.write("mine", to: "a.wav.part")
    try scratch.write("left", to: ".a.wav.swiftlet-abcdefghijkl")
    // A new file may belong to another program that has not locked it yet.
    sleep(2)
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a.wav", "--loudness=-16")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(scratch.text("a.wav.part") == "mine")
    #expect(scratch.names.filter { $0.contains("a.wav") } == ["a.wav", "a.wav.part"])
  }

  @Test func `an interrupt leaves no folder, and a repeated one shortly after is ignored`() throws {
    let before = scratch.names
    let outcome = try swiftlet.shell(
      """
      swiftlet render plain.yaml --for 100000 -o new/deep/a.wav 2> words & job=$!
      for n in $(seq 600); do grep -q ' % ' words && break; sleep 0.1; done
      ls -A new/deep > begun; kill -INT $job; sleep 0.05; kill -INT $job; wait $job
      """)
    #expect(outcome.status == 130)
    #expect(scratch.text("words").contains("no file was written"), "\(scratch.text("words"))")
    #expect(scratch.text("begun").contains(".a.wav.swiftlet-"), "the control: it had begun")
    #expect(scratch.names == (before + ["begun", "words"]).sorted(), "\(scratch.names)")
  }
}
