// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// MP3 files without a stated length.
@Suite(.enabled(if: isInstalled("ffmpeg") && isInstalled("ffprobe"))) struct MP3LengthTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Makes some seconds of a tone with ffmpeg, with a leading tag and without a stated length.
  @discardableResult private func make(
    _ name: String, _ seconds: Int, rate: Int = 44_100, _ options: String...
  ) throws -> String {
    let line = "ffmpeg -v error -f lavfi -i sine=441:r=\(rate):d=\(seconds) -ac 2 -metadata title=Tone"
    let kind = options.contains("mp2") ? "mp2" : "mp3"
    let rest = " \(options.joined(separator: " ")) -write_xing 0 -f \(kind) file:\(folder[name])"
    try #require(output(of: "bash", "-c", line + rest) != nil)
    return folder[name]
  }

  /// Returns the number of frames that ffmpeg decodes from a file.
  private func decoded(_ path: String) throws -> Int {
    let line = "ffmpeg -v error -f mp3 -i file:\(path) -f f32le -c:a pcm_f32le pipe:1 | wc -c"
    return try #require(output(of: "bash", "-c", line).flatMap { Int($0) }) / 8
  }

  //   320 kbit/s ──┬── about 30: its first frames suggest less than a fifth of its length
  @Test(arguments: [["loud", "soft"], ["soft", "loud"], ["soft"]])
  func `a file with a variable bit rate is read to its end`(_ parts: [String]) throws {
    try make("loud", 5, "-b:a", "320k")
    try make("soft", 20, "-q:a", "9")
    let path = folder["a.mp3"]
    let all = try parts.map { try Data(contentsOf: URL(filePath: folder[$0])) }.reduce(Data(), +)
    try all.write(to: URL(filePath: path))
    let reader = try AudioFileReader(path), truth = try decoded(path)
    #expect(reader.info.frameCount == truth && reader.info.channelCount == 2, "\(reader.info.frameCount)")
    #expect(truth > 44_100 * (parts.count == 2 ? 25 : 20))
    let last = truth - 44_100
    try reader.seek(to: last)
    let end = try reader.read(100_000)[0]
    #expect(end.count == 44_100 && ratioOfSine(441, rate: 44_100, in: Array(end[..<22_050])) > 20)
  }

  @Test func `a file with a constant bit rate needs no other program`() throws {
    for (rate, bits) in [(44_100, "128k"), (44_100, "320k"), (48_000, "64k"), (22_050, "64k"), (8000, "16k")]
    {
      let path = try make("\(rate)-\(bits)", 10, rate: rate, "-b:a", bits)
      let descriptor = try AudioFileReader.openRegularFile(path)
      let decoder = try SndFileDecoder(path, descriptor, acceptsTruncated: false)
      #expect(decoder.info.frameCount == (try decoded(path)), "\(rate) \(bits)")
    }
  }

  @Test(
    arguments: [
      (44_100, "libmp3lame", "320k"), (44_100, "libmp3lame", "40k"), (22_050, "libmp3lame", "64k"),
      (8000, "libmp3lame", "24k"), (48_000, "mp2", "192k"), (24_000, "mp2", "64k"),
    ])
  func `frame headers give the number of frames`(_ rate: Int, _ codec: String, _ bits: String) throws {
    let path = try make("a", 7, rate: rate, "-c:a", codec, "-b:a", bits)
    let fields = ["-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0"]
    let line = (["ffprobe", "-v", "error", "-f", "mp3"] + fields + ["file:" + path]).joined(separator: " ")
    let packets = try #require(output(of: "bash", "-c", line).flatMap { Int($0) })
    let descriptor = try AudioFileReader.openRegularFile(path)
    defer { close(descriptor) }
    var frames = MPEGFrames(descriptor)
    #expect(frames.count(upTo: .max) == packets * (codec == "mp2" || rate > 24_000 ? 1152 : 576))
    // It counts no further than requested.
    var few = MPEGFrames(descriptor)
    #expect(5000...6151 ~= few.count(upTo: 4999))
  }

  @Test func `data that is no sound has no frames, and ends the count`() throws {
    let path = try make("a", 1, "-b:a", "128k")
    let whole = try Data(contentsOf: URL(filePath: path))
    func count(_ bytes: Data) throws -> Int {
      let descriptor = try AudioFileReader.openRegularFile(folder.write("b", bytes))
      defer { close(descriptor) }
      var frames = MPEGFrames(descriptor)
      return frames.count(upTo: .max)
    }
    let noise = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) & 0x7F })
    let all = try count(whole)
    #expect(all == (try decoded(path)))
    #expect(try count(noise) == 0 && count(Data([0xFF])) == 0)
    #expect(try count(noise[..<1000] + whole + noise) == all)
    // A truncated frame does not count, and a gap between two parts is skipped.
    #expect(try count(whole.dropLast(10)) == all - 1152)
    #expect(try count(whole + noise[..<3000] + whole) == 2 * all)
  }
}
