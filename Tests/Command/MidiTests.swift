// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// MIDI files as input of `midi-in` nodes.
@Suite struct MidiTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
    try VoiceFixture.song("\(scratch.path)/song.mid")
  }

  private static let synth = (#filePath as NSString).deletingLastPathComponent + "/../../manifests/synth.yaml"

  /// The strength of a frequency in some frames, by Goertzel's algorithm with a Hann window.
  private func strength(of frequency: Double, in samples: ArraySlice<Float>) -> Double {
    let step = 2 * Double.pi * frequency / 48_000
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      let value = Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(samples.count)))
      real += value * cos(step * Double(frame))
      imaginary += value * sin(step * Double(frame))
    }
    return (real * real + imaginary * imaginary).squareRoot()
  }

  @Test func `a synth plays a file's notes at their frames and pitches`() throws {
    let outcome = try swiftlet.run(
      "render", Self.synth, "--no-record", "--input", "keys=song.mid", "--output", "desk=out.wav", "--tail",
      "0.5",
      "--set", "echo.mix=0")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output.hasPrefix("out.wav  0:02.8  peak "))
    let left = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/out.wav"))
    // The sound starts at the note's frame, and not before.
    let onset = try #require(left.firstIndex { abs($0) > 1e-4 })
    #expect((24_000...24_000 + 256).contains(onset), "\(onset)")
    let (first, second) = (left[24_000..<48_000], left[72_000..<96_000])
    #expect(strength(of: 440, in: first) > 20 * strength(of: 466.16, in: first))
    #expect(strength(of: 880, in: second) > 20 * strength(of: 932.33, in: second))
    #expect(strength(of: 880, in: second) > 20 * strength(of: 440, in: second))
  }

  @Test func `a file with all notes at its start lasts as long as the tail`() throws {
    let chord: [UInt8] = [0, 0x90, 69, 100, 0, 0x90, 73, 100, 0, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let file =
      Data("MThd".utf8) + Data(head) + Data("MTrk".utf8) + Data([0, 0, 0, UInt8(chord.count)] + chord)
    try file.write(to: URL(filePath: "\(scratch.path)/chord.mid"))
    let words = [
      "render", Self.synth, "--no-record", "--input", "keys=chord.mid", "--output", "desk=out.wav",
    ]
    let outcome = try swiftlet.run(program: Command.path, words, limit: 60)
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("the render has a length of zero"), "\(outcome.messages)")
    #expect(!scratch.names.contains("out.wav"))
    let longer = try swiftlet.run(program: Command.path, words + ["--tail", "1"], limit: 60)
    #expect(longer.output.hasPrefix("out.wav  0:01.0  "), "\(longer.messages)")
  }

  //  keys ──► piano ──► desk
  @Test func `the render lasts as long as the MIDI file, with the same sound for every block size`() throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys:  midi-in
        piano: { lv2: "http://drobilla.net/plugins/mda/EPiano" }
        desk:  playback
      wires:
        - keys -> piano -> desk
      """, to: "piano.yaml")
    var renders: [[Float]] = []
    for block in ["1024", "48"] {
      let outcome = try swiftlet.run(
        "render", "piano.yaml", "--input", "keys=song.mid", "--output", "desk=\(block).wav", "--block", block)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(try VoiceFixture.stat("\(scratch.path)/\(block).wav", "Length") == 2.25)
      renders.append(try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/\(block).wav")))
    }
    #expect(renders[0].firstIndex { $0 != 0 } == 24_000)
    // The piano rounds differently in its release: until then all bits are the same.
    #expect(renders[0].prefix(96_000) == renders[1].prefix(96_000))
  }

  @Test func `an invalid MIDI file ends with status 1, and a midi-in node without one is warned of`() throws {
    try scratch.write("this is no song", to: "text.mid")
    for (file, words) in [("text.mid", "is not a Standard MIDI File"), ("none.mid", "does not exist")] {
      let outcome = try swiftlet.run(
        "render", Self.synth, "--no-record", "--input", "keys=\(file)", "--output", "desk=out.wav")
      #expect(outcome.status == 1)
      #expect(outcome.messages.contains("swiftlet: error: '\(file)' \(words)"), "\(outcome.messages)")
    }
    #expect(scratch.names == ["song.mid", "text.mid"])
    let silent = try swiftlet.run(
      "render", Self.synth, "--no-record", "--for", "0.1", "--output", "desk=out.wav")
    #expect(
      silent.messages.contains(
        "warning: 'keys' receives no MIDI events; give it a file, as in --input keys=song.mid"))
  }
}
