// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The formats of `swiftlet render`, checked with other programs.
@Suite struct RenderFormatTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  private func render(_ arguments: String...) throws -> Command.Outcome {
    try swiftlet.run(
      program: Command.path, ["render", "plain.yaml", "--input", "mic=voice.wav"] + arguments, limit: 60)
  }

  @Test(arguments: [
    ("out.m4a", "aac"), ("out.opus", "opus"), ("out.ogg", "vorbis"), ("out.mp3", "mp3"),
    ("out.caf", "pcm_f32be"), ("out.aiff", "pcm_f32be"), ("out.flac", "flac"),
  ])
  func `the file name extension of the output selects the format`(_ name: String, _ codec: String) throws {
    let outcome = try render("--output", "desk=\(name)")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == "\(name)  0:02.0  peak -6.0 dBFS\n")
    let shown = try swiftlet.shell(
      "ffprobe -v error -show_entries stream=codec_name,sample_rate,channels,duration -of csv=p=0 \(name)")
    let parts = shown.output.split { $0 == "," || $0 == "\n" }
    #expect(parts.prefix(3) == [codec[...], "48000", "1"], "\(shown.output)")
    #expect(abs((parts.last.flatMap { Double($0) } ?? 0) - 2) < 0.06, "\(shown.output)")
    #expect(scratch.names == ["out" + name.dropFirst(3), "plain.yaml", "voice.wav", "voice.yaml"].sorted())
  }

  @Test func `sample rate and encoding are as requested, and invalid combinations write no file`() throws {
    let small = try render(
      "--output", "desk=out.caf", "--format", "ima4", "--file-rate", "22050")
    #expect(small.status == 0, "\(small.messages)")
    let shown = try swiftlet.shell(
      "ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 out.caf")
    #expect(shown.output == "adpcm_ima_qt,22050,1\n")
    #expect(try render("--output", "desk=out.mp3", "--bit-rate", "64000").status == 0)
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: "\(scratch.path)/out.mp3")[.size] as? Int)
    #expect(abs(size - 16_000) < 3000)
    let before = scratch.names
    let wrong = try render("--output", "desk=no.wav", "--quality", "0.5")
    #expect(
      wrong.status == 1 && wrong.messages.contains("'no.wav' supports no quality or bit rate"), "\(wrong)")
    #expect(scratch.names == before)
  }

  @Test func `one pass writes several files, each in its own format`() throws {
    let outcome = try render("-o", "b.mp3", "--format", "wav16")
    #expect(outcome.status == 1, "\(outcome.messages)")
    #expect(outcome.messages.contains("'b.mp3' does not match the preset 'wav16'"), "\(outcome.messages)")
    let good = try render(
      "-o", "a.wav", "-o", "desk=b.mp3", "-o", "c.flac", "--format", "16-bit", "--quality", "0.5")
    #expect(good.status == 0, "\(good.messages)")
    #expect(
      good.output.split(separator: "\n").map { $0.split(separator: " ")[0] } == ["a.wav", "b.mp3", "c.flac"])
    let shown = try swiftlet.shell(
      "for file in a.wav b.mp3 c.flac; do ffprobe -v error -show_entries stream=codec_name,sample_fmt -of csv=p=0 $file; done"
    )
    #expect(shown.output == "pcm_s16le,s16\nmp3,fltp\nflac,s16\n")
    #expect(try VoiceFixture.stat("\(scratch.path)/a.wav", "Samples read") == 96_000)
    #expect(try render("-o", "bare", "--format", "wav24").status == 0)
    let bare = try swiftlet.shell("ffprobe -v error -show_entries stream=codec_name -of csv=p=0 bare")
    #expect(bare.output == "pcm_s24le\n")
  }

  @Test func `a range is that part of the whole render, to the sample`() throws {
    #expect(try render("-o", "whole.wav").status == 0)
    #expect(try render("-o", "part.wav", "--range", "0:00.5..48001 samples").status == 0)
    #expect(try render("-o", "rest.wav", "--range", "1500ms..").status == 0)
    let whole = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/whole.wav"))
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/part.wav") == Array(whole[24_000..<48_001]))
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/rest.wav") == Array(whole[72_000...]))
  }

  @Test func `a range in bars follows the manifest's tempo and time signature`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes: { desk: { playback: mono } }
      timeline:
        tempo: 180 bpm
        meter: 3/4
        tracks: { voice: [ { file: voice.wav } ] }
      wires: [ voice -> desk ]
      """, to: "song.yaml")
    // A bar of three beats at 180 bpm lasts one second.
    for (name, range) in [
      ("bars", "1|1..2|1"), ("seconds", "0s..1s"), ("beat", "1|2.5..1.25s"), ("end", "2|2.."),
    ] {
      let outcome = try swiftlet.run("render", "song.yaml", "-o", "\(name).wav", "--range", range)
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    let second = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/seconds.wav"))
    #expect(second.count == 48_000 && VoiceFixture.channel(0, of: 1, "\(scratch.path)/bars.wav") == second)
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/beat.wav")?.count == 36_000)
    #expect(VoiceFixture.channel(0, of: 1, "\(scratch.path)/end.wav")?.count == 32_000)
    let refused = try swiftlet.run("render", "song.yaml", "-o", "x.wav", "--range", "1|4..3|1")
    #expect(
      refused.status != 0 && refused.messages.contains("position '1|4' does not exist"),
      "\(refused.messages)")
    let backwards = try swiftlet.run("render", "song.yaml", "-o", "x.wav", "--range", "2|1..1|1")
    #expect(backwards.status != 0 && backwards.messages.contains("0s is before 1s"), "\(backwards.messages)")
    #expect(!scratch.names.contains("x.wav"))
  }

  @Test func `track stems are one file for each source, through the buses`() throws {
    try VoiceFixture.sine("\(scratch.path)/music.wav", channels: 2)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        kick: { player: voice.wav, gain: -6 dB }
        snare: { player: music.wav }
        drums: { mixer: stereo, gain: -3 dB }
        desk: { playback: stereo }
      timeline: { tracks: { bed: [ { file: music.wav } ] } }
      wires: [ kick -> drums, snare -> drums, drums -> desk, bed -> desk ]
      """, to: "song.yaml")
    let outcome = try swiftlet.run(
      "render", "song.yaml", "-o", "mix.wav", "--stems", "parts", "--stems-of", "tracks")
    #expect(outcome.status == 0, "\(outcome.messages)")
    func sound(_ name: String) throws -> [Float] {
      try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/\(name).wav"))
    }
    let parts = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/parts").sorted()
    #expect(parts == ["bed.wav", "kick.wav", "snare.wav"])
    let mix = try sound("mix"), kick = try sound("parts/kick"), snare = try sound("parts/snare")
    let bed = try sound("parts/bed")
    #expect(
      mix.count == 96_000 && mix.indices.allSatisfy { abs(mix[$0] - kick[$0] - snare[$0] - bed[$0]) < 1e-6 })
    #expect(try swiftlet.run("render", "song.yaml", "-o", "b.wav", "--stems-of", "tracks").status == 2)
    #expect(try swiftlet.run("render", "song.yaml", "--stems", "x", "--stems-of", "nodes").status == 2)
    #expect(try swiftlet.run("render", "song.yaml", "--stems", "buses").status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/buses").sorted() == [
        "bed.wav", "drums.wav",
      ])
  }

  @Test func `stems are separate files whose sum is the mix`() throws {
    try VoiceFixture.sine("\(scratch.path)/music.wav", channels: 2)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        voice: { player: voice.wav, gain: -6 dB }
        music: { player: music.wav }
        main: { mixer: stereo, gain: -3 dB }
        echo: { effect: delay, set: { time: 100 ms } }
        desk: { playback: stereo }
      wires:
        - voice -> main
        - music -> main: { gain: -6 dB, pan: 0.5 }
        - main -> echo -> desk
      """, to: "song.yaml")
    let outcome = try swiftlet.run("render", "song.yaml", "-o", "mix.wav", "--stems", "parts")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let mix = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/mix.wav"))
    let voice = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/parts/voice.wav"))
    let music = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/parts/music.wav"))
    #expect(mix.count == 96_000 && voice.count == mix.count && music.count == mix.count)
    #expect(zip(mix, zip(voice, music)).allSatisfy { abs($0 - $1.0 - $1.1) < 1e-6 })
    #expect(voice.contains { abs($0) > 0.1 } && music.contains { abs($0) > 0.1 })
    #expect(try swiftlet.run("render", "song.yaml", "--stems", "flac", "--format", "flac").status == 0)
    #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/flac/voice.flac"))
  }

  @Test func `every format has the length of the render, as other programs report it`() throws {
    // The length is no multiple of any codec's block size.
    let kinds = ["wav", "w64", "rf64", "flac", "caf", "aiff", "ogg", "opus", "mp3", "m4a"]
    let outcome = try swiftlet.run(
      program: Command.path,
      ["render", "plain.yaml", "--input", "mic=voice.wav", "--range", "..48001 samples"]
        + kinds.flatMap { ["-o", "a.\($0)"] }, limit: 60)
    #expect(outcome.status == 0, "\(outcome.messages)")
    for kind in kinds {
      let decoded = try swiftlet.shell("ffmpeg -v error -i a.\(kind) -f s16le - | wc -c").output
      let announced = try swiftlet.shell(
        "ffprobe -v error -show_entries stream=duration_ts -of csv=p=0 a.\(kind)"
      ).output
      // ffmpeg's decoders return the last AAC block whole and omit 128 frames of Vorbis, but ffprobe reports the
      // length correctly. For Opus ffprobe includes the pre-skip, and for MP3 it uses another unit.
      if ["m4a", "ogg"].contains(kind) {
        #expect(announced == "48001\n")
      } else {
        #expect(decoded.trimmingCharacters(in: .whitespacesAndNewlines) == "\(48_001 * 2)", "\(kind)")
      }
      guard !["opus", "mp3", "m4a"].contains(kind) else { continue }
      #expect(announced == "48001\n", "\(kind)")
      #expect(try swiftlet.shell("soxi -s a.\(kind)").output == "48001\n", "\(kind)")
    }
  }

  @Test func `a replaced file stays until the new one is complete`() throws {
    try scratch.write("precious", to: "out.m4a")
    // The render is killed halfway, without a chance to clean up.
    _ = try swiftlet.shell(
      "swiftlet render plain.yaml --input mic=voice.wav --for 3000 --output desk=out.m4a --overwrite & "
        + "sleep 2; kill -9 $!")
    #expect(scratch.text("out.m4a") == "precious")
    #expect(scratch.names.contains { $0.hasPrefix(".out.m4a.swiftlet-") }, "the control: it had begun")
    #expect(try render("--output", "desk=out.m4a", "--overwrite").status == 0)
    #expect(scratch.names.filter { $0.contains("out") } == ["out.m4a"])
    #expect(scratch.text("out.m4a") != "precious")
  }

  @Test func `a player plays a file that only ffmpeg reads, at its full length`() throws {
    #expect(try render("--output", "desk=song.m4a").status == 0)
    try scratch.write(
      "swiftlet: 1\nnodes:\n  song: { player: song.m4a, loop: 2 }\n  desk: { playback: mono }\n"
        + "wires:\n  - song -> desk\n", to: "song.yaml")
    let outcome = try swiftlet.run("render", "song.yaml", "--output", "desk=song.wav")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(try VoiceFixture.stat("\(scratch.path)/song.wav", "Length") == 4)
    let loudness = try #require(try VoiceFixture.stat("\(scratch.path)/song.wav", "RMS     amplitude"))
    #expect(abs(loudness - 0.35355) < 3e-3)
  }

  @Test func `without ffmpeg one line names the package, and no file is written`() throws {
    #expect(try render("--output", "desk=song.m4a").status == 0)
    try scratch.write(
      VoiceFixture.plain + "\ntaps:\n  dry: { after: mic, record: out.m4a }\n", to: "tape.yaml")
    var poor = swiftlet
    poor.environment["PATH"] = "/nonexistent"
    let before = scratch.names
    for words in [
      ["render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=out.m4a"],
      ["render", "plain.yaml", "--input", "mic=song.m4a", "--output", "desk=out.wav"],
      // A take is refused before it starts, not when it ends.
      ["render", "tape.yaml", "--input", "mic=voice.wav"],
    ] {
      let outcome = try poor.run(program: Command.path, words, limit: 20)
      #expect(outcome.status == 1)
      #expect(outcome.messages.contains("install it: apt install ffmpeg"), "\(outcome.messages)")
      #expect(outcome.messages.contains("'out.m4a'") || outcome.messages.contains("'song.m4a'"))
      #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
      #expect(scratch.names == before)
    }
  }

  @Test func `a file size limit ends a render through ffmpeg with status 1 and no partial file`() throws {
    let outcome = try swiftlet.shell(
      "trap '' XFSZ; ulimit -f 20; swiftlet render plain.yaml --input mic=voice.wav --output desk=out.m4a")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("'out.m4a' may not grow any more"), "\(outcome.messages)")
    #expect(!scratch.names.contains("out.m4a"))
  }
}
