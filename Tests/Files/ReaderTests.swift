// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Testing

@Suite struct ReaderTests {
  private func sample(_ folder: Folder, _ name: String, frames: Int = 48000) throws -> Data {
    let path = folder["good-" + name]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48000, channelCount: 2)
    try writer.write([noise(frames, seed: 1), noise(frames, seed: 2)])
    try writer.close()
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Opens a file, reads it to its end, and returns the error.
  private func failure(_ path: String) -> FileError? {
    do throws(FileError) {
      let reader = try AudioFileReader(path)
      while let first = try reader.read(65536).first, !first.isEmpty {}
      return nil
    } catch {
      return error
    }
  }

  @Test func `errors distinguish missing files, folders, bad names and devices`() throws {
    let folder = try Folder()
    #expect(failure(folder["none.wav"])?.kind == .missing)
    #expect(failure(folder.path)?.kind == .directory)
    #expect(failure("")?.kind == .badName)
    #expect(failure("/dev/zero")?.kind == .unsupported)
    #expect(failure(try folder.write("empty.wav", Data()))?.kind == .empty)
    #expect(
      failure(try folder.write("text.wav", Data("not a sound at all, only words\n".utf8)))?.kind == .notAudio)
    #expect(
      failure(try folder.write("page.mp3", Data("<html><body>404</body></html>".utf8)))?.kind == .notAudio)
    #expect(failure(try folder.write("a.vox", Data(repeating: 65, count: 999)))?.kind == .notAudio)
    mkfifo(folder["pipe.wav"], 0o600)
    #expect(failure(folder["pipe.wav"])?.kind == .unsupported)
    let error = try #require(failure(folder["none.wav"]))
    #expect("\(error)" == "'\(folder["none.wav"])' does not exist; check the name and the folder")
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
  func `a file without read permission reports that`() throws {
    let folder = try Folder()
    let path = try folder.write("a.wav", try sample(folder, "a.wav"))
    chmod(path, 0)
    #expect(failure(path)?.kind == .unreadable)
  }

  @Test(arguments: ["a.wav", "a.rf64", "a.w64", "a.aiff", "a.caf", "a.flac", "a.ogg", "a.opus"])
  func `a truncated file is detected`(_ name: String) throws {
    let folder = try Folder()
    let whole = try sample(folder, name)
    #expect(failure(folder["good-" + name]) == nil)
    let cut = failure(try folder.write(name, whole.prefix(whole.count * 6 / 10)))
    #expect(cut?.kind == .truncated, "\(name): \(cut.map { "\($0)" } ?? "reads without a word")")
    #expect(cut?.mayBeUnfinishedTake == true)
    #expect(cut?.detail.contains("swiftlet ") == false)
  }

  @Test func `invalid headers are refused`() throws {
    let folder = try Folder()
    let whole = try sample(folder, "a.wav")
    let format = try #require(whole.range(of: Data("fmt ".utf8))).lowerBound
    func altered(_ offset: Int, _ bytes: [UInt8]) throws -> FileError? {
      var data = whole
      data.replaceSubrange(format + 8 + offset..<format + 8 + offset + bytes.count, with: bytes)
      return failure(try folder.write("bad.wav", data))
    }
    #expect(try altered(2, [0, 0]) != nil, "no channels")
    #expect(try altered(2, [0xFF, 0xFF]) != nil, "65535 channels")
    #expect(try altered(4, [0, 0, 0, 0]) != nil, "a rate of 0")
    #expect(try altered(4, [0xFF, 0xFF, 0xFF, 0x7F])?.kind == .unsupported, "a rate of 2 GHz")
    // These are read or refused, as libsndfile decides.
    _ = try altered(12, [0, 0])
    _ = try altered(14, [0xFF, 0xFF])
  }

  @Test(.enabled(if: isInstalled("ffmpeg"))) func `a stream of unknown length is read in full`() throws {
    let folder = try Folder()
    let path = folder["piped.wav"]
    // ffmpeg cannot seek back in a pipe, and leaves the header's maximum as the length.
    let made = output(
      of: "bash", "-c", "ffmpeg -v error -f lavfi -i sine=440:d=1:r=48000 -f wav - | cat > '\(path)'")
    #expect(made != nil)
    #expect(failure(path) == nil)
    #expect(try AudioFileReader(path).info.frameCount == 48000)
  }
}
