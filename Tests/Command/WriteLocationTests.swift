// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Where a manifest may write, and the effect of planted links and pipes.
@Suite struct WriteLocationTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  private func write(recording file: String, name: String? = nil) throws {
    let text = try #require(try? String(contentsOfFile: "\(scratch.path)/voice.yaml", encoding: .utf8))
    try scratch.write(
      text.replacing("{tap}-{take}.wav", with: file).replacing(
        "name: voice", with: "name: \(name ?? "voice")"),
      to: "other.yaml")
  }

  private func render(_ words: String...) throws -> Command.Outcome {
    try swiftlet.run(
      program: Command.path,
      ["render", "other.yaml", "--input", "mic=voice.wav", "--takes", "takes"] + words,
      limit: 60)
  }

  @Test func `recording outside the takes folder is refused with its position unless allowed`() throws {
    let absolute = "\(scratch.path)/free/{tap}.wav"
    for file in [absolute, "../up/{tap}.wav", "in/../../up/{tap}.wav"] {
      try write(recording: file)
      let refused = try render()
      #expect(refused.status == 1, "\(file): \(refused.messages)")
      #expect(refused.messages.contains("other.yaml:") && refused.messages.contains("--allow-outside"))
      let checked = try swiftlet.run("check", "other.yaml")
      #expect(checked.status == 0 && checked.messages.contains("warning: the tap 'dry' records to"))
      #expect(try render("--no-record", "-o", "mix-\(file.utf8.count).wav").status == 0)
    }
    #expect(
      !scratch.names.contains("free") && !scratch.names.contains("up") && !scratch.names.contains("takes"))
    try write(recording: absolute)
    let allowed = try render("--allow-outside")
    #expect(allowed.status == 0, "\(allowed.messages)")
    #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/free/dry.wav"))
  }

  @Test func `neither a link nor a slash in a name leads a take out of the takes folder`() throws {
    try write(recording: "out/{tap}.wav")
    mkdir("\(scratch.path)/takes", 0o700)
    mkdir("\(scratch.path)/elsewhere", 0o700)
    symlink("../elsewhere", "\(scratch.path)/takes/out")
    let refused = try render()
    #expect(
      refused.status == 1 && refused.messages.contains("outside the takes folder"), "\(refused.messages)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/elsewhere") == [])
    try write(recording: "{name}.wav", name: "a/b")
    let named = try render()
    #expect(named.status == 1 && named.messages.contains("--allow-outside"), "\(named.messages)")
  }

  @Test func `no command waits for a named pipe to write to`() throws {
    mkfifo("\(scratch.path)/pipe", 0o600)
    mkfifo("\(scratch.path)/pipe.svg", 0o600)
    for words in [
      ["graph", "plain.yaml", "-o", "pipe", "--format", "dot"], ["show", "equalizer", "--plot", "pipe.svg"],
      ["render", "plain.yaml", "--for", "1", "-o", "pipe"], ["run", "--chain", "gain", "--save", "pipe"],
    ] {
      let outcome = try swiftlet.run(program: Command.path, words, limit: 20)
      #expect(outcome.status == 1 || outcome.status == 2, "\(words): \(outcome)")
    }
    // An open pipe from the shell is accepted.
    let piped = try swiftlet.shell("swiftlet graph plain.yaml -o /dev/stdout --format dot | cat")
    #expect(piped.output.hasPrefix("digraph"), "\(piped)")
  }

  @Test func `standard streams given as paths are written`() throws {
    let picture = try swiftlet.run("graph", "plain.yaml", "-o", "/dev/stderr", "--format", "dot")
    #expect(picture.messages.hasPrefix("digraph"), "\(picture)")
    let numbered = try swiftlet.run("graph", "plain.yaml", "-o", "/dev/fd/2", "--format", "dot")
    #expect(numbered.messages.hasPrefix("digraph"), "\(numbered)")
    let saved = try swiftlet.run("run", "--chain", "gain", "--save", "/dev/stdout", "--dummy", "--for", "0.1")
    #expect(saved.output.contains("swiftlet: 1"), "\(saved)")
  }

  @Test func `a closed output pipe does not hide a failed recovery`() throws {
    mkdir("\(scratch.path)/takes", 0o700)
    try scratch.write("no sound", to: "takes/a.flac.rf64")
    let head =
      #"{"channelCount":1,"date":"2026-02-02T02:40:00Z","description":"a","encoding":"24-bit","overwrites":false,"#
      + #""rate":48000,"sampleRate":48000,"sound":"a.flac.rf64","take":"a.flac","timeReference":0,"version":1}"#
    try scratch.write(head + "\n", to: "takes/a.flac.journal")
    let alone = try swiftlet.run("recover", "takes")
    #expect(alone.status == 1 && alone.messages.contains("a.flac"), "\(alone)")
    let piped = try swiftlet.shell(
      "{ swiftlet recover takes --json; echo $? > status; } | true; cat status")
    #expect(piped.output == "1\n" && piped.messages.contains("a.flac"), "\(piped)")
  }

  @Test func `no command writes through a planted link`() throws {
    try scratch.write("<svg precious", to: "diary")
    for name in ["a.wav", "a.svg", "b.yaml", "a.wav.swiftlet-part", "a.wav.swiftlet-draft", "a.svg.new"] {
      symlink("diary", "\(scratch.path)/\(name)")
    }
    _ = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a.wav", "--overwrite", "--loudness=-20")
    _ = try swiftlet.run("graph", "plain.yaml", "-o", "a.svg")
    _ = try swiftlet.run("show", "equalizer", "--plot", "a.svg")
    _ = try swiftlet.run("run", "--chain", "gain", "--save", "b.yaml", "--dummy", "--for", "0.1", limit: 60)
    #expect(scratch.text("diary") == "<svg precious")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/a.wav") == "diary")
  }

  @Test func `a run reports unfinished takes in its takes folder`() throws {
    let crashed = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav --takes takes 2> words & first=$!
      for n in $(seq 600); do [ -s takes/wet-001.flac.rf64 ] && break; sleep 0.1; done
      sleep 1; kill -9 $first; wait $first
      """, limit: 100)
    #expect(crashed.status == 137, "\(crashed.messages)")
    let next = try swiftlet.run(
      "run", "voice.yaml", "--dummy", "--for", "0.2", "--takes", "takes", limit: 100)
    #expect(next.messages.contains("2 takes here were left unfinished"), "\(next.messages)")
    #expect(next.messages.contains("swiftlet recover takes"))
    #expect(try swiftlet.run("recover", "takes").output.split(separator: "\n").count == 2)
    let last = try swiftlet.run(
      "run", "voice.yaml", "--dummy", "--for", "0.2", "--takes", "takes", limit: 100)
    #expect(!last.messages.contains("unfinished"), "\(last.messages)")
  }
}
