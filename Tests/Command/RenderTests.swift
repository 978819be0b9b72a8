// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct RenderTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  @Test func `the output has the length and level of the input`() throws {
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=out.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == "out.wav  0:02.0  peak -6.0 dBFS\n")
    #expect(try VoiceFixture.stat("\(scratch.path)/out.wav", "Length") == 2)
    let loudest = try #require(try VoiceFixture.stat("\(scratch.path)/out.wav", "Maximum amplitude"))
    #expect(abs(loudest - 0.5) < 1e-4)
  }

  @Test func `a mono input node gets the mean of a multichannel file's channels`() throws {
    let made = try swiftlet.shell(
      "sox -n -r 48000 -b 32 -e float left.wav synth 1 sine 300 vol 0.5; "
        + "sox -n -r 48000 -b 32 -e float right.wav synth 1 sine 700 vol 0.25; sox -M left.wav right.wav both.wav; "
        + "sox -D both.wav mean.wav remix -m 1v0.5,2v0.5")
    #expect(made.status == 0, "\(made.messages)")
    let outcome = try swiftlet.run("render", "plain.yaml", "--input", "mic=both.wav", "-o", "out.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let mean = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/mean.wav"))
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    #expect(heard.count == mean.count && zip(heard, mean).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(mean.contains { abs($0) > 0.2 })
    // Three channels cannot be mapped to two.
    try VoiceFixture.sine("\(scratch.path)/wide.wav", channels: 3)
    try scratch.write(VoiceFixture.plain.replacing("mono", with: "stereo"), to: "stereo.yaml")
    let refused = try swiftlet.run("render", "stereo.yaml", "--input", "mic=wide.wav", "-o", "no.wav")
    #expect(refused.status == 1 && !scratch.names.contains("no.wav"))
    #expect(
      refused.messages.hasPrefix(
        "swiftlet: error: 'wide.wav' has 3 channels, but 'mic' has 2: use the same number, or 1 on one side"
      ),
      "\(refused.messages)")
  }

  @Test func `taps record as in a live run, and takes are numbered`() throws {
    let outcome = try swiftlet.run("render", "voice.yaml", "--input", "mic=voice.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(scratch.names.filter { $0.contains("-0") } == ["dry-001.wav", "wet-001.flac"])
    #expect(try VoiceFixture.stat("\(scratch.path)/dry-001.wav", "Length") == 2)
    #expect(
      try swiftlet.run("render", "voice.yaml", "--input", "mic=voice.wav", "--takes", "new").status == 0)
    #expect(scratch.names.contains("new"))
  }

  @Test func `a leading ~ in paths is expanded if the shell has not done so`() throws {
    var named = swiftlet
    named.environment["HOME"] = "\(scratch.path)/home"
    let files = FileManager.default, home = "\(scratch.path)/home"
    try files.createDirectory(atPath: home, withIntermediateDirectories: true)
    try files.moveItem(atPath: "\(scratch.path)/voice.wav", toPath: "\(home)/voice.wav")
    let text = try #require(try? String(contentsOfFile: "\(scratch.path)/voice.yaml", encoding: .utf8))
    try scratch.write(text.replacing("{tap}-{take}.wav", with: "~/own/{tap}.wav"), to: "home/mine.yaml")
    let words = ["render", "~/mine.yaml", "--input", "mic=~/voice.wav", "--takes=~/takes", "-o", "~/mix.wav"]
    let outcome = try named.run(program: Command.path, words + ["--allow-outside"], limit: 60)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let made = try files.subpathsOfDirectory(atPath: home)
    #expect(made.contains("mix.wav") && made.contains("own/dry.wav"), "\(made)")
    #expect(made.contains("takes/wet-001.flac") && !scratch.names.contains("~"), "\(made)")
    // Without HOME the ~ is an ordinary character.
    named.environment["HOME"] = ""
    #expect(try named.run("check", "~/mine.yaml").messages.hasPrefix("~/mine.yaml: error: "))
    let song = "swiftlet: 1\nnodes: { song: { player: ~/voice.wav }, out: playback }\nwires: [ song -> out ]"
    try scratch.write(song, to: "song.yaml")
    named.environment["HOME"] = "\(scratch.path)/home"
    #expect(try named.run("check", "song.yaml").status == 0)
  }

  //  mic ──► main (2)      the fader halves the level; the send is pre-fader
  @Test func `a tap on a channel strip records before or after its fader`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic:  { capture: mono, connect: none }
        main: mixer
        cue:  { mixer: mono }
        desk: { playback: stereo, connect: none }
        ears: { playback: mono, connect: none }
      wires:
        - mic -> main: { volume: 0.5, pan: -1, pan-law: balance, sends: { cue: { gain: 0 dB, pre-fader: true } } }
        - main -> desk
        - cue -> ears
      taps:
        strip:  { before: mic -> main, record: "{tap}.wav" }
        panned: { after: mic -> main, record: "{tap}.wav" }
        sent:   { after: mic -> cue, record: "{tap}.wav" }
      """, to: "strip.yaml")
    let outcome = try swiftlet.run("render", "strip.yaml", "--input", "mic=voice.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let voice = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/voice.wav"))
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/strip.wav") == voice)
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/sent.wav") == voice)
    #expect(VoiceFixture.channel(0, of: 2, "\(scratch.path)/panned.wav") == voice.map { $0 / 2 })
    #expect(
      VoiceFixture.channel(1, of: 2, "\(scratch.path)/panned.wav")?.allSatisfy { abs($0) < 1e-7 } == true)
  }

  @Test(arguments: [("once", 2.0), ("3", 6.0)])
  func `a player repeats as often as set, which determines the length`(loop: String, seconds: Double) throws {
    try scratch.write(
      "swiftlet: 1\nnodes:\n  song: { player: voice.wav, loop: \(loop) }\n  desk: { playback: mono }\n"
        + "wires:\n  - song -> desk\n", to: "song.yaml")
    let outcome = try swiftlet.run("render", "song.yaml", "--output", "desk=song.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(try VoiceFixture.stat("\(scratch.path)/song.wav", "Length") == seconds)
    // There is no pause: it would lower the RMS level below 0.5 / √2.
    let loudness = try #require(try VoiceFixture.stat("\(scratch.path)/song.wav", "RMS     amplitude"))
    #expect(abs(loudness - 0.35355) < 1e-3)
  }

  @Test func `tail, duration and sample rate are as requested`() throws {
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=out.wav", "--for", "500ms",
      "--tail", "0.25",
      "--rate", "44100")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let length = try #require(try VoiceFixture.stat("\(scratch.path)/out.wav", "Length"))
    #expect(abs(length - 0.75) < 1e-4)
    #expect(try VoiceFixture.stat("\(scratch.path)/out.wav", "Samples read") == 33_075)
  }

  @Test func `every block size gives the same samples`() throws {
    for block in ["1000", "64", "7"] {
      let outcome = try swiftlet.run(
        "render", "voice.yaml", "--no-record", "--input", "mic=voice.wav", "--output", "desk=\(block).wav",
        "--for",
        "0.5", "--block", block)
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    let files = ["1000", "64", "7"].map { VoiceFixture.samples("\(scratch.path)/\($0).wav") }
    #expect(files[0] != nil && files[0] == files[1] && files[0] == files[2])
  }

  @Test func `--set sets a parameter by name, in its unit`() throws {
    let dry = try swiftlet.run(
      "render", "voice.yaml", "--no-record", "--input", "mic=voice.wav", "--output", "desk=dry.wav", "--set",
      "echo.mix=0%")
    #expect(dry.output == "dry.wav  0:02.0  peak -6.0 dBFS\n")
  }

  @Test func `--set sets a wire's value by its nodes`() throws {
    for (name, setting, peak) in [
      ("a", "mic -> desk.gain=-14dB", "-20.0"), ("b", "mic.out->desk.in.gain=-14", "-20.0"),
      ("c", "mic->desk.trim=-4dB", "-10.0"),
    ] {
      let outcome = try swiftlet.run(
        "render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=\(name).wav", "--for", "0.5",
        "--set", setting)
      #expect(outcome.output == "\(name).wav  0:00.5  peak \(peak) dBFS\n", "\(outcome.messages)")
    }
  }

  @Test(
    arguments: [
      (["--set", "mik->echo.gain=0"], "there is no wire 'mik->echo'; did you mean 'mic->echo'?"),
      (["--set", "mic->echo.gian=0"], "'mic->echo' has no parameter 'gian'; did you mean 'gain'?"),
      (["--set", "mic->echo.gain=40"], "--set mic->echo.gain: found '40'; expected -120 to 36 dB"),
      (["--set", "mic->echo.mute=1"], "--set mic->echo.mute: found '1'; expected true or false"),
      (["--set", "mic->echo.pan=0"], "the wire does not lead into two channels, which pan needs"),
      (["--set", "ecko.mix=0"], "there is no node 'ecko'; did you mean 'echo'?"),
      (["--set", "echo.mx=0"], "'echo' has no parameter 'mx'; did you mean 'mix'?"),
      (["--set", "echo.mix=3dB"], "found '3dB'; expected 0 to 100 %"),
      (["--set", "echo.mix=101"], "found '101'; expected 0 to 100 %"),
      (["--set", "echo"], "expected node.parameter=value, as in echo.time=350ms"),
      (["--input", "voice.wav"], "expected node=file, as in mic=voice.wav"),
      (["--output", ""], "expected a file, or node=file, as in desk=mix.wav"),
      (["--range", "2s..1s"], "expected a range of times, as in 0:10..0:45.5"),
      (
        ["--for", "1", "-o", "out.wav", "--stems", "./out.wav"],
        "is a file that --output makes; name a folder"
      ),
      (["--range", "1s"], "expected a range of times, as in 0:10..0:45.5"),
      (["--range", "1s..1s"], "expected a range of times, as in 0:10..0:45.5"),
      (["--range", "0..1"], "'1' has no unit: write 1s"),
      (["--range", "1s..2s", "--for", "1"], "--range and --for exclude each other"),
      (["--for", "1", "-o", "x.wav", "-o", "x.wav"], "'x.wav' would be written twice"),
      (["--input", "mik=voice.wav"], "there is no capture or midi-in node 'mik'; expected 'mic'"),
      (["--output", "mic=x.wav"], "there is no playback node 'mic'; expected 'desk'"),
      (["--input", "mic=voice.wav", "--input", "mic=voice.wav"], "'mic' has a file already"),
      (["--output", "desk=x.wav"], "the render has no length"),
      (["--for", "1", "--no-record"], "nothing would be written"),
      (["--rate", "12"], "expected a whole number of hertz from 1000 to 1536000, as in 48000"),
      (["--block", "0"], "expected a whole number of frames from 1 to 65536, as in 256"),
      (
        ["--for", "soon"],
        "expected seconds from 0 to 8640000, or a time with its unit, as in 10, 1.5 or 500ms"
      ),
      (["--tail=-1"], "expected seconds from 0"),
      (["--file-rate", "7999"], "expected a whole number of hertz from 8000 to 192000, as in 22050"),
      (["--quality", "2"], "expected a number from 0 to 1, as in 0.5"),
      (["--quality", "0.5", "--bit-rate", "96000"], "--quality and --bit-rate exclude each other"),
      (["--format", "12-bit"], "expected 8-bit, 16-bit, 24-bit, 32-bit, 32-float, 64-float, alac"),
    ] as [([String], String)])
  func `an invalid option ends with status 2 and writes no file`(options: [String], words: String) throws {
    let before = scratch.names
    let outcome = try swiftlet.run(program: Command.path, ["render", "voice.yaml"] + options, limit: 20)
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains(words), "\(outcome.messages)")
    #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
    #expect(scratch.names == before)
  }

  @Test func `piped progress ends with 100 %`() throws {
    let outcome = try swiftlet.run(
      "render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=out.wav")
    let last = try #require(outcome.messages.split(separator: "\n").last)
    #expect(last.hasPrefix("100 %  0:02 of 0:02"), "\(last)")
    #expect(!last.contains("left"))
  }

  @Test func `files contain the given tags, and unsupported ones cause a warning`() throws {
    let line = [
      "render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a.flac", "-o", "a.mp3", "-o", "a.w64",
    ]
    let outcome = try swiftlet.run(
      program: Command.path,
      line + ["--tag", "title=A = b", "--tag", "year=2024-01-02", "--tag", "date=2025-01-02"], limit: 30)
    #expect(outcome.status == 0)
    let read = "ffprobe -v error -show_entries format_tags=title,date -of csv=p=0"
    #expect(try swiftlet.shell("\(read) a.flac; \(read) a.mp3").output == "A = b,2025-01-02\nA = b,2025\n")
    #expect(outcome.messages.contains("warning: 'a.mp3' cannot store: all of the date but the year\n"))
    #expect(outcome.messages.contains("warning: 'a.w64' cannot store: title, date\n"))
    #expect(!outcome.messages.contains("'a.flac' cannot"))
    for wrong in ["mood=good", "title", "title=", "software=x"] {
      let refused = try swiftlet.run(
        program: Command.path, line + ["--overwrite", "--tag", wrong], limit: 20)
      #expect(refused.status == 2 && refused.messages.contains("expected name=text, as in title=Song"))
    }
  }

  @Test func `a capture node without a file causes a warning`() throws {
    let outcome = try swiftlet.run("render", "plain.yaml", "--for", "0.1", "--output", "desk=out.wav")
    #expect(outcome.status == 0)
    #expect(outcome.output == "out.wav  0:00.1  silent\n")
    #expect(outcome.messages.contains("warning: 'mic' receives silence"))
  }
}
