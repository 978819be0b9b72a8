// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Files that commands must not change, and file names that they must distinguish.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FileProtectionTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(scratch.path)/\(name)")
  }

  @Test func `no take replaces a file that is played into the session`() throws {
    try scratch.write(
      VoiceFixture.plain
        + "\ntaps: { dry: { after: mic, record: { file: ./voice.wav, overwrite: true } } }\n",
      to: "tape.yaml")
    let before = scratch.bytes("voice.wav")
    let outcome = try swiftlet.run(
      "run", "tape.yaml", "--dummy", "--for", "0.5", "--play", "mic=voice.wav", limit: 100)
    #expect(outcome.status == 1, "\(outcome.messages)")
    #expect(
      outcome.messages.contains("'./voice.wav' is played by 'mic': record to another file"),
      "\(outcome.messages)")
    #expect(scratch.bytes("voice.wav") == before && before != nil)
    // Control: without --play the file is replaced as requested.
    #expect(try swiftlet.run("run", "tape.yaml", "--dummy", "--for", "0.2", limit: 100).status == 0)
    #expect(scratch.bytes("voice.wav") != before)
  }

  @Test func `no take replaces an output of the same render`() throws {
    try scratch.write(
      VoiceFixture.plain + "\ntaps: { dry: { after: mic, record: { file: out.wav, overwrite: true } } }\n",
      to: "tape.yaml")
    let outcome = try swiftlet.run("render", "tape.yaml", "--input", "mic=voice.wav", "-o", "out.wav")
    #expect(outcome.status == 1 && !isThere("out.wav"), "\(outcome)")
    #expect(
      outcome.messages.contains("'out.wav' is written by the export of 'desk': record to another file"),
      "\(outcome.messages)")
  }

  @Test func `a picture in a path that is not a folder is an error`() throws {
    let outcome = try swiftlet.run("graph", "plain.yaml", "-o", "voice.wav/x.svg")
    #expect(
      outcome.status == 1 && outcome.messages.contains("cannot be written: Not a directory"), "\(outcome)")
  }

  @Test func `a picture replaces only another picture`() throws {
    try scratch.write("dear diary", to: "note.svg")
    let voice = scratch.bytes("voice.wav")
    for (words, status, message) in [
      (
        ["graph", "plain.yaml", "-o", "voice.wav", "--format", "svg"], Int32(1), "is there and is no picture"
      ),
      (["graph", "plain.yaml", "-o", "plain.yaml", "--format", "plan"], 1, "is there and is no picture"),
      (["show", "equalizer", "--plot", "note.svg"], 1, "'note.svg' is there and is no picture"),
      (["show", "equalizer", "--plot", "voice.wav"], 2, "the picture is SVG; end 'voice.wav' in .svg"),
      (["show", "voice.wav", "--plot", "new.png"], 2, "the picture is SVG; end 'new.png' in .svg"),
    ] {
      let outcome = try swiftlet.run(program: Command.path, words, limit: 30)
      #expect(outcome.status == status && outcome.messages.contains(message), "\(words) \(outcome)")
    }
    #expect(
      scratch.bytes("voice.wav") == voice && scratch.text("note.svg") == "dear diary" && !isThere("new.png"))
    #expect(scratch.text("plain.yaml") == VoiceFixture.plain)
    // Each format replaces each other format.
    let kinds = ["svg", "dot", "plan", "dot", "svg", "plan", "svg"]
    for kind in kinds {
      let outcome = try swiftlet.run("graph", "plain.yaml", "-o", "picture", "--format", kind)
      #expect(outcome.status == 0, "\(kind) \(outcome.messages)")
    }
    for _ in 0..<2 {
      #expect(try swiftlet.run("show", "equalizer", "--plot", "tone.svg").status == 0)
      #expect(try swiftlet.run("show", "voice.wav", "--plot", "tone.svg").status == 0)
    }
    #expect(scratch.names.filter { $0.hasSuffix(".new") }.isEmpty)
  }

  /// Writes a manifest with a mix of two players, looped or not.
  private func writeSong(loop: String = "") throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        music: { player: voice.wav\(loop) }
        other: { player: voice.wav\(loop) }
        desk: { playback: mono }
      wires: [ music -> desk, other -> desk ]
      """, to: "song.yaml")
  }

  @Test func `a stem and a mix with the same path are refused before a folder is created`() throws {
    try writeSong()
    for mix in ["x/music.wav", "./x/../x/music.wav"] {
      let outcome = try swiftlet.run("render", "song.yaml", "-o", mix, "--stems", "x")
      #expect(outcome.status == 2 && outcome.messages.contains("would be written twice"), "\(outcome)")
      #expect(!isThere("x"))
    }
    // Control: another name in the same new folder.
    #expect(try swiftlet.run("render", "song.yaml", "-o", "x/mix.wav", "--stems", "x").status == 0)
    #expect(isThere("x/music.wav") && isThere("x/mix.wav"))
  }

  @Test func `an interrupted render removes the folders that it created`() throws {
    try writeSong(loop: ", loop: forever")
    for options in ["-o q/mix.wav", "-o q/mix.wav --loudness -20", ""] {
      let outcome = try swiftlet.shell(
        """
        swiftlet render song.yaml \(options) --stems q/st --for 36000 2> words & first=$!
        for n in $(seq 200); do [ -d q/st ] && break; sleep 0.05; done
        sleep 0.3; ls -A q/st | wc -l; kill -INT $first; wait $first; echo "status $?"
        """, limit: 60)
      #expect(outcome.output == "2\nstatus 130\n" || outcome.output == "4\nstatus 130\n", "\(outcome)")
      #expect(!isThere("q"), "\(options) \(scratch.text("words"))")
    }
    // Existing folders stay.
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/q", withIntermediateDirectories: true)
    _ = try swiftlet.shell(
      """
      swiftlet render song.yaml --stems q/st --for 36000 2> words & first=$!
      for n in $(seq 200); do [ -d q/st ] && break; sleep 0.05; done
      kill -INT $first; wait $first
      """)
    #expect(isThere("q") && !isThere("q/st"))
  }

  @Test func `an unsupported format is reported with the file's own extension`() throws {
    func messages(_ file: String, _ format: String) throws -> String {
      let outcome = try swiftlet.run(
        "render", "plain.yaml", "--input", "mic=voice.wav", "-o", file, "--format", format)
      #expect(outcome.status == 1)
      return outcome.messages
    }
    #expect(
      try messages("p.mp3", "24-bit").contains(
        "cannot hold 24-bit in a .mp3 file; leave the format out, or name a file that takes it: "))
    #expect(try messages("p.mp4", "16-bit").contains("in a .mp4 file; "))
    #expect(try messages("p.aif", "opus").contains("in a .aif file; "))
  }

  @Test func `each result is one line, whatever the file name`() throws {
    let outcome = try swiftlet.run("render", "plain.yaml", "--input", "mic=voice.wav", "-o", "a\nb.wav")
    #expect(outcome.status == 0 && isThere("a\nb.wav"))
    #expect(outcome.output == "a\\nb.wav  0:02.0  peak -6.0 dBFS\n")
    // Long paths are not truncated.
    let long = String(repeating: "l", count: 150) + ".wav"
    #expect(
      try swiftlet.run("render", "plain.yaml", "--input", "mic=voice.wav", "-o", long).output.hasPrefix(
        long + " "))
  }

  @Test func `check reports a take that would replace a played file`() throws {
    func outcome(_ file: String) throws -> Command.Outcome {
      try scratch.write(
        """
        swiftlet: 1
        nodes:
          song: { player: voice.wav }
          desk: { playback: mono, connect: none }
        wires: [ song -> desk ]
        taps: { copy: { after: song, record: { file: "\(file)", overwrite: true } } }
        """, to: "copy.yaml")
      return try swiftlet.run("check", "copy.yaml")
    }
    let near = try outcome("./voice.wav")
    #expect(
      near.status == 0
        && near.messages.contains("copy.yaml:6:46: warning: found './voice.wav', which 'song' plays"),
      "\(near)")
    // A render refuses that take, and accepts it in another folder, as the warning states.
    #expect(try swiftlet.run("render", "copy.yaml").status == 1)
    #expect(try swiftlet.run("render", "copy.yaml", "--takes", "new").status == 0)
    let certain = try outcome("\(scratch.path)/voice.wav")
    #expect(
      certain.status == 1 && certain.messages.contains("as no take replaces what is played"), "\(certain)")
    #expect(!(try outcome("other.wav").messages.contains("plays")))
    // The same applies to files of effects.
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        hall: { effect: convolver, channels: 1, files: { response: voice.wav } }
        mic: { capture: mono, connect: none }
      wires: [ mic -> hall ]
      taps: { copy: { after: hall, record: { file: voice.wav, overwrite: true } } }
      """, to: "hall.yaml")
    let hall = try swiftlet.run("check", "hall.yaml")
    #expect(hall.messages.contains("found 'voice.wav', which 'hall' plays"), "\(hall)")
    #expect(try swiftlet.run("render", "hall.yaml", "--for", "1").messages.contains("is played by 'hall'"))
  }
}
