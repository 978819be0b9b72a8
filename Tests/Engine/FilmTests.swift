// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Exports to movies. `ffmpeg` decodes their pictures and sound, and `ffprobe` counts them.
final class FilmTests {
  let movies: NumberedMovie
  var folder: String { movies.folder }

  init() throws {
    movies = NumberedMovie(
      folder: FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString)
    try FileManager.default.createDirectory(atPath: movies.folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: movies.folder) }

  private func time(_ seconds: Double) throws -> MediaTime { try MediaTime(seconds: seconds) }

  /// Clips of movies, each with its own sound, one after the other or at the given times.
  func video(_ clips: (String, Double, Double, at: Double?)...) throws -> VideoTrack {
    var video = VideoTrack()
    for (name, from, to, at) in clips {
      let movie = AssetReference("\(folder)/\(name)")
      try video.insert(time(from)..<time(to), of: movie, at: at.map { try time($0) })
    }
    return video
  }

  /// An export of pictures with the movies' own sound.
  private func export(
    _ name: String, _ video: VideoTrack, as preset: ExportPreset? = nil
  ) throws -> ExportSession {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let own = try engine.attach(.track(Track("own", segments: video.clips)), name: "own")
    let output = try engine.attach(.playback(), name: "desk")
    try engine.connect(own, output)
    let export = try ExportSession(engine)
    try export.add(ExportFile("\(folder)/\(name)", as: preset, video: video, of: output))
    return export
  }

  /// Returns where a movie's beep begins, in frames at 48 kHz. The beep is a cosine, so its first frame is its loudest.
  private func beep(_ name: String) throws -> Int? {
    let sound = try movies.sound(name)
    func match(_ start: Int) -> Double {
      (0..<4800).reduce(0) { sum, frame in
        let index = start + frame
        return sum
          + (index < sound.count ? Double(sound[index]) * cos(2 * .pi * 1000 * Double(frame) / 48_000) : 0)
      }
    }
    guard let loud = sound.firstIndex(where: { abs($0) > 0.2 }) else { return nil }
    return (max(0, loud - 100)...loud + 100).max { match($0) < match($1) }
  }

