// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Sound files of other programs, with a planted journal beside them.
@Suite struct PlantedJournalTests {
  /// Returns a 16-bit WAV file that does not name Swiftlet. A file with a stale header has a chunk after the sound.
  private func wave(frames: Int, isStale: Bool) -> Data {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var body = Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2) + number(1, 2)
    body += number(48_000, 4) + number(96_000, 4) + number(2, 2) + number(16, 2)
    body += Array("data".utf8) + number(frames * 2, 4) + [UInt8](repeating: 7, count: frames * 2)
    if isStale { body += Array("LIST".utf8) + number(4, 4) + Array("INFO".utf8) }
    return Data(Array("RIFF".utf8) + number(isStale ? 0 : body.count, 4) + body)
  }

  @Test(arguments: ["song.wav", "song.wav.new", "song.wav.rf64"], [0, 3])
  func `a planted journal changes and removes no file of another program`(sound: String, frames: Int) throws {
    for isStale in [false, true] {
      let folder = try Folder(), bytes = wave(frames: frames, isStale: isStale)
      _ = try folder.write(sound, bytes)
      let head =
        #"{"version":1,"take":"song.wav","sound":"\#(sound)","encoding":"16-bit","sampleRate":48000,"#
        + #""channelCount":1,"description":"x","date":"2026-11-23T19:00:00Z","overwrites":false}"#
      _ = try folder.write("song.wav.journal", Data((head + "\nend 1\n").utf8))
      let results = try TakeRecovery.recover(directory: folder.path)
      // A file without sound may be a take that was killed as it began: it stays, and its journal is removed.
      let hasNoSound = frames == 0 && !isStale
      #expect(results.map(\.frameCount) == [hasNoSound ? 0 : nil], "\(results)")
      #expect(results.map { $0.failure?.contains("does not name Swiftlet") } == [hasNoSound ? nil : true])
      #expect(FileManager.default.contents(atPath: folder[sound]) == bytes)
      #expect(folder.names == (hasNoSound ? [sound] : ["song.wav.journal", sound].sorted()))
    }
  }

  @Test(arguments: ["", "{\"channelCount\":1,\"date\":"])
  func `a damaged journal changes no file of another program`(journal: String) throws {
    let folder = try Folder(), bytes = wave(frames: 3, isStale: true)
    _ = try folder.write("song.wav", bytes)
    _ = try folder.write("song.wav.journal", Data(journal.utf8))
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.path) == [folder["song.wav.journal"]])
    #expect(results.first?.failure?.hasPrefix("is damaged") == true)
    #expect(FileManager.default.contents(atPath: folder["song.wav"]) == bytes)
    #expect(folder.names == ["song.wav", "song.wav.journal"])
  }

  @Test(arguments: ["a.wav", "a.rf64", "a.w64", "a.aiff", "a.caf", "a.flac"])
  func `a take that was killed before its first sound is not a failure`(name: String) throws {
    let (running, folder) = (try Folder(), try Folder())
    let take = try TakeFile(
      running[name], format: RecordingFormat(path: name), sampleRate: 48_000, channelCount: 1,
      origin: TakeOrigin("x", date: Date(timeIntervalSince1970: 1_770_000_000)), overwrites: false)
    for file in running.names {
      try FileManager.default.copyItem(atPath: running[file], toPath: folder[file])
    }
    take.discard()
    let results = try TakeRecovery.recover(directory: folder.path)
    #expect(results.map(\.frameCount) == [0] && results.map(\.failure) == [nil], "\(results)")
    #expect(TakeRecovery.unfinishedTakes(in: folder.path) == [])
    #expect(!folder.names.contains(name + ".journal"))
  }
}
