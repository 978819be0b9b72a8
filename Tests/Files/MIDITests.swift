// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// A Standard MIDI File, byte by byte.
private struct Score {
  var format = 0, division = 480
  var tracks: [[UInt8]]

  var data: Data {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("MThd".utf8) + number(6, 4) + number(format, 2)
    bytes += number(tracks.count, 2) + number(division, 2)
    for track in tracks { bytes += Array("MTrk".utf8) + number(track.count, 4) + track }
    return Data(bytes)
  }
}

private let trackEnd: [UInt8] = [0, 0xFF, 0x2F, 0]

@Suite struct MIDITests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func read(_ data: Data, rate: Int = 48_000) throws -> MIDIFile {
    try MIDIFile(folder.write("song.mid", data), sampleRate: rate)
  }

  private func read(_ score: Score, rate: Int = 48_000) throws -> MIDIFile {
    try read(score.data, rate: rate)
  }

  private func refusal(_ data: Data) -> FileError? {
    do { _ = try read(data) } catch { return error as? FileError }
    return nil
  }

  @Test func `notes fall on their frames, running status works, and other chunks are skipped`() throws {
    // A quarter note is half a second and 480 ticks. 0x83 0x60 is 480.
    var score = Score(tracks: [
      [0, 0xFF, 3, 2, 0x68, 0x69]  // a name
        + [0, 0x90, 60, 100, 0x83, 0x60, 62, 90]  // two notes, one status
        + [0, 0xF0, 3, 0x43, 1, 0xF7, 0, 0xF7, 1, 0xF8]  // system exclusive, and an escape
        + [0, 0xC0, 5, 0x83, 0x60, 0x80, 60, 0, 0, 62, 0]  // a program; both notes end
        + trackEnd + [0, 0x90, 1, 1]  // nothing follows the end
    ]).data
    score.insert(contentsOf: Array("XFIH".utf8) + [0, 0, 0, 2, 1, 2], at: 14)
    let song = try read(score)
    #expect(
      song.messages.map { [$0.frame, Int($0.status), Int($0.first), Int($0.second), $0.count] } == [
        [0, 0x90, 60, 100, 3], [24_000, 0x90, 62, 90, 3], [24_000, 0xC0, 5, 0, 2], [48_000, 0x80, 60, 0, 3],
        [48_000, 0x80, 62, 0, 3], [48_000, 0xB0, 64, 0, 3], [48_000, 0xB0, 123, 0, 3],
      ])
    #expect(song.length == 48_000)
  }

  @Test func `the tempo of any track applies to all, without drift`() throws {
    // 333,333 µs per quarter note, in the last track; a note on each tick, 7 per quarter note.
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x05, 0x16, 0x15] + trackEnd
    let notes = (0..<7000).flatMap { [$0 == 0 ? 0 : 1, 0xA1, UInt8($0 % 128), 1] as [UInt8] }
    for rate in [8000, 44_100, 96_000] {
      let song = try read(
        Score(format: 1, division: 7, tracks: [notes + trackEnd, tempo]), rate: rate)
      let frames = song.messages.prefix(7000).map(\.frame)
      #expect(frames == (0..<7000).map { ($0 * 333_333 * rate * 2 + 7_000_000) / 14_000_000 })
    }
  }

  @Test func `a tempo change applies from its tick`() throws {
    // Half a second, then a quarter note of one second; the file ends another quarter note later.
    let song = try read(
      Score(tracks: [
        [0x83, 0x60, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 0x83, 0x60, 0x90, 60, 1, 0x83, 0x60, 0xFF, 0x2F, 0]
      ]), rate: 1000)
    #expect(song.messages.first?.frame == 1500)
    #expect(song.length == 2500)
    // The note has no note-off, so the end of the file ends it.
    #expect(song.messages.dropFirst().first == .init(frame: 2500, status: 0x80, first: 60, second: 64))
  }

  @Test func `events on one tick keep the order of the tracks`() throws {
    let tracks = (0..<3).map { track in
      [0, 0xB0, UInt8(track), 1, 10, 0xB0, UInt8(track), 2] + trackEnd as [UInt8]
    }
    let song = try read(Score(format: 1, tracks: tracks))
    #expect(
      song.messages.prefix(6).map { [$0.first, $0.second] } == [
        [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2],
      ])
  }

  @Test(arguments: [(24, 24.0), (25, 25.0), (29, 30_000.0 / 1001), (30, 30.0)])
  func `SMPTE time ignores tempo`(code: Int, frames: Double) throws {
    let division = (256 - code) << 8 | 40
    let song = try read(
      Score(
        division: division, tracks: [[0, 0xFF, 0x51, 3, 1, 0, 0, 0xCE, 0x10, 0x90, 60, 1] + trackEnd]))
    // 0xCE 0x10 is 10,000 ticks, or 250 frames of pictures.
    #expect(song.messages.first?.frame == Int((250 / frames * 48_000).rounded()))
  }

  @Test func `an incomplete or invalid MIDI file is refused with a reason`() {
    let good = Score(tracks: [[0, 0x90, 60, 1] + trackEnd]).data
    func changed(_ offset: Int, _ byte: UInt8) -> Data {
      var data = good
      data[offset] = byte
      return data
    }
    #expect(refusal(good) == nil)
    #expect(refusal(Data("RIFF".utf8))?.kind == .notAudio)
    #expect(refusal(Data())?.kind == .empty)
    #expect(refusal(changed(9, 2))?.kind == .unsupported)
    #expect(refusal(changed(11, 2))?.detail == "is cut short: it announces 2 tracks and has 1")
    #expect(refusal(changed(13, 0))?.kind == nil)
    #expect(refusal(Score(division: 0, tracks: [trackEnd]).data)?.kind == .notAudio)
    #expect(refusal(Score(division: 0xE700 | 7, tracks: [trackEnd]).data)?.kind == nil)
    #expect(refusal(Score(division: 0xE700, tracks: [trackEnd]).data)?.kind == .notAudio)
    for bad: [UInt8] in [[0, 60, 1], [0, 0xF8], [0, 0x90, 0x80, 1], [0xFF, 0xFF, 0xFF, 0xFF, 0]] {
      #expect(refusal(Score(tracks: [bad + trackEnd]).data)?.kind == .notAudio, "\(bad)")
    }
    for bad: [UInt8] in [[0, 0x90, 60], [0, 0xF0, 100], [0, 0xFF, 1, 100], [0x81], [0]] {
      #expect(refusal(Score(tracks: [bad]).data)?.kind == .truncated, "\(bad)")
    }
    let slow: [UInt8] = [0, 0xFF, 0x51, 3, 0xFF, 0xFF, 0xFF] + [0xFF, 0xFF, 0xFF, 0x7F, 0x90, 1, 1]
    #expect(refusal(Score(division: 1, tracks: [slow]).data)?.kind == .unsupported)
    #expect(throws: FileError.self) { try MIDIFile(folder.path, sampleRate: 48_000) }
    #expect(throws: FileError.self) { try MIDIFile(folder["none.mid"], sampleRate: 48_000) }
  }

  @Test func `each prefix of a file is refused without a trap`() {
    let good = Score(format: 1, tracks: [[0, 0x90, 60, 1] + trackEnd, [0, 0xC1, 3, 0x81, 0, 7] + trackEnd])
      .data
    for length in 0..<good.count {
      let kind = refusal(good.prefix(length))?.kind
      #expect(kind == .truncated || kind == .notAudio || kind == .empty, "\(length)")
    }
  }

  @Test func `randomly changed bytes never trap, and the messages read are in order`() throws {
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x05, 0x16, 0x15]
    let notes = (0..<40).flatMap { [UInt8($0 % 5), 0x90 | UInt8($0 % 16), UInt8($0), 1] as [UInt8] }
    let good = Score(
      format: 1, tracks: [tempo + trackEnd, notes + [0, 0xF0, 2, 1, 0xF7, 5, 0xFF, 1, 1, 65] + trackEnd]
    ).data
    var random = SystemRandomNumberGenerator()
    var readable = 0
    for _ in 0..<20_000 {
      var data = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let offset = Int.random(in: 0..<data.count, using: &random)
        data[offset] =
          [.random(in: 0...255, using: &random), 0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      }
      if Bool.random(using: &random) { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
      var reader = MIDIFileReader([UInt8](data), "song.mid")
      guard let song = try? MIDIFile(reader.score(), "song.mid", sampleRate: 1_536_000) else { continue }
      readable += 1
      let frames = song.messages.map(\.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 <= $1 }, "\([UInt8](data))")
      #expect(frames.last.map { $0 <= song.length } ?? true, "\([UInt8](data))")
    }
    #expect(readable > 100)
  }
}
