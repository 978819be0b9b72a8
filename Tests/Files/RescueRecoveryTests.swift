// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import Testing

@testable import SwiftletFiles

/// The recovery of takes that a killed program has left.
extension RescueTests {
  @Test func `sound without a journal becomes a separate file, and a bad take stops no other`() throws {
    let folder = try Folder()
    for name in ["a.m4a", "b.flac", "c.wav"] {
      let take = try TakeFile(
        folder[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
        origin: origin,
        overwrites: name == "c.wav")
      try take.writer.write([noise(48_000)])
      try take.writer.updateHeader()
      for file in folder.names where !file.hasSuffix(".left") {
        try FileManager.default.copyItem(atPath: folder[file], toPath: folder[file + ".left"])
      }
      take.discard()
    }
    for file in folder.names { #expect(rename(folder[file], folder[String(file.dropLast(5))]) == 0) }
    #expect(unlink(folder["a.m4a.journal"]) == 0)
    #expect(unlink(folder["c.wav.journal"]) == 0)
    try "{\"channelCount\":1".write(toFile: folder["b.flac.journal"], atomically: false, encoding: .utf8)
    try "[[[[".write(toFile: folder["a.wav.journal"], atomically: false, encoding: .utf8)
    try "mine".write(toFile: folder["d.flac.rf64"], atomically: false, encoding: .utf8)
    symlink("/etc/hostname", folder["e.wav.new"])
    let results = try TakeRecovery.recover(directory: folder.path)
    let sounds = results.filter { $0.failure == nil }
    #expect(sounds.map(\.path) == ["a.rf64", "b.rf64", "c.wav"].map { folder[$0] })
    #expect(sounds.allSatisfy { $0.frameCount == 48_000 }, "\(results)")
    #expect(results.filter { $0.failure != nil }.map(\.path) == [folder["a.wav.journal"]])
    #expect(folder.names == ["a.rf64", "a.wav.journal", "b.rf64", "c.wav", "d.flac.rf64", "e.wav.new"])
  }

  @Test func `a recovery killed after naming the take is completed by the next`() throws {
    let folder = try Folder()
    let take = try TakeFile(
      folder["a.flac"], format: RecordingFormat(path: "a.flac"), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([noise(48_000, bits: 8)])
    try take.writer.updateHeader()
    for file in folder.names {
      try FileManager.default.copyItem(atPath: folder[file], toPath: folder["left-" + file])
    }
    try take.finish()
    for file in folder.names where file.hasPrefix("left-") {
      #expect(rename(folder[file], folder[String(file.dropFirst(5))]) == 0)
    }
    #expect(folder.names == ["a.flac", "a.flac.journal", "a.flac.rf64"])
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.frameCount) == [48_000] && results.map(\.path) == [folder["a.flac"]])
    #expect(folder.names == ["a.flac"])
  }

  @Test func `a planted end of a take cuts off no sound`() throws {
    let folder = try Folder(), sound = noise(50_000)
    let writer = try AudioFileWriter(
      folder["song.wav"], format: RecordingFormat(container: .wav), sampleRate: 48_000, channelCount: 1)
    try writer.write([sound])
    try writer.close()
    let head =
      #"{"version":1,"take":"song.wav","sound":"song.wav","encoding":"32-float","sampleRate":48000,"#
      + #""channelCount":1,"description":"x","date":"2026-11-23T19:00:00Z","overwrites":false}"#
    try (head + "\nend 1\n").write(toFile: folder["song.wav.journal"], atomically: false, encoding: .utf8)
    #expect(try TakeRecovery.recover(directory: folder.path).map(\.frameCount) == [50_000])
    #expect(try AudioFileReader(folder["song.wav"]).read(.max) == [sound])
  }

  /// Leaves a take in a folder as a killed program does.
  private func abandon(_ name: String, in folder: Folder, frames: Int = 48_000) throws {
    let take = try TakeFile(
      folder["run/" + name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
      origin: origin, overwrites: false)
    try take.writer.write([noise(frames, bits: 8)])
    try take.writer.updateHeader()
    try FileManager.default.createDirectory(
      atPath: FilePath.folder(of: folder["left/" + name]), withIntermediateDirectories: true)
    for path in [name, name + ".rf64", name + ".journal"]
    where FileManager.default.fileExists(atPath: folder["run/" + path]) {
      try FileManager.default.copyItem(atPath: folder["run/" + path], toPath: folder["left/" + path])
    }
    take.discard()
  }

  @Test func `a journal line that a full disk cut off is ignored`() throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder)
    let journal = try #require(FileHandle(forWritingAtPath: folder["left/a.flac.journal"]))
    try journal.seekToEnd()
    // The beginning of `end 48000`, without its newline.
    try journal.write(contentsOf: Data("end 48".utf8))
    try journal.close()
    let results = try TakeRecovery.recover(directory: folder["left"])
    #expect(results.map(\.frameCount) == [48_000], "\(results)")
  }

  @Test func `takes in subfolders are recovered, too`() throws {
    let folder = try Folder()
    for name in ["a.wav", "day/b.flac", "day/two/c.wav"] { try abandon(name, in: folder) }
    #expect(TakeRecovery.unfinishedTakes(in: folder["left"]).count == 3)
    let results = try TakeRecovery.recover(directory: folder["left"])
    #expect(results.count == 3 && results.allSatisfy { $0.frameCount == 48_000 }, "\(results)")
    #expect(TakeRecovery.unfinishedTakes(in: folder["left"]) == [])
  }

  @Test func `a journal that had just begun when the program was killed blocks no name`() throws {
    let folder = try Folder()
    for text in ["", "{\"channelCount\":1"] {
      try text.write(toFile: folder["a.wav.journal"], atomically: false, encoding: .utf8)
      #expect(TakeRecovery.unfinishedTakes(in: folder.path) == [])
      #expect(try TakeRecovery.recover(directory: folder.path) == [])
      #expect(folder.names == [])
    }
  }

  @Test func `an older file with a take's name is not mistaken for the take`() throws {
    let folder = try Folder()
    try "last week's".write(toFile: folder["a.wav"], atomically: false, encoding: .utf8)
    utimes(folder["a.wav"], [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 0)])
    let head = TakeJournal.Head(
      take: "a.wav", sound: "a.wav.new", encoding: "32-float", sampleRate: 48_000, channelCount: 1,
      description: "x", date: Date(), overwrites: true)
    do { _ = try TakeJournal(for: folder["a.wav"], in: OpenFolder(folder.path), head) }
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.frameCount) == [0] && folder.names == ["a.wav"], "\(results)")
    #expect(FileManager.default.contents(atPath: folder["a.wav"]) == Data("last week's".utf8))
  }
}
