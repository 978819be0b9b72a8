// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Exports to movies that are refused or cancelled.
extension FilmTests {
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `an invalid export is refused with its position, and leaves no file`() async throws {
    try movies.make("a.mp4")
    try movies.shell(
      "ffmpeg -v error -i a.mp4 -vn -c copy sound.m4a; echo words > text.mp4; head -c 5000 a.mp4 > cut.mp4")
    let before = names
    func refusal(_ name: String, _ video: VideoTrack, _ range: Range<MediaTime>? = nil) async throws -> String
    {
      let engine = try AudioEngine(.offline(sampleRate: 48_000))
      let output = try engine.attach(.playback(), name: "desk")
      do {
        let export = try ExportSession(engine)
        export.options.range = range
        try export.add(ExportFile("\(folder)/\(name)", video: video, of: output))
        try await export.run()
        return "nothing"
      } catch {
        return "\(error)".replacing(folder + "/", with: "")
      }
    }
    #expect(
      try await refusal("f.mp4", video(("sound.m4a", 0, 1, nil))).hasPrefix("'sound.m4a' has no picture: "))
    #expect(
      try await refusal("f.mp4", video(("text.mp4", 0, 1, nil))).hasPrefix(
        "'text.mp4' is not a movie of a known format"))
    #expect(try await refusal("f.mp4", video(("cut.mp4", 0, 1, nil))).hasPrefix("'cut.mp4' is cut short: "))
    #expect(try await refusal("f.mp4", video(("gone.mp4", 0, 1, nil))).hasPrefix("'gone.mp4' does not exist"))
    #expect(
      try await refusal("f.mp4", video(("a.mp4", 0, 1, nil), ("a.mp4", 9, 11, nil)))
        == "'a.mp4' has a picture of 10s, and clip 2 takes it from 9s to 11s: end it earlier")
    #expect(
      try await refusal("f.wav", video(("a.mp4", 0, 1, nil)))
        == "'f.wav' does not have the extension of a movie: use one of .mp4 .mov .mkv")
    #expect(
      try await refusal("a.mp4", video(("a.mp4", 0, 1, nil)))
        == "'a.mp4' is played by 'video': write to another file")
    #expect(
      try await refusal("f.mp4", video(("a.mp4", 0, 1, nil)), .seconds(2)..<(.seconds(3)))
        == "the range begins at 2s, and all that plays has ended at 1s: begin before that")
    let gapped = try video(("a.mp4", 0, 1, nil), ("a.mp4", 0, 1, at: 5))
    #expect(
      try await refusal("f.mp4", gapped, .seconds(2)..<(.seconds(3)))
        == "'f.mp4' would be black: no clip is shown in the range that is exported")
    #expect {
      try ExportFile("f.mov", as: .mov, of: AudioEngine(.offline(sampleRate: 48_000)).attach(.playback()))
    } throws: { "\($0)" == "'f.mov' has no picture, and the preset 'mov' is for movies: give it a video" }
    #expect(try await refusal("none/f.mp4", VideoTrack()) != "nothing")
    #expect(names.filter { $0 != "none" } == before)
  }

  @Test func `cancelling ends ffmpeg and leaves no file`() async throws {
    let large = "-vf scale=1280:720 -c:v libx264 -preset ultrafast -g 50 -c:a alac"
    try movies.make("a.mp4", seconds: 20, large)
    try "precious".write(toFile: "\(folder)/film.mp4", atomically: false, encoding: .utf8)
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let output = try engine.attach(.playback(), name: "desk")
    let export = try ExportSession(engine)
    let clips = try video(("a.mp4", 1, 20, nil))
    try export.add(ExportFile("\(folder)/film.mp4", video: clips, of: output, overwrites: true))
    var reports = 0
    #expect {
      try export.run { progress in
        reports += 1
        if reports > 20 { export.cancel() }
      }
    } throws: { error in
      if case ExportError.cancelled = error { true } else { false }
    }
    #expect(names == ["a.mp4", "film.mp4"])
    #expect(try String(contentsOfFile: "\(folder)/film.mp4", encoding: .utf8) == "precious")
    #expect(try movies.words("pgrep -fc \"$PWD/[.]film[.]mp4[.]swiftlet-\" || true") == "0")
  }
}
