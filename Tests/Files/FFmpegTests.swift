// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Testing

@testable import SwiftletFiles

/// Reading and writing through the `ffmpeg` program.
@Suite(.enabled(if: isInstalled("ffmpeg"))) struct FFmpegTests {
  @Test(
    arguments: [
      ("a.m4a", ["-c:a", "aac"]), ("a.m4a", ["-c:a", "alac"]), ("a.mov", ["-c:a", "pcm_s16be"]),
      ("a.aac", []),
      ("a.mka", ["-c:a", "flac"]), ("a.wv", []), ("a.wma", []), ("a.tta", []), ("a.caf", ["-c:a", "alac"]),
      ("frag.mp4", ["-c:a", "alac", "-movflags", "+frag_keyframe+empty_moov"]),
    ] as [(String, [String])])
  func `files of other programs are read and sought to the frame`(
    _ name: String, _ arguments: [String]
  ) throws {
    let folder = try Folder()
    let path = folder[name]
    let source = "aevalsrc=0.5*sin(2*PI*441*t)|0.25*sin(440*t):s=44100:d=3"
    let line = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "'\(source)'"] + arguments + ["file:" + path]
    try #require(output(of: "bash", "-c", line.joined(separator: " ")) != nil)
    let reader = try AudioFileReader(path)
    #expect(reader.info.sampleRate == 44_100 && reader.info.channelCount == 2)
    #expect(abs(reader.info.frameCount - 132_300) < 4000)
    let whole = try reader.read(200_000)
    #expect(whole[0].count == reader.info.frameCount)
    #expect(ratioOfSine(441, rate: 44_100, in: Array(whole[0][20_000..<64_100])) > 30)
    for frame in [100_000, 0, 1, 65_537, 101_000, 30_001, reader.info.frameCount - 100] {
      try reader.seek(to: frame)
      let part = try reader.read(100)
      let wrong = zip(part[0], whole[0][frame...]).map { abs($0 - $1) }.max() ?? 1
      #expect(wrong < 2e-3, "at \(frame)")
    }
    try reader.seek(to: reader.info.frameCount)
    #expect(try reader.read(10) == [[], []])
  }

  @Test func `AAC keeps its timing and its exact length`() throws {
    let folder = try Folder()
    for (index, count) in [1, 1023, 1024, 1025, 44_100, 100_003].enumerated() {
      let path = folder["\(index).m4a"]
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path), sampleRate: 44_100, channelCount: 1)
      try writer.write([sine(441, rate: 44_100, count: count)])
      try writer.close()
      let reader = try AudioFileReader(path)
      #expect(reader.info.frameCount == count)
      let heard = try reader.read(count + 10)[0]
      #expect(heard.count == count)
      guard count > 40_000 else { continue }
      let wrong = zip(heard, sine(441, rate: 44_100, count: count)).map { $0 - $1 }
      #expect(rms(Array(wrong[3000..<40_000])) < 0.01)
    }
  }

  @Test func `24-bit Apple Lossless is read bit by bit, even if the file states its bit depth`() throws {
    let folder = try Folder()
    let path = folder["a.caf"]
    // Noise cannot be compressed, and libsndfile reads the second channel of such frames wrong.
    let sound = [noise(20_000, seed: 5), noise(20_000, seed: 6)]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: "alac"), sampleRate: 48_000, channelCount: 2)
    try writer.write(sound)
    try writer.close()
    #expect(try AudioFileReader(path).read(30_000) == sound)
    // As Apple's own programs state it, in the description. Without that libsndfile does not open the file.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[35] = 3
    let stated = try folder.write("told.caf", bytes)
    #expect(try AudioFileReader(stated).read(30_000) == sound)
    let cut = try folder.write("cut.caf", bytes.prefix(bytes.count / 2))
    #expect(throws: FileError.self) { try AudioFileReader(cut).read(30_000) }
  }

  @Test func `unusual file names are passed to ffmpeg correctly`() throws {
    let folder = try Folder()
    for name in ["-y.m4a", "%03d.m4a", "http:x.m4a", "a\nb.m4a", "é '\"$(x).m4a", "concat:a|b.m4a"] {
      let writer = try AudioFileWriter(
        folder[name], format: RecordingFormat(path: folder[name]), sampleRate: 48_000, channelCount: 1)
      try writer.write([sine(440, rate: 48_000, count: 4800)])
      try writer.close()
      #expect(try AudioFileReader(folder[name]).read(9999)[0].count == 4800)
      #expect(folder.names == [name])
      try FileManager.default.removeItem(atPath: folder[name])
    }
    // Also from within the folder, where no path precedes the name.
    let here = FileManager.default.currentDirectoryPath
    let bare = "-i.m4a"
    defer { unlink(bare) }
    let writer = try AudioFileWriter(
      bare, format: RecordingFormat(path: bare), sampleRate: 48_000, channelCount: 1, overwrites: true)
    try writer.write([sine(440, rate: 48_000, count: 4800)])
    try writer.close()
    #expect(FileManager.default.fileExists(atPath: here + "/" + bare))
    #expect(try AudioFileReader(bare).read(9999)[0].count == 4800)
  }

  @Test func `a player streams the file, and seeks in it`() throws {
    let folder = try Folder()
    let path = folder["a.m4a"]
    let sound = sine(441, rate: 44_100, count: 44_100 * 12)
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 44_100, channelCount: 1)
    try writer.write([sound])
    try writer.close()
    let reader = try ConvertingReader(path, sampleRate: 48_000, loops: .forever)
    try reader.seek(to: 48_000 * 11)
    let heard = try reader.read(96_000)[0]
    // Both sides of the seam in its middle. Twelve seconds are whole periods.
    #expect(ratioOfSine(441, rate: 48_000, in: Array(heard[20_000..<44_000])) > 30)
    #expect(ratioOfSine(441, rate: 48_000, in: Array(heard[52_000..<90_000])) > 30)
  }

  @Test func `a damaged or truncated file is detected`() throws {
    let folder = try Folder()
    let path = folder["a.m4a"]
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
    try writer.write([noise(96_000)])
    try writer.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    func failure(_ data: Data) throws -> FileError? {
      let bad = try folder.write("bad.m4a", data)
      do throws(FileError) {
        let reader = try AudioFileReader(bad)
        while let first = try reader.read(65536).first, !first.isEmpty {}
        return nil
      } catch {
        return error
      }
    }
    #expect(try failure(whole.prefix(whole.count * 6 / 10))?.kind == .truncated)
    #expect(try failure(whole.prefix(20))?.kind != nil)
    let noTable = try #require(try failure(whole.prefix(32) + Data(count: 500)))
    #expect(noTable.path == folder["bad.m4a"] && noTable.kind == .notAudio, "\(noTable)")
    #expect(!"\(noTable)".contains("\n"))
  }

  @Test func `no child process remains`() throws {
    let folder = try Folder()
    let path = folder["a.m4a"]
    let before = children()
    do {
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
      try writer.write([noise(480_000)])
      try writer.close()
      let reader = try AudioFileReader(path)
      _ = try reader.read(100)
      #expect(children().subtracting(before).count >= 1, "the control: it runs while it is read")
      let dropped = try AudioFileWriter(
        folder["b.m4a"], format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
      try dropped.write([noise(4800)])
      dropped.discard()
      let forgotten = try AudioFileWriter(
        folder["c.m4a"], format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 1)
      try forgotten.write([noise(4800)])
    }
    // Other tests have their own child processes. A zombie has no command line.
    func left() -> Set<String> {
      children().subtracting(before).filter { child in
        let command = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
        return command.isEmpty || command.contains(folder.path)
      }
    }
    let deadline = ContinuousClock.now + .seconds(20)
    while !left().isEmpty && ContinuousClock.now < deadline { usleep(10_000) }
    #expect(left().isEmpty)
    #expect(!folder.names.contains("b.m4a"))
  }

  @Test func `a file without a stated length is counted once while it is unchanged`() throws {
    let folder = try Folder()
    let path = folder["a.mka"]
    func make(_ seconds: Int) {
      _ = output(
        of: "ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=\(seconds):r=48000", "-c:a",
        "flac", path)
    }
    for seconds in [2, 3] {
      make(seconds)
      #expect(FFmpegDecoder.known(path) == nil)
      // A file changed at this moment may change again without a new time stamp.
      usleep(30_000)
      for _ in 0..<2 { #expect(try AudioFileReader(path).info.frameCount == 48_000 * seconds) }
      #expect(FFmpegDecoder.known(path) == 48_000 * seconds)
    }
  }

  /// Returns the child processes of this process.
  private func children() -> Set<String> {
    let listed = (try? String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)) ?? ""
    var all = Set(listed.split(separator: " ").map(String.init))
    for task in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      let text = (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? ""
      all.formUnion(text.split(separator: " ").map(String.init))
    }
    return all
  }
}
