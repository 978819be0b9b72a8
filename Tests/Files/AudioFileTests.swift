// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

/// Reading and writing sound files buffer by buffer.
@Suite final class AudioFileTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func format(
    _ channels: Int = 2, _ type: AudioFormat.SampleType = .float32, rate: Double = 8000
  ) throws -> AudioFormat {
    try AudioFormat(sampleRate: rate, channelCount: channels, sampleType: type)
  }

  private func buffer(_ count: Int, channels: Int = 2, seed: UInt64 = 1) throws -> AudioBuffer {
    try AudioBuffer((0..<channels).map { noise(count, seed: seed + UInt64($0)) }, sampleRate: 8000)
  }

  private func kind(_ body: () throws -> Void) -> FileError.Kind? {
    do { try body() } catch { return (error as? FileError)?.kind }
    return nil
  }

  @Test func `a file contains the frames of all written buffers`() throws {
    let file = try AudioFile(writing: folder["a.wav"], format: format())
    let first = try buffer(300), last = try AudioBuffer([noise(200), []], sampleRate: 8000)
    for buffer in [first, try buffer(0), last] { try file.write(buffer) }
    #expect(file.length == 500 && file.position == 500 && file.info.frameCount == 500)
    try file.close()
    try file.close()
    var whole = first
    whole.append(last)
    let read = try AudioFile(reading: folder["a.wav"])
    #expect(read.format == whole.format && read.length == 500 && read.position == 0)
    #expect(read.info.encoding == "32 bit float" && read.info.duration == MediaTime(frames: 500, at: 8000))
    #expect(try read.read(1000) == whole && read.position == 500)
    #expect(try read.read(1000).frameCount == 0)
  }

  @Test func `a seek reads from any frame on`() throws {
    let sound = try buffer(1000), file = try AudioFile(writing: folder["a.flac"], format: format())
    try file.write(sound)
    try file.close()
    let read = try AudioFile(reading: folder["a.flac"])
    for (frame, expected) in [(700, 700), (3, 3), (.min, 0), (-1, 0), (.max, 1000), (1000, 1000), (999, 999)]
    {
      try read.seek(to: frame)
      #expect(read.position == expected)
      let part = try read.read(10)
      let end = min(expected + 10, 1000)
      #expect(part.channels == sound.channels.map { Array($0[expected..<end]) })
    }
    try read.seek(to: 0)
    #expect(
      try read.read(-5).frameCount == 0 && read.read(.min).frameCount == 0
        && read.read(.max).frameCount == 1000)
  }

  @Test func `a buffer with another rate or channel count than its file is refused`() throws {
    let file = try AudioFile(writing: folder["a.wav"], format: format())
    for count in [0, 1, 3, 1000] {
      let buffer = AudioBuffer(checked: Array(repeating: [0], count: count), 8000)
      #expect(kind { try file.write(buffer) } == .unsupported)
    }
    #expect(kind { try file.write(AudioBuffer([[1], [1]])) } == .unsupported)
    #expect(file.length == 0)
    // Any sample type is accepted.
    try file.write(buffer(10).converted(to: format(2, .int16)))
    try file.close()
    #expect(try AudioFile(reading: folder["a.wav"]).length == 10)
  }

  @Test func `a file opened for reading cannot be written, and vice versa`() throws {
    let file = try AudioFile(writing: folder["a.wav"], format: format())
    #expect(kind { _ = try file.read(1) } == .unsupported && kind { try file.seek(to: 0) } == .unsupported)
    try file.write(buffer(10))
    try file.close()
    #expect(kind { try file.write(buffer(10)) } == .unsupported && file.length == 10 && file.position == 10)
    let read = try AudioFile(reading: folder["a.wav"])
    #expect(kind { try read.write(buffer(10)) } == .unsupported)
    try read.seek(to: 4)
    try read.close()
    #expect(read.length == 10 && read.position == 4 && read.info.channelCount == 2)
    #expect(kind { _ = try read.read(1) } == .unsupported && kind { try read.seek(to: 0) } == .unsupported)
  }

  @Test func `a file has the format's sample type if its container supports it`() throws {
    let names = [
      "wav int16": "Signed 16 bit PCM", "wav int24": "Signed 24 bit PCM", "wav int32": "Signed 32 bit PCM",
      "wav float64": "64 bit float", "wav float32": "32 bit float", "flac float32": "Signed 24 bit PCM",
      "flac int16": "Signed 16 bit PCM", "flac int32": "Signed 24 bit PCM", "ogg int16": "Vorbis",
    ]
    for (name, encoding) in names {
      let words = name.split(separator: " ").map(String.init), path = folder["x." + words[0]]
      let type = try #require(AudioFormat.SampleType.allCases.first { "\($0)" == words[1] })
      let file = try AudioFile(writing: path, format: format(2, type), overwrites: true)
      try file.write(buffer(100))
      try file.close()
      #expect(try AudioFile(reading: path).info.encoding == encoding, "\(name)")
    }
    let stored = RecordingFormat(container: .wav, encoding: .int8)
    let file = try AudioFile(writing: folder["y.wav"], format: format(), as: stored)
    try file.write(buffer(100))
    try file.close()
    #expect(try AudioFile(reading: folder["y.wav"]).info.encoding == "Unsigned 8 bit PCM")
  }

  @Test func `tags are kept, a file is replaced only on request, and a discarded file is removed`() throws {
    var tags = FileTags()
    tags.title = "Take"
    let path = folder["a.flac"], file = try AudioFile(writing: path, format: format(), tags: tags)
    #expect(file.info.tags == tags)
    try file.write(buffer(100))
    try file.close()
    #expect(try AudioFile(reading: path).info.tags.title == "Take")
    #expect(kind { _ = try AudioFile(writing: path, format: format()) } == .exists)
    let other = try AudioFile(writing: path, format: format(), overwrites: true)
    try other.write(buffer(50))
    other.discard()
    #expect(try AudioFile(reading: path).length == 100 && folder.names == ["a.flac"])
    let dropped = try AudioFile(writing: folder["sub/b.wav"], format: format())
    dropped.discard()
    #expect(folder.names == ["a.flac"] && kind { try dropped.write(buffer(1)) } == .unsupported)
  }

  @Test func `an unsupported file is refused before it is made`() throws {
    #expect(
      kind { _ = try AudioFile(writing: folder["a.wav"], format: format(rate: 8000.5)) } == .unsupported)
    #expect(kind { _ = try AudioFile(writing: folder["a.xyz"], format: format()) } == .badName)
    #expect(kind { _ = try AudioFile(writing: folder["a.flac"], format: format(9)) } == .unsupported)
    #expect(
      kind { _ = try AudioFile(writing: folder["a.wav"], format: AudioBuffer([]).format) } == .unsupported)
    #expect(kind { _ = try AudioFile(reading: folder["none.wav"]) } == .missing)
    #expect(kind { _ = try AudioFile(reading: "") } == .badName)
    #expect(folder.names == [])
  }

  @Test func `a file can be opened by URL`() async throws {
    let url = URL(fileURLWithPath: folder["a b%.wav"])
    let file = try AudioFile(writing: url, format: format())
    try file.write(buffer(8000))
    try file.close()
    #expect(folder.names == ["a b%.wav"])
    #expect(try AudioFile(reading: url).length == 8000)
    let asset = AudioAsset(url, cache: nil)
    #expect(asset.path == folder["a b%.wav"])
    #expect(try await asset.duration == .seconds(1))
    #expect(try AssetReference(url) == AssetReference(folder["a b%.wav"]))
    #expect(try URL(string: "file:///tmp/a%20b.wav")?.filePath == "/tmp/a b.wav")
  }

  @Test(arguments: ["https://example.org/a.wav", "file://elsewhere/a.wav", "a.wav", "data:,x"])
  func `a URL that is not a local file is refused`(text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(kind { _ = try AudioFile(reading: url) } == .badName)
    #expect(kind { _ = try AudioFile(writing: url, format: format()) } == .badName)
    #expect(kind { _ = try AssetReference(url) } == .badName)
    let asset = AudioAsset(url, cache: nil)
    await #expect(throws: FileError.self) { try await asset.info }
    await #expect(throws: FileError.self) { try await asset.waveform(columns: 10) }
  }
}
