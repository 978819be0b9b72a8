// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Recovery accepts files named like a journal only if they are Swiftlet's.
@Suite struct JournalStateTests {
  private func abandon(_ name: String, in folder: Folder) throws {
    let running = try Folder()
    let take = try TakeFile(
      running[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
      origin: TakeOrigin("x", date: Date(timeIntervalSince1970: 1_770_000_000)), overwrites: false)
    try take.writer.write([noise(48_000, bits: 8)])
    try take.writer.updateHeader()
    for file in running.names {
      try FileManager.default.copyItem(atPath: running[file], toPath: folder[file])
    }
    take.discard()
  }

  @Test(arguments: [
    "{\"diary\": \"precious\"}", "{\"version\":1,\"mine\":2}\n", String(repeating: "[", count: 600), "notes",
    "{\"",
    "{\"channelCount\": \"spaced\"}", String(repeating: "\0", count: 5000) + "precious", "{\"bitRate\":1}",
  ])
  func `a file that is not certainly a journal is kept and reported`(text: String) throws {
    for hasSound in [false, true] {
      let folder = try Folder()
      _ = try folder.write("song.wav.journal", Data(text.utf8))
      if hasSound { _ = try folder.write("song.wav", Data("RIFF, of another program".utf8)) }
      let names = folder.names
      let results = try TakeRecovery.recover(directory: folder.path)
      #expect(results.map(\.path) == [folder["song.wav.journal"]])
      #expect(results.first?.failure?.contains("is not a readable take journal") == true, "\(results)")
      #expect(results.first?.frameCount == nil)
      #expect(folder.names == names)
      #expect(FileManager.default.contents(atPath: folder["song.wav.journal"]) == Data(text.utf8))
      #expect(TakeRecovery.unfinishedTakes(in: folder.path) == [])
    }
  }

  @Test(arguments: ["a.wav", "a.w64", "a.flac", "a.m4a"])
  func `a journal of a later version leaves its take unchanged`(name: String) throws {
    let folder = try Folder()
    try abandon(name, in: folder)
    let path = folder[name + ".journal"]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for later in [
      text.replacing("\"version\":1", with: "\"version\":2"),
      "{\"parts\":[{\"take\":\"\(name)\"}],\"version\":3}\n",
    ] {
      _ = try folder.write(name + ".journal", Data(later.utf8))
      let before = folder.names.map { FileManager.default.contents(atPath: folder[$0]) }, names = folder.names
      let results = try TakeRecovery.recover(directory: folder.path)
      #expect(results.map(\.path) == [path], "\(results)")
      #expect(results.first?.failure?.contains("only version 1 is known") == true, "\(results)")
      #expect(folder.names == names)
      #expect(folder.names.map { FileManager.default.contents(atPath: folder[$0]) } == before)
    }
    // The version that wrote it can recover it.
    _ = try folder.write(name + ".journal", Data(text.utf8))
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.path) == [folder[name]] && results.map(\.failure) == [nil], "\(results)")
    #expect(folder.names == [name])
  }

  @Test func `an unreadable journal leaves its sound recovered and is reported each time`() throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder)
    _ = try folder.write("a.flac.journal", Data("[[[[".utf8))
    for expected: [Int?] in [[nil, 48_000], [nil]] {
      let results = try TakeRecovery.recover(directory: folder.path)
      #expect(Set(results.map(\.frameCount)) == Set(expected), "\(results)")
      #expect(results.count { $0.path == folder["a.flac.journal"] && $0.failure != nil } == 1)
      #expect(folder.names == ["a.flac.journal", "a.rf64"])
    }
  }

  @Test func `every journal begins with the text that recovery expects`() throws {
    for (name, format) in [("a.wav", nil), ("b.flac", nil), ("c.m4a", "aac"), ("d.opus", nil)]
      as [(String, String?)]
    {
      let folder = try Folder()
      for quality: CodingQuality? in [nil, .bitRate(96_000)] {
        guard let kind = try? RecordingFormat(path: name, named: format, rate: nil, quality: quality) else {
          continue
        }
        let take = try TakeFile(
          folder[name], format: kind, sampleRate: 48_000, channelCount: 1,
          origin: TakeOrigin("x", date: Date()),
          overwrites: false)
        let bytes = try #require(FileManager.default.contents(atPath: folder[name + ".journal"]))
        #expect(TakeJournal.begins(with: bytes), "\(String(decoding: bytes, as: UTF8.self))")
        take.discard()
      }
    }
  }
}
