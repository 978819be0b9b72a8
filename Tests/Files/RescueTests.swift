// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import SwiftletGraph
import Testing

@testable import SwiftletFiles

/// Takes whose files another program removes, renames or replaces during recording.
@Suite struct RescueTests {
  let origin = TakeOrigin("rescue", date: Date(timeIntervalSince1970: 1_770_000_000))

  /// An action of another program during a take.
  enum Interference: CaseIterable {
    case replace, remove, rename, removeFolder, removeJournal, replaceFolder
  }

  private func perform(_ deed: Interference, _ sound: String, in folder: Folder) throws {
    switch deed {
    case .replace:
      try "mine".write(toFile: folder["takes/other"], atomically: false, encoding: .utf8)
      #expect(Foundation.rename(folder["takes/other"], sound) == 0)
    case .remove: #expect(unlink(sound) == 0)
    case .rename: #expect(Foundation.rename(sound, folder["takes/mine"]) == 0)
    case .removeFolder: try FileManager.default.removeItem(atPath: folder["takes"])
    case .replaceFolder:
      try FileManager.default.removeItem(atPath: folder["takes"])
      try "mine".write(toFile: folder["takes"], atomically: false, encoding: .utf8)
    case .removeJournal:
      #expect(
        unlink(
          folder["takes/a.\((sound as NSString).pathComponents.last?.split(separator: ".")[1] ?? "").journal"]
        ) == 0)
    }
  }

  @Test(arguments: Interference.allCases, ["a.wav", "a.flac", "a.caf"])
  func `a take that loses its file during recording keeps every frame`(_ deed: Interference, name: String)
    throws
  {
    let folder = try Folder(), sound = noise(200_000, bits: 8).map { ($0 * 64).rounded() / 128 }
    let take = try TakeFile(
      folder["takes/" + name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([Array(sound[..<90_000])])
    try take.writer.updateHeader()
    try perform(deed, take.writer.currentPath, in: folder)
    try take.keepInPlace()
    try take.writer.write([Array(sound[90_000..<150_000])])
    try take.keepInPlace()
    #expect(take.loss != nil && take.rescue == nil)
    // From here on a crash would cost no more than at any other time.
    let home = FilePath.folder(of: take.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: home)
    #expect(names.contains { $0.hasSuffix(".journal") }, "\(names)")
    try take.writer.write([Array(sound[150_000...])])
    try take.finish()
    #expect(try AudioFileReader(take.path).read(.max) == [sound])
    if deed == .replace {
      let other = name == "a.flac" ? "takes/a.flac.rf64" : "takes/" + name
      #expect(FileManager.default.contents(atPath: folder[other]) == Data("mine".utf8))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home).allSatisfy {
        !$0.hasSuffix(".journal")
      })
  }

  @Test func `a take that loses its file at its end is kept and reported`() throws {
    let folder = try Folder()
    let recorder = TakeRecorder(sampleRate: 48_000), sink = TapSink(channelCount: 1)
    try recorder.start([
      TakeRecorder.Request(
        tap: "a", sink: sink, path: folder["a.wav"], format: RecordingFormat(container: .wav), startFrame: 0,
        origin: origin)
    ])
    let backend = BlockBackend(sink, inputs: 1), sound = noise(48_000)
    for start in stride(from: 0, to: sound.count, by: 1000) {
      backend.run(frame: Int64(start), count: 1000, [Array(sound[start..<start + 1000])])
    }
    try "mine".write(toFile: folder["other"], atomically: false, encoding: .utf8)
    #expect(rename(folder["other"], folder["a.wav"]) == 0)
    let report = try #require(recorder.finish(at: 48_000).first)
    #expect(!report.isClean && report.path == folder["a-kept.wav"])
    // The file at the reported path.
    #expect(
      report.failure
        == "holds the take that was to be '\(folder["a.wav"])': another program removed, renamed or replaced "
        + "its file while it was recorded")
    #expect(try AudioFileReader(report.path).read(.max) == [sound])
    #expect(folder.names == ["a-kept.wav", "a.wav"])
  }

  @Test func `a name taken during the recording of an encoded take costs nothing`() throws {
    let folder = try Folder(), sound = noise(48_000, bits: 8)
    let take = try TakeFile(
      folder["a.flac"], format: RecordingFormat(path: "a.flac"), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([sound])
    try "mine".write(toFile: folder["a.flac"], atomically: false, encoding: .utf8)
    try take.finish()
    #expect(take.path == folder["a-kept.flac"] && take.loss != nil)
    #expect(try AudioFileReader(take.path).info.frameCount == 48_000)
    #expect(folder.names == ["a-kept.flac", "a.flac"])
  }

  @Test func `an encoded file that differs from its source is refused, and the source stays`() throws {
    let folder = try Folder(), format = try RecordingFormat(path: "a.flac")
    func write(_ name: String, _ sound: [Float]) throws {
      let writer = try AudioFileWriter(
        folder[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1)
      try writer.write([sound])
      try writer.close()
    }
    var sound = noise(96_000, bits: 8)
    try write("source.wav", sound)
    try write("good.flac", sound)
    try EncodedTake.verify(folder["good.flac"], take: "a.flac", against: folder["source.wav"], format)
    try write("short.flac", Array(sound[..<95_999]))
    sound[70_000] += 0.25
    try write("wrong.flac", sound)
    for (name, words) in [("short.flac", "95999 frames instead of 96000"), ("wrong.flac", "at frame 70000")] {
      #expect {
        try EncodedTake.verify(folder[name], take: "a.flac", against: folder["source.wav"], format)
      } throws: { "\($0)".contains(words) }
    }
    let cut = folder["good.flac"]
    truncate(cut, 60_000)
    #expect(throws: FileError.self) {
      try EncodedTake.verify(cut, take: "a.flac", against: folder["source.wav"], format)
    }
  }

  @Test(arguments: [("a.wav", "16-bit"), ("a.m4a", "alac"), ("a.flac", "24-bit")])
  func `a take converted to another rate is verified sample by sample`(name: String, format: String) throws {
    let folder = try Folder()
    let take = try TakeFile(
      folder[name], format: RecordingFormat(path: name, named: format, rate: 44_100), sampleRate: 48_000,
      channelCount: 2, origin: origin, overwrites: false)
    try take.writer.write([noise(100_000), noise(100_000, seed: 9).map { $0 * 3 }])
    try take.finish()
    #expect(folder.names == [name])
  }

  @Test func `a take follows no planted links`() throws {
    for (name, gap) in [("a.wav", 0), ("a.flac", 480), ("a.mp3", 0)] {
      for suffix in ["", ".journal", ".rf64", ".new", ".gaps.txt", ".swiftlet-part"] {
        for overwrites in [false, true] {
          let folder = try Folder()
          try "precious".write(toFile: folder["diary"], atomically: false, encoding: .utf8)
          symlink("diary", folder[name + suffix])
          do {
            let take = try TakeFile(
              folder[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
              origin: origin, overwrites: overwrites)
            try take.writer.write([noise(4800)])
            if gap > 0 { try take.writeGap(gap) }
            try take.finish()
          } catch {}
          #expect(
            FileManager.default.contents(atPath: folder["diary"]) == Data("precious".utf8),
            "\(name + suffix), overwrites: \(overwrites)")
        }
      }
    }
  }

  @Test func `a confined take stays inside when its folder becomes a link leading outside`() throws {
    let folder = try Folder(), sound = noise(100_000)
    mkdir(folder["outside"], 0o700)
    let take = try TakeFile(
      folder["takes/day/a.wav"], beneath: folder["takes"], format: RecordingFormat(container: .wav),
      sampleRate: 48_000, channelCount: 1, origin: origin, overwrites: false)
    try take.writer.write([Array(sound[..<50_000])])
    try FileManager.default.removeItem(atPath: folder["takes/day"])
    symlink("../outside", folder["takes/day"])
    try take.keepInPlace()
    try take.writer.write([Array(sound[50_000...])])
    try take.finish()
    #expect(take.loss != nil && FilePath.folder(of: take.path) == folder["takes"], "\(take.path)")
    #expect(try AudioFileReader(take.path).read(.max) == [sound])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["outside"]) == [])
  }

  @Test func `a take shortened by another program reports it`() throws {
    let folder = try Folder()
    let take = try TakeFile(
      folder["a.wav"], format: RecordingFormat(container: .wav), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([noise(50_000)])
    try take.keepInPlace()
    #expect(take.loss == nil)
    #expect(truncate(folder["a.wav"], 0) == 0)
    // Before the engine checks, the next write makes the file long again.
    try take.writer.write([noise(50_000)])
    try take.keepInPlace()
    try take.finish()
    #expect(take.loss?.contains("shortened") == true)
  }

  @Test func `a file named like a list of gaps stays, and the take's list gets another name`() throws {
    let folder = try Folder()
    for gaps in [[], [TakeReport.Gap(frame: 480, count: 96)]] {
      try "notes".write(toFile: folder["a.caf.gaps.txt"], atomically: false, encoding: .utf8)
      try GapList.write(gaps, of: folder["a.caf"], sampleRate: 48_000)
      #expect(FileManager.default.contents(atPath: folder["a.caf.gaps.txt"]) == Data("notes".utf8))
    }
    #expect(folder.names == ["a.caf.gaps-2.txt", "a.caf.gaps.txt"])
    unlink(folder["a.caf.gaps.txt"])
    try GapList.write([TakeReport.Gap(frame: 480, count: 96)], of: folder["a.caf"], sampleRate: 48_000)
    try GapList.write([], of: folder["a.caf"], sampleRate: 48_000)
    #expect(folder.names == ["a.caf.gaps-2.txt"])
  }

  @Test func `a confined take cannot leave its folder through a link`() throws {
    let folder = try Folder()
    mkdir(folder["takes"], 0o700)
    mkdir(folder["elsewhere"], 0o700)
    symlink("../elsewhere", folder["takes/out"])
    #expect {
      _ = try TakeFile(
        folder["takes/out/a.wav"], beneath: folder["takes"], format: RecordingFormat(container: .wav),
        sampleRate: 48_000, channelCount: 1, origin: origin, overwrites: false)
    } throws: { ($0 as? FileError)?.detail.contains("outside") == true }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["elsewhere"]) == [])
    let take = try TakeFile(
      folder["takes/day/a.wav"], beneath: folder["takes"], format: RecordingFormat(container: .wav),
      sampleRate: 48_000, channelCount: 1, origin: origin, overwrites: false)
    try take.writer.write([noise(100)])
    try take.finish()
    #expect(try AudioFileReader(folder["takes/day/a.wav"]).info.frameCount == 100)
  }

  @Test(arguments: ["../\u{301}a.wav", "..\u{2F}\u{200D}a.wav", "in/..\u{2F}\u{FE0F}/a.wav"])
  func `a slash with a combining mark does not lead a confined take out of its folder`(
    _ name: String
  ) throws {
    let folder = try Folder()
    mkdir(folder["takes"], 0o700)
    #expect(throws: FileError.self) {
      _ = try TakeFile(
        folder["takes/"] + name, beneath: folder["takes"], format: RecordingFormat(container: .wav),
        sampleRate: 48_000, channelCount: 1, origin: origin, overwrites: false)
    }
    #expect(folder.names == ["takes"])
  }

  @Test(arguments: ["takes//a.wav", "takes/./a.wav", "./takes/a.flac"])
  func `a path with redundant components is accepted as the take's name`(_ name: String) throws {
    let folder = try Folder()
    let take = try TakeFile(
      folder.path + "/" + name, format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([noise(4800)])
    try take.finish()
    #expect(take.loss == nil && take.path.hasSuffix(name))
    #expect(try AudioFileReader(take.path).info.frameCount == 4800)
  }
}
