// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

@Suite struct RecoveryTests {
  private let origin = TakeOrigin("vocal: dry", date: Date(timeIntervalSince1970: 1_770_000_000))

  /// Leaves a take as a crash would: copies the files on disk while the writer continues.
  func abandon(
    _ name: String, in folder: Folder, format: String? = nil, _ sound: [Float], gapAt gap: Int? = nil
  ) throws {
    let running = try Folder()
    let take = try TakeFile(
      running[name], format: RecordingFormat(path: name, named: format), sampleRate: 48000, channelCount: 1,
      origin: origin, overwrites: false)
    for start in stride(from: 0, to: sound.count, by: 4800) {
      if start == gap {
        try take.writeGap(4800)
      } else {
        try take.writer.write([Array(sound[start..<start + 4800])])
      }
      // The header is updated in the middle, and is stale at the end.
      if start == 48000 { try take.writer.updateHeader() }
    }
    for file in running.names {
      try FileManager.default.copyItem(atPath: running[file], toPath: folder[file])
    }
    take.discard()
  }

  @Test(arguments: ["a.wav", "a.rf64", "a.w64", "a.aiff", "a.caf"])
  func `a writer that disappears leaves a file readable up to its last second`(_ name: String) throws {
    let folder = try Folder()
    let sound = noise(96_000)
    try abandon(name, in: folder, sound)
    let heard = try AudioFileReader(folder[name]).read(200_000)[0]
    #expect(heard.count >= 48_000)
    #expect(heard[...] == sound[..<heard.count])
  }

