// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

/// `swiftlet show` of sound files.
@Suite struct SoundTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
    try VoiceFixture.sine("\(scratch.path)/voice.wav", seconds: 2.5, channels: 2, rate: 44_100)
  }

  @Test func `a file's length, format and tags are shown`() throws {
    let made = try swiftlet.shell("sox voice.wav --add-comment 'TITLE=A <song>' song.flac")
    #expect(made.status == 0)
    let outcome = try swiftlet.run("show", "song.flac")
    #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome.messages)")
    for text in [
      "song.flac\n", "0:02.500 (110250 frames)", "44.1 kHz, 2 channels", "title  A <song>", "FLAC",
    ] {
      #expect(outcome.output.contains(text), "\(text) is missing in \(outcome.output)")
    }
    let document = try swiftlet.run("show", "voice.wav", "--json")
    let json = try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any]
    #expect(json?["format"] as? Int == 1 && json?["frames"] as? Int == 110_250)
    #expect(json?["seconds"] as? Double == 2.5 && json?["channels"] as? Int == 2)
    #expect(json?["tags"] as? [String: String] == [:])
  }

  @Test func `the height of the waveform corresponds to the level`() throws {
    #expect(try swiftlet.run("show", "voice.wav", "--plot", "voice.svg").output.isEmpty)
    let svg = scratch.text("voice.svg")
    #expect(
      svg.contains(">voice.wav<") && svg.contains(">0:02.0<") && svg.contains("prefers-color-scheme: dark"))
    // Two channels, each with an outline and a body that run over all columns and back. A column is no multiple of
    // the period, so its RMS level depends slightly on the phase.
    for (kind, level, leeway) in [("outline", 0.5, 1.0), ("body", 0.35355, 2.5)] {
      let line = try Regex("<path class=\"\(kind)\" d=\"([^\"]+)Z\"", as: (Substring, Substring).self)
      let shapes = svg.matches(of: line).map { match in
        match.output.1.split { "ML".contains($0) }
          .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
      }
      #expect(shapes.count == 2)
      for (index, heights) in shapes.enumerated() {
        #expect(heights.count == 2 * WaveformPicture.columns)
        let middle = 60 + Double(index) * 148 + 66
        // Full scale is 60 points from the centre.
        for height in heights {
          #expect(abs(abs(height - middle) - 60 * level) < leeway, "\(kind) \(height)")
        }
      }
    }
    #expect(!svg.contains("class=\"clipped\""))
    #expect(try swiftlet.shell("sox -n -r 48000 loud.wav synth 1 sine 100 gain 20 2> /dev/null").status == 0)
    #expect(try swiftlet.run("show", "loud.wav", "--plot", "loud.svg").status == 0)
    #expect(scratch.text("loud.svg").contains("class=\"clipped\""))
  }

  @Test func `the overview of a long file is cached in the user's cache folder`() throws {
    try VoiceFixture.sine("\(scratch.path)/long.wav", seconds: 25)
    // The overview of a file written less than 20 ms ago is not cached: it may still be written.
    utimes(
      "\(scratch.path)/long.wav", [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 0)])
    var cached = swiftlet
    cached.environment["XDG_CACHE_HOME"] = "\(scratch.path)/cache"
    #expect(try cached.run("show", "long.wav", "--plot", "first.svg").status == 0)
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/cache/swiftlet/waveforms")
    #expect(kept.count == 1 && kept[0].hasSuffix(".waveform"))
    #expect(try cached.run("show", "long.wav", "--plot", "second.svg").status == 0)
    #expect(try swiftlet.run("show", "long.wav", "--plot", "third.svg").status == 0)
    #expect(scratch.text("first.svg") == scratch.text("second.svg"))
    #expect(scratch.text("first.svg") == scratch.text("third.svg"))
  }

  @Test func `a file that cannot be shown is an error of one line`() throws {
    try scratch.write("no sound", to: "words.wav")
    try scratch.write("a sound?", to: "delay")
    #expect(try swiftlet.run("show", "delay").output.contains("effect: delay"))
    let words = try swiftlet.run("show", "words.wav")
    #expect(words.status == 1 && words.messages.hasPrefix("swiftlet: error: 'words.wav' is not a sound file"))
    let itself = try swiftlet.run("show", "voice.wav", "--plot", "./voice.wav")
    #expect(itself.status == 2 && itself.messages.contains("is the sound file itself"))
    let preset = try swiftlet.run("show", "voice.wav", "--preset", "x", "--plot", "a.svg")
    #expect(preset.status == 2 && preset.messages.contains("are for effects"))
    let missing = try swiftlet.run("show", "nothing.wav")
    #expect(missing.status == 1 && missing.messages.contains("'nothing.wav' does not exist"), "\(missing)")
  }
}
