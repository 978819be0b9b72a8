// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Written tags, read back by Swiftlet and by `ffprobe`.
@Suite struct TagTests {
  private let tags: FileTags
  private let texts = [
    ("title", "A \"song\" of é, 歌"), ("artist", "Somebody"), ("album", "All = one"), ("track", "3"),
    ("year", "2024-05-06"), ("genre", "Folk"), ("comment", "No word of it."), ("copyright", "2024 Somebody"),
  ]

  init() {
    var tags = FileTags()
    for (name, text) in texts { tags.set(name, to: text) }
    self.tags = tags
  }

  /// Returns the tags that `ffprobe` reports, under Swiftlet's names.
  private func probed(_ path: String) throws -> [String: String] {
    struct Answer: Decodable {
      struct Part: Decodable { var tags: [String: String]? }
      var streams: [Part]?
      var format: Part?
    }
    let words = try #require(
      output(
        of: "ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path))
    let answer = try JSONDecoder().decode(Answer.self, from: Data(words.utf8))
    let names = ["author": "artist", "tracknumber": "track", "comments": "comment"]
    return ([answer.format] + (answer.streams ?? [])).reduce(into: [:]) { all, part in
      for (name, text) in part?.tags ?? [:] { all[names[name.lowercased()] ?? name.lowercased()] = text }
    }
  }

  @Test(
    .enabled(if: isInstalled("ffmpeg")),
    arguments: [
      ("a.wav", "16-bit", ""), ("a.wav", "32-float", ""), ("a.wav", "ima4", ""), ("a.rf64", "24-bit", ""),
      ("a.flac", "24-bit", ""), ("a.caf", "24-bit", ""), ("a.caf", "alac", ""), ("a.caf", "alac-16", ""),
      ("a.caf", "ima4", ""), ("a.ogg", "vorbis", ""), ("a.ogg", "opus", ""), ("a.opus", "opus", ""),
      ("a.m4a", "aac", ""), ("a.m4a", "alac", ""), ("a.aiff", "16-bit", "album track date genre"),
      ("a.aiff", "ima4", "album track date genre"), ("a.mp3", "mp3", "copyright"),
      ("a.w64", "16-bit", "title artist album track date genre comment copyright"),
    ])
  func `supported tags are kept, and lost ones are reported`(
    _ name: String, _ encoding: String, _ missing: String
  ) throws {
    let folder = try Folder()
    let format = try RecordingFormat(path: name, named: encoding)
    let writer = try AudioFileWriter(
      folder[name], format: format, sampleRate: 48_000, channelCount: 2, tags: tags)
    let sound = noise(4800)
    try writer.write([sound, sound])
    try writer.close()
    let lost = missing.split(separator: " ").map(String.init)
    let isMP3 = name == "a.mp3"
    #expect(tags.losses(in: format) == (isMP3 ? ["all of the date but the year", "copyright"] : lost))
    var expected = Dictionary(
      uniqueKeysWithValues: tags.all.filter { !lost.contains($0.name) }.map { ($0.name, $0.text) })
    if isMP3 { expected["date"] = "2024" }
    let reader = try AudioFileReader(folder[name])
    let read = Dictionary(uniqueKeysWithValues: reader.info.tags.all.map { ($0.name, $0.text) })
    #expect(read.filter { $0.key != "software" } == expected)
    #expect(try probed(folder[name]).filter { FileTags.writable.contains($0.key) } == expected)
    // The sound is unchanged.
    let heard = try reader.read(10_000)
    #expect(heard[0].count == (encoding == "ima4" && name == "a.aiff" ? 4800 : reader.info.frameCount))
    if encoding.hasSuffix("-bit") { #expect(zip(heard[1], sound).allSatisfy { abs($0 - $1) < 1e-4 }) }
  }

  @Test func `tags have their usual names, and others are refused`() {
    var tags = FileTags()
    func set(_ name: String, _ text: String) -> Bool { tags.set(name, to: text) }
    #expect(set("Year", "1999"))
    #expect(tags.date == "1999")
    #expect(set("date", "2001") && set("author", "A") && set("tracknumber", "2/9"))
    #expect(tags.date == "2001" && tags.artist == "A" && tags.track == "2/9")
    let wrong = [
      ("software", "x"), ("mood", "x"), ("", "x"), ("title", ""), ("title", " \n"), ("title", "\0a"),
    ]
    for (name, text) in wrong { #expect(!set(name, text), "\(name)=\(text)") }
    #expect(tags.all.map(\.name) == ["artist", "track", "date"])
    #expect(
      FileTags.writable == ["title", "artist", "album", "track", "date", "genre", "comment", "copyright"])
    tags.date = "spring"
    #expect(tags.losses(in: RecordingFormat(container: .mp3)) == ["date, which must begin with a year"])
    tags.date = "2001"
    #expect(tags.losses(in: RecordingFormat(container: .mp3)).isEmpty)
    #expect(tags.losses(in: RecordingFormat(container: .m4a), movie: .mov) == ["track"])
    #expect(tags.losses(in: RecordingFormat(container: .m4a), movie: .mp4).isEmpty)
  }

  @Test func `long texts are written in full, and too long ones refused`() throws {
    let folder = try Folder()
    var tags = FileTags()
    for name in FileTags.writable { tags.set(name, to: String(repeating: "é", count: 1000)) }
    tags.date = "2024"
    // libsndfile reads only ASCII in an AIFF's copyright.
    tags.copyright = String(repeating: "c", count: 2000)
    for name in ["a.wav", "a.flac", "a.caf", "a.aiff", "a.opus"] {
      let writer = try AudioFileWriter(
        folder[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1, tags: tags)
      try writer.write([noise(4800)])
      try writer.close()
      let info = try AudioFileReader(folder[name]).info
      let lost = tags.losses(in: RecordingFormat(container: name == "a.aiff" ? .aiff : .wav))
      for (tag, text) in tags.all where !lost.contains(tag) {
        #expect(info.tags.all.first { $0.name == tag }?.text == text, "\(tag) in \(name)")
      }
      #expect(info.frameCount >= 4800, "\(name)")
    }
    tags.comment = String(repeating: "é", count: 1001)
    #expect {
      try AudioFileWriter(
        folder["b.wav"], format: RecordingFormat(path: "b.wav"), sampleRate: 48_000, channelCount: 1,
        tags: tags)
    } throws: { "\($0)".contains("cannot store a comment of 2002 bytes; shorten it to 2000") }
    #expect(!folder.names.contains("b.wav"))
  }
}