  @Test(arguments: [
    ("a.wav", "24-bit"), ("a.wav", "32-float"), ("a.rf64", "24-bit"), ("a.w64", "24-bit"),
    ("a.aiff", "24-bit"),
    ("a.caf", "32-float"), ("a.flac", "24-bit"), ("a.wav", "8-bit"), ("a.w64", "32-bit"),
    ("a.aiff", "64-float"),
    ("a.caf", "alac"), ("a.caf", "alac-16"), ("a.m4a", "alac"),
  ])
  func `recovery completes a take to its last sample`(_ name: String, _ format: String) throws {
    let folder = try Folder()
    let sound = noise(96_000, bits: format.hasPrefix("8") ? 8 : format.hasSuffix("16") ? 16 : 24)
    try abandon(name, in: folder, format: format, sound, gapAt: 9600)
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.failure) == [nil])
    #expect(results.map(\.path) == [folder[name]])
    #expect(results.first?.frameCount == 96_000)
    #expect(results.first?.lostFrames == 4800)
    var expected = sound
    for frame in 9600..<14_400 { expected[frame] = 0 }
    #expect(try AudioFileReader(folder[name]).read(200_000)[0] == expected)
    if name.hasSuffix("wav") { #expect(cuePoints(folder[name]) == [9600]) }
    let hasList = ["a.w64", "a.aiff", "a.caf"].contains(name) && !format.hasPrefix("alac")
    #expect(folder.names == (hasList ? [name, name + ".gaps.txt"] : [name]))
    if isInstalled("ffprobe") {
      let shown = output(
        of: "ffprobe", "-v", "error", "-show_entries", "stream=duration", "-of", "csv=p=0", folder[name])
      #expect(shown?.hasPrefix("2.0") == true)
    }
    #expect(try TakeRecovery.recover(directory: folder.path).isEmpty)
  }

  @Test(arguments: [
    ("a.ogg", nil), ("a.opus", nil), ("a.mp3", nil), ("a.m4a", nil), ("a.caf", "ima4"), ("a.wav", "ima4"),
    ("a.ogg", "opus"),
  ])
  func `recovery encodes a journaled take`(_ name: String, _ format: String?) throws {
    let folder = try Folder()
    try abandon(name, in: folder, format: format, sine(997, rate: 48000, count: 96_000))
    #expect(try TakeRecovery.recover(directory: folder.path).map(\.failure) == [nil])
    #expect(abs(try AudioFileReader(folder[name]).info.frameCount - 96_000) < 4000)
    #expect(folder.names == [name])
  }

  @Test func `recovery gives a take its requested rate and bit depth`() throws {
    let (running, folder) = (try Folder(), try Folder())
    let formats = [
      ("a.wav", try RecordingFormat(path: "a.wav", named: "16-bit", rate: 22_050)),
      ("b.mp3", try RecordingFormat(path: "b.mp3", rate: 44_100, quality: .bitRate(64_000))),
    ]
    for (name, format) in formats {
      let take = try TakeFile(
        running[name], format: format, sampleRate: 48_000, channelCount: 1, origin: origin, overwrites: false)
      try take.writer.write([sine(440, rate: 48_000, count: 480_000)])
      try take.writer.updateHeader()
      for file in running.names {
        try FileManager.default.copyItem(atPath: running[file], toPath: folder[file])
      }
      take.discard()
    }
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.failure) == [nil, nil])
    #expect(results.map(\.duration) == [.seconds(10), .seconds(10)])
    #expect(folder.names == ["a.wav", "b.mp3"])
    let wave = try AudioFileReader(folder["a.wav"])
    #expect(wave.info.sampleRate == 22_050 && abs(wave.info.frameCount - 220_500) <= 2)
    #expect(wave.info.encoding == "Signed 16 bit PCM")
    #expect(ratioOfSine(440, rate: 22_050, in: Array(try wave.read(99_000)[0][44_100..<88_200])) > 60)
    #expect(try AudioFileReader(folder["b.mp3"]).info.sampleRate == 44_100)
    let size = try #require(FileManager.default.attributesOfItem(atPath: folder["b.mp3"])[.size] as? Int)
    #expect(abs(size - 80_000) < 12_000)
  }

  @Test func `a take that is being recorded is not touched`() throws {
    let folder = try Folder()
    let take = try TakeFile(
      folder["a.wav"], format: RecordingFormat(path: "a.wav"), sampleRate: 48000, channelCount: 1,
      origin: origin,
      overwrites: false)
    try take.writer.write([noise(4800)])
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.first?.failure?.contains("is being recorded") == true)
    try take.finish()
    #expect(try AudioFileReader(folder["a.wav"]).info.frameCount == 4800)
  }

  @Test func `recovery overwrites nothing, and touches no other program's files`() throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder, noise(96_000))
    _ = try folder.write("a.flac", Data("mine".utf8))
    _ = try folder.write("b.wav.journal", Data("some other program's".utf8))
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.path) == [folder["a-kept.flac"], folder["b.wav.journal"]])
    #expect(results.map { $0.failure?.contains("is not a readable take journal") } == [nil, true])
    #expect(folder.names == ["a-kept.flac", "a.flac", "b.wav.journal"])
    #expect(FileManager.default.contents(atPath: folder["a.flac"]) == Data("mine".utf8))
    #expect(try AudioFileReader(folder["a-kept.flac"]).info.frameCount == results.first?.frameCount)
    #expect(throws: FileError.self) { try TakeRecovery.recover(directory: folder["none"]) }
    #expect(throws: FileError.self) { try TakeRecovery.recover(directory: folder["a.flac"]) }
  }

  @Test(arguments: ["a.wav", "a.flac"])
  func `a take whose folder is moved is completed there, and reports it`(name: String) throws {
    let folder = try Folder()
    do {
      let take = try TakeFile(
        folder["old/" + name], format: RecordingFormat(path: name), sampleRate: 48000, channelCount: 1,
        origin: origin, overwrites: false)
      try take.writer.write([noise(4800)])
      try FileManager.default.moveItem(atPath: folder["old"], toPath: folder["new"])
      try take.finish()
      #expect(take.loss?.contains("moved") == true && take.path.hasSuffix("/new/" + name))
    }
    #expect(try AudioFileReader(folder["new/" + name]).info.frameCount == 4800)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["new"]) == [name])
    #expect(folder.names == ["new"])
  }

  @Test func `one recovery of a folder runs at a time, and another changes nothing`() throws {
    let folder = try Folder()
    try abandon("a.wav", in: folder, noise(96_000))
    let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: FileError.self) { try TakeRecovery.recover(directory: folder.path) }
    #expect(error?.detail.hasPrefix("is being recovered by another program") == true)
    #expect(folder.names == ["a.wav", "a.wav.journal"])
    close(other)
    for expected: [Int?] in [[96_000], []] {
      #expect(try TakeRecovery.recover(directory: folder.path).map(\.frameCount) == expected)
    }
  }

  /// Returns a path for the kernel, with each `?` replaced by a byte that is not valid UTF-8.
  private func bytes(_ path: String) -> [CChar] {
    path.utf8.map { CChar(bitPattern: $0 == UInt8(ascii: "?") ? 0xFF : $0) } + [0]
  }

  @Test func `takes whose names are not valid UTF-8 are reported until they are renamed`() throws {
    let folder = try Folder()
    for name in ["a.wav", "b.flac", "c.wav", "d.wav"] { try abandon(name, in: folder, noise(96_000)) }
    #expect(mkdir(folder["day"], 0o700) == 0)
    for name in ["c.wav", "c.wav.journal"] {
      #expect(Foundation.rename(folder[name], folder["day/" + name]) == 0)
    }
    let names = [
      ("a.wav", "a?.wav"), ("a.wav.journal", "a?.wav.journal"), ("b.flac.rf64", "b?.flac.rf64"),
      ("b.flac.journal", "b?.flac.journal"), ("day", "da?y"),
    ]
    for (name, wrong) in names { #expect(Foundation.rename(folder[name], bytes(folder[wrong])) == 0) }
    let wrong = ["a%FF.wav", "b%FF.flac", "da%FFy"].map { folder[$0] }
    #expect(TakeRecovery.unfinishedTakes(in: folder.path) == wrong + [folder["d.wav"]])
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.path) == wrong + [folder["d.wav"]])
    #expect(results.map { $0.failure?.contains("not valid UTF-8") } == [true, true, true, nil])
    for (name, wrong) in names { #expect(Foundation.rename(bytes(folder[wrong]), folder[name]) == 0) }
    let recovered = try TakeRecovery.recover(directory: folder.path)
    #expect(recovered.map(\.path) == ["day/c.wav", "a.wav", "b.flac"].map { folder[$0] })
    #expect(recovered.allSatisfy { $0.frameCount == 96_000 && $0.failure == nil }, "\(recovered)")
  }

  // Five gibibytes of silence in a sparse file.
  @Test func `a take over 4 GiB opens at its full length`() throws {
    let folder = try Folder()
    let path = folder["big.wav"]
    let take = try TakeFile(
      path, format: RecordingFormat(path: path, named: "24-bit"), sampleRate: 48000, channelCount: 2,
      origin: origin, overwrites: false)
    try take.writer.write([noise(96_000), noise(96_000)])
    try take.writer.updateHeader()
    let frames = 5 << 30 / 6
    // The crash: the file is longer than its header states, and the header is one for small files.
    let crashed = try Folder()
    for name in folder.names { try FileManager.default.copyItem(atPath: folder[name], toPath: crashed[name]) }
    take.discard()
    let start = try WaveFile(crashed["big.wav"], writable: false).dataOffset
    #expect(truncate(crashed["big.wav"], off_t(start + frames * 6)) == 0)
    let results = try TakeRecovery.recover(directory: crashed.path)
    #expect(results.map(\.frameCount) == [frames])
    let reader = try AudioFileReader(crashed["big.wav"])
    #expect(reader.info.frameCount == frames)
    #expect(try reader.read(96_000)[0] == noise(96_000))
    try reader.seek(to: frames - 10)
    #expect(try reader.read(20)[1].count == 10)
    if isInstalled("ffprobe") {
      let shown = output(
        of: "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0",
        crashed["big.wav"])
      #expect(shown == "\(frames)")
    }
  }

  @Test(arguments: [["RIFF"], ["RIFF", "fact"], ["data"], ["RIFF", "data"]])
  func `a header only partly updated before a power failure costs no sound`(fresh: [String]) throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder, noise(96_000))
    let old = try Data(contentsOf: URL(filePath: folder["a.flac.rf64"]))
    let start = try #require(old.firstRange(of: Data("data".utf8))).upperBound + 4
    var changed = old
    for chunk in fresh {
      let offset = try #require(old.firstRange(of: Data(chunk.utf8))).upperBound + (chunk == "fact" ? 4 : 0)
      let value = chunk == "RIFF" ? old.count - 8 : chunk == "fact" ? 96_000 : old.count - start
      changed.replaceSubrange(offset..<offset + 4, with: withUnsafeBytes(of: UInt32(value)) { Data($0) })
    }
    #expect(changed != old)
    _ = try folder.write("a.flac.rf64", changed)
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.frameCount) == [96_000] && results.map(\.failure) == [nil], "\(results)")
  }
}