  /// Checks that pictures and sound begin at 0 and end together within one picture.
  private func expectWhole(_ name: String, seconds: Double, rate: Double) throws {
    let picture = try movies.words(
      "ffprobe -v error -select_streams V:0 -show_entries packet=pts_time -of csv=p=0 \(name)"
    ).split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }.sorted()
    #expect(try #require(picture.first).magnitude < 0.002, "\(name)")
    #expect(abs(try #require(picture.last) + 1 / rate - seconds) < 1 / rate + 0.002, "\(name)")
    #expect(zip(picture, picture.dropFirst()).allSatisfy { abs($1 - $0 - 1 / rate) < 0.0025 }, "\(name)")
    #expect(try #require(Double(movies.probe(name, "a:0", "start_time"))).magnitude < 1e-9, "\(name)")
    let whole = try movies.words("ffprobe -v error -show_entries format=duration -of csv=p=0 \(name)")
    #expect(abs(try #require(Double(whole)) - seconds) < 1 / rate + 0.002, "\(name)")
    if !name.hasSuffix("mkv") {
      let sound = try #require(Double(movies.probe(name, "a:0", "duration")))
      #expect(abs(sound - seconds) < 1e-4, "\(name)")
    }
  }

  @Test(
    arguments: [
      ("a.mp4", "film.mp4"), ("a.mp4", "film.mov"), ("a.mp4", "film.mkv"), ("a.mkv", "film.mp4"),
      ("a.mkv", "film.mkv"),
    ])
  func `clips cut at keyframes are copied, picture for picture`(source: String, target: String) async throws {
    let sound = source.hasSuffix("mkv") ? "flac" : "alac"
    try movies.make(
      source, beep: "7", "-c:v libx264 -g 50 -keyint_min 50 -sc_threshold 0 -bf 2 -c:a \(sound)")
    let made = try await export(target, video((source, 2, 4, nil), (source, 6, 10, nil))).run()
    #expect(made.map(\.picture) == [.copied])
    #expect(try movies.numbers(target) == (Array(50..<100) + Array(150..<250)).map(NumberedMovie.number))
    try expectWhole(target, seconds: 6, rate: 25)
    #expect(try beep(target) == 3 * 48_000)
    // The codec's own bytes, not only the decoded pictures.
    let same = try movies.words(
      """
      md5() { ffmpeg -v error -i $1 -map 0:V:0 -c copy -bsf:v h264_mp4toannexb -f framemd5 - | grep -v '#' |
        awk '{print $NF}'; }
      md5 \(source) | sed -n '151,250p' > one; md5 \(target) | sed -n '51,150p' > other; cmp one other && wc -l < one
      """)
    #expect(same == "100")
  }

  @Test func `cuts between keyframes, gaps and mixed formats are re-encoded, with a reason`() async throws {
    try movies.make("a.mp4")
    try movies.make("b.mp4", rate: "50", seconds: 4, size: "128x96", beep: "1")
    let clips = try video(("a.mp4", 3.2, 5.2, 1), ("b.mp4", 1, 3, nil))
    let made = try await export("film.mp4", clips).run()
    guard case .encoded("libx264", let reasons)? = made.first?.picture else {
      Issue.record("\(String(describing: made.first?.picture))")
      return
    }
    #expect(reasons.contains("it is black from 0s to 1s"))
    #expect(reasons.contains("clip 1 begins between keyframes at 3.2s, the nearest are 2s and 4s"))
    #expect(
      reasons.contains { $0.hasPrefix("clip 1 ends at 5.2s, where pictures depend on later ones;") },
      "\(reasons)")
    #expect(reasons.contains { $0.hasPrefix("clip 2 is not like clip 1: its ") }, "\(reasons)")
    let expected =
      [Int](repeating: 0, count: 25) + (80..<130).map(NumberedMovie.number)
      + stride(from: 50, to: 150, by: 2).map(NumberedMovie.number)
    let numbers = try movies.numbers("film.mp4")
    #expect(numbers.count == expected.count)
    // Half as many pictures per second: one of the two shown in that time.
    #expect(zip(numbers, expected).allSatisfy { [99, 0, 1].contains(($0 - $1 + 100) % 100) }, "\(numbers)")
    #expect(Array(numbers.prefix(75)) == Array(expected.prefix(75)))
    try expectWhole("film.mp4", seconds: 5, rate: 25)
    #expect(try movies.probe("film.mp4", "V:0", "width,height") == "64,48")
  }

  @Test(arguments: ["film.mp4", "film.mkv"])
  func `30000/1001 pictures per second are copied and re-encoded in sync`(target: String) async throws {
    try movies.make("a.mp4", rate: "30000/1001", seconds: 12, beep: "8.5")
    // Keyframes are 1.668 s apart; a typed time close to one counts as it.
    let copied = try await export(target, video(("a.mp4", 5.005, 12, nil))).run()
    #expect(copied.map(\.picture) == [.copied])
    let last = try movies.numbers("a.mp4").count
    #expect(try movies.numbers(target) == (150..<last).map(NumberedMovie.number))
    try expectWhole(target, seconds: 6.995, rate: 30_000 / 1001)
    #expect(try beep(target) == 167_760)
    let encoded = try await export("new-" + target, video(("a.mp4", 5.5, 12, nil))).run()
    #expect(encoded.first?.picture != .copied)
    #expect(try movies.numbers("new-" + target) == (165..<last).map(NumberedMovie.number))
    try expectWhole("new-" + target, seconds: 6.5, rate: 30_000 / 1001)
    #expect(try beep("new-" + target) == 144_000)
  }

  @Test func `a whole movie is copied with its rotation, and a part of it is turned upright`() async throws {
    try movies.make("a.mp4")
    try movies.shell("ffmpeg -v error -i a.mp4 -c copy -metadata:s:v rotate=90 turned.mp4")
    let whole = try await export("film.mov", video(("turned.mp4", 0, 10, nil))).run()
    #expect(whole.map(\.picture) == [.copied])
    #expect(try movies.numbers("film.mov") == (0..<250).map(NumberedMovie.number))
    let rotation = "ffprobe -v error -select_streams V:0 -show_entries stream_side_data=rotation -of csv=p=0"
    #expect(try movies.words("\(rotation) film.mov") == movies.words("\(rotation) turned.mp4"))
    #expect(try !movies.words("\(rotation) film.mov").isEmpty, "the control")
    let part = try await export("part.mp4", video(("turned.mp4", 2, 10, nil))).run()
    #expect(part.first?.picture?.description.contains("stored turned by ") == true)
    #expect(try movies.probe("part.mp4", "V:0", "width,height") == "48,64")
    #expect(try movies.numbers("part.mp4") == (50..<250).map(NumberedMovie.number))
  }

  @Test func `a rotation that Matroska does not keep is encoded into the pictures`() async throws {
    try movies.make("a.mp4", seconds: 2, beep: "1")
    try movies.shell("ffmpeg -v error -i a.mp4 -c copy -metadata:s:v rotate=90 turned.mp4")
    let made = try await export("film.mkv", video(("turned.mp4", 0, 2, nil))).run()
    #expect(made.first?.picture?.description.contains(", which .mkv does not keep") == true)
    #expect(try movies.probe("film.mkv", "V:0", "width,height") == "48,64")
  }

  // Cut without re-encoding: pictures from the keyframe on are stored, and those before the cut are hidden.
  @Test func `pictures hidden by an edit list stay hidden`() async throws {
    try movies.make("a.mp4", beep: "3")
    try movies.shell("ffmpeg -v error -ss 2.6 -i a.mp4 -c copy cut.mp4")
    let rest = (65..<250).map(NumberedMovie.number)
    #expect(try movies.numbers("cut.mp4") == rest, "the control")
    let end = Double(rest.count) / 25
    for target in ["alone.mp4", "alone.mov", "alone.mkv"] {
      let made = try await export(target, video(("cut.mp4", 0, end, nil))).run()
      #expect((made.first?.picture == .copied) == !target.hasSuffix("mkv"), "\(target)")
      #expect(try movies.numbers(target) == rest, "\(target)")
    }
    let both = try await export("film.mp4", video(("a.mp4", 0, 10, nil), ("cut.mp4", 0, end, nil))).run()
    #expect(both.first?.picture?.description.contains("its edit list hides") == true)
    let numbers = try movies.numbers("film.mp4")
    #expect(numbers == (0..<250).map(NumberedMovie.number) + rest)
  }

  @Test(arguments: ["late.mp4", "late.mkv"])
  func `sound that begins later than its picture keeps its delay`(source: String) async throws {
    try movies.make("a.mp4", beep: "3")
    let sound = source.hasSuffix("mkv") ? "flac" : "alac"
    try movies.shell(
      "ffmpeg -v error -i a.mp4 -itsoffset 0.5 -i a.mp4 -map 0:v -map 1:a -c:v copy -c:a \(sound) \(source)")
    try await export("whole.mp4", video((source, 0, 10, nil))).run()
    #expect(try beep("whole.mp4") == 168_000)
    try await export("part.mkv", video((source, 2, 6, nil))).run()
    #expect(try beep("part.mkv") == 72_000)
    #expect(try movies.numbers("part.mkv") == (50..<150).map(NumberedMovie.number))
  }

  @Test func `a keyframe that earlier pictures refer to is no cut position`() async throws {
    let open = "open-gop=1:keyint=50:min-keyint=25:scenecut=0:bframes=3:b-adapt=0"
    try movies.make("a.mp4", "-c:v libx264 -x264-params \(open) -c:a alac")
    let made = try await export("film.mp4", video(("a.mp4", 2, 4, nil))).run()
    let words = made.first?.picture?.description ?? ""
    #expect(
      words.hasPrefix(
        "picture re-encoded: clip 1 begins at a keyframe that earlier pictures depend on, at 2s, the nearest is 0s"
      ),
      "\(words)")
    #expect(try movies.numbers("film.mp4") == (50..<100).map(NumberedMovie.number))
  }

  @Test func `a clip can play faster, a range can be cut out, and a tail is black`() async throws {
    try movies.make("a.mp4")
    var video = try video(("a.mp4", 0, 8, nil))
    try video.scale(.zero..<(.seconds(8)), to: .seconds(4))
    let session = try export("film.mp4", video)
    session.options.range = .seconds(1)..<(.seconds(4))
    session.options.tail = .seconds(1)
    let made = try await session.run()
    let words = made.first?.picture?.description ?? ""
    #expect(
      words.contains("clip 1 is shown faster than its source") && words.contains("it is black from 3s to 4s"),
      "\(words)")
    let numbers = try movies.numbers("film.mp4")
    #expect(numbers.count == 100 && numbers[75...].allSatisfy { $0 == 0 }, "\(numbers)")
    // One of every two is shown.
    let isRight = zip(numbers, stride(from: 50, to: 200, by: 2)).map {
      [99, 0, 1].contains(($0 - 1 - $1 + 300) % 100)
    }
    #expect(isRight.allSatisfy(\.self) && isRight.count == 75, "\(numbers)")
    try expectWhole("film.mp4", seconds: 4, rate: 25)
  }

  @Test func `codecs that a container does not support are re-encoded`() async throws {
    try movies.make("a.mkv", "-c:v ffv1 -g 1 -c:a flac")
    try movies.make("b.avi", "-c:v mpeg4 -q:v 2 -c:a pcm_s16le")
    let one = try await export("one.mp4", video(("a.mkv", 1, 3, nil))).run()
    #expect(
      one.first?.picture?.description == "picture re-encoded: clip 1 is ffv1, which .mp4 does not hold")
    #expect(try movies.numbers("one.mp4") == (25..<75).map(NumberedMovie.number))
    let two = try await export("two.mkv", video(("a.mkv", 1, 3, nil))).run()
    #expect(two.first?.picture == .copied)
    #expect(try movies.numbers("two.mkv") == (25..<75).map(NumberedMovie.number))
    let alac = try await export("two.mov", video(("a.mkv", 1, 2, nil)), as: .alac).run()
    #expect(alac.first?.picture != .copied)
    #expect(try movies.probe("two.mov", "a:0", "codec_name") == "alac")
    let three = try await export("three", video(("b.avi", 2, 4, nil)), as: .mov).run()
    #expect(three.first?.picture?.description.contains("clip 1 is AVI, ") == true)
    #expect(try movies.numbers("three") == (50..<100).map(NumberedMovie.number))
    #expect(try beep("three") == 48_000)
  }

  @Test(arguments: ["film.mp4", "film.mov", "film.mkv"])
  func `a movie has the requested tags, and none of its source movies`(name: String) async throws {
    try movies.make("a.mp4")
    try movies.shell("ffmpeg -v error -i a.mp4 -c copy -metadata title=Old -metadata composer=Old told.mp4")
    let session = try export(name, video(("told.mp4", 0, 2, nil)))
    session.options.tags.title = "New"
    session.options.tags.track = "3"
    let made = try await session.run()
    #expect(made.map(\.picture) == [.copied] && made.map(\.lostTags) == [name == "film.mov" ? ["track"] : []])
    let tags = try movies.words("ffprobe -v error -show_entries format_tags -of flat \(name)")
    #expect(tags.contains("tags.title=\"New\"") && !tags.contains("Old"), "\(tags)")
    #expect(tags.contains("tags.track=\"3\"") == (name != "film.mov"), "\(tags)")
  }
}
