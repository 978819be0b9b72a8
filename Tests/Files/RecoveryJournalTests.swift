// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Recoveries with journals that are damaged, or that are no journals.
extension RecoveryTests {
  @Test(
    .timeLimit(.minutes(10)),
    arguments: ["", #"{"channelCount":1,"date":"20"#, #"{"bitRate":64,"channelCount":1"#, "\u{0}\u{0}\u{0}"])
  func `sound with a damaged journal becomes a separate file`(journal: String) throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder, noise(96_000))
    _ = try folder.write("a.flac.journal", Data(journal.utf8))
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.count == 1)
    #expect(results.first?.failure == nil && results.first?.path == folder["a.rf64"])
    #expect(folder.names == ["a.rf64"])
    #expect(try AudioFileReader(folder["a.rf64"]).info.frameCount == results.first?.frameCount)
    #expect(results.first?.frameCount ?? 0 > 40_000)
  }

  // Foundation's decoder traps if its limit of 512 levels is exceeded with the last byte.
  @Test(arguments: [
    String(repeating: "[", count: 513), "{\"take\":" + String(repeating: "[", count: 512),
    String(repeating: "{\"take\":", count: 20_000),
  ])
  func `a journal nested too deeply is damaged, and does not stop other recoveries`(text: String) throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder, noise(96_000))
    try abandon("b.wav", in: folder, noise(96_000))
    _ = try folder.write("a.flac.journal", Data(text.utf8))
    let results = try TakeRecovery.recover(directory: folder.path)
    let sounds = results.filter { $0.failure == nil }
    #expect(sounds.map(\.path) == [folder["a.rf64"], folder["b.wav"]])
    #expect(sounds.map(\.frameCount) == [96_000, 96_000], "\(results)")
    #expect(results.filter { $0.failure != nil }.map(\.path) == [folder["a.flac.journal"]])
  }

  @Test(arguments: [
    #""sampleRate":0"#, #""sampleRate":-9223372036854775808"#, #""sampleRate":9223372036854775807"#,
    #""channelCount":9223372036854775807"#, #""timeReference":-9223372036854775808"#,
    #""date":"0000-00-00T00:00:00Z""#, #""date":"9999999999999999999-01-01T00:00:00Z""#,
    #""date":"999999999-12-31T23:59:59Z""#,
    #""rate":-1"#, #""bitRate":9223372036854775807"#, #""quality":1e308"#,
  ])
  func `a journal with invalid numbers never ends the program`(field: String) throws {
    let folder = try Folder()
    try abandon("a.wav", in: folder, format: "16-bit", noise(96_000, bits: 16))
    try abandon("b.flac", in: folder, noise(96_000))
    for name in ["a.wav", "b.flac"] {
      let journal = folder[name + ".journal"]
      let text = String(decoding: try Data(contentsOf: URL(filePath: journal)), as: UTF8.self)
      let key = try #require(field.split(separator: ":").first)
      let pattern = try Regex(NSRegularExpression.escapedPattern(for: String(key)) + #":("[^"]*"|[^,}]*)"#)
      let changed =
        text.contains(key) ? text.replacing(pattern, with: field) : text.replacing("{", with: "{\(field),")
      #expect(changed != text)
      _ = try folder.write(name + ".journal", Data((changed + "gap 9223372036854775807 -1\nend -5\n").utf8))
    }
    let results = try TakeRecovery.recover(directory: folder.path)
    // An invalid date makes the journal unreadable, and no number in it may shorten the sound.
    let kept = try #require(results.first { [folder["b.flac"], folder["b.rf64"]].contains($0.path) })
    if kept.failure == nil { #expect(kept.frameCount == 96_000, "\(kept)") }
  }

  @Test func `pipes, folders and dangling links named like journals are not touched`() throws {
    let folder = try Folder()
    #expect(mkfifo(folder["a.wav.journal"], 0o600) == 0)
    #expect(mkdir(folder["b.wav.journal"], 0o700) == 0)
    #expect(symlink("nowhere", folder["c.wav.journal"]) == 0)
    #expect(symlink("/dev/zero", folder["d.wav.journal"]) == 0)
    #expect(try TakeRecovery.recover(directory: folder.path).isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `a pipe in place of a journal does not delay recovery`() throws {
    let folder = try Folder()
    try abandon("a.flac", in: folder, noise(96_000))
    #expect(unlink(folder["a.flac.journal"]) == 0 && mkfifo(folder["a.flac.journal"], 0o600) == 0)
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.path) == [folder["a.rf64"]] && results.map(\.failure) == [nil])
    #expect(folder.names == ["a.flac.journal", "a.rf64"])
  }
}
