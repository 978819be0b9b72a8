// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import Testing

@testable import SwiftletFiles

/// Ten thousand files of all formats, truncated or with flipped bits: each is either read or refused.
@Suite struct DamageTests {
  /// The number of files, of every container with every encoding; a child process for each read makes some expensive.
  /// `SWIFTLET_DAMAGE=10` multiplies it by ten.
  private static let times =
    max(1, ProcessInfo.processInfo.environment["SWIFTLET_DAMAGE"].flatMap { Int($0) } ?? 1)
  private static func rounds(_ container: AudioContainer, _ encoding: SampleEncoding) -> Int {
    let isDear = RecordingFormat(container: container, encoding: encoding).needsFFmpeg
    return (isDear ? 40 : 240) * times
  }

  @Test func `at least ten thousand files are tested`() {
    let total = FormatTests.pairs.reduce(0) { $0 + DamageTests.rounds($1.0, $1.1) }
    #expect(total >= 10_000 * DamageTests.times)
  }

  @Test(.timeLimit(.minutes(20)), arguments: FormatTests.pairs)
  func `a damaged file neither traps nor takes long`(
    _ container: AudioContainer, _ encoding: SampleEncoding
  ) throws {
    let folder = try Folder()
    let name = "a.\(container.rawValue)"
    let format = RecordingFormat(container: container, encoding: encoding)
    if format.needsFFmpeg && !isInstalled("ffmpeg") { return }
    let writer = try AudioFileWriter(
      folder["good-" + name], .named, format: format, sampleRate: 48_000, channelCount: 2,
      origin: TakeOrigin("a take", date: Date(timeIntervalSince1970: 1_770_000_000)))
    try writer.write([sine(440, rate: 48_000, count: 1000), noise(1000, bits: 8)])
    try writer.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder["good-" + name]))
    var state = UInt64(container.rawValue.utf8.reduce(7) { $0 * 31 + Int($1) }) &* 88_172_645_463_325_252 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var heard = 0
    for round in 0..<DamageTests.rounds(container, encoding) {
      var data = whole
      if round % 4 == 0 {
        data = data.prefix(random(data.count))
      }
      if round % 4 != 0 || round % 8 == 0, !data.isEmpty {
        // Most bytes are sound. Those at both ends describe the file, and get more rounds.
        let head = min(data.count, 600), isHead = round % 2 == 0
        for _ in 0...round % 6 {
          let offset =
            isHead ? random(head) : round % 6 == 5 ? data.count - 1 - random(head) : random(data.count)
          if round % 3 == 0 {
            data[offset] = UInt8(random(256))
          } else {
            data[offset] ^= 1 << UInt8(random(8))
          }
        }
      }
      // An Ogg page with a wrong check sum is skipped, so every other page gets a correct one, and its damage reaches
      // the codec.
      if round % 2 == 1 { data = DamageTests.summed(data) }
      let bad = try folder.write("bad-" + name, data)
      guard let reader = try? AudioFileReader(bad) else { continue }
      // Its header may claim more sound than before, so the reading is limited.
      try? reader.seek(to: min(reader.info.frameCount / 2, 1 << 20))
      _ = try? reader.read(500)
      try? reader.seek(to: 0)
      if let sound = try? reader.read(2000), !sound.isEmpty, !sound[0].isEmpty { heard += 1 }
    }
    #expect(heard > 0, "the control: some can be heard")
  }

  /// Returns the data with correct check sums of its Ogg pages, if it has any.
  private static func summed(_ data: Data) -> Data {
    var bytes = [UInt8](data), offset = 0
    while offset + 27 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("OggS".utf8) {
      let segments = Int(bytes[offset + 26])
      guard offset + 27 + segments <= bytes.count else { break }
      let body = bytes[(offset + 27)..<(offset + 27 + segments)].reduce(0) { $0 + Int($1) }
      let end = min(offset + 27 + segments + body, bytes.count)
      for index in 22..<26 { bytes[offset + index] = 0 }
      var sum: UInt32 = 0
      for byte in bytes[offset..<end] {
        sum ^= UInt32(byte) << 24
        for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
      }
      for index in 0..<4 { bytes[offset + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
      offset = end
    }
    return Data(bytes)
  }

  @Test(arguments: FormatTests.pairs)
  func `a file without frames is valid and has no duration, or is reported as empty`(
    _ container: AudioContainer, _ encoding: SampleEncoding
  ) throws {
    let folder = try Folder()
    let path = folder["a.\(container.rawValue)"]
    let format = RecordingFormat(container: container, encoding: encoding)
    if format.needsFFmpeg && !isInstalled("ffmpeg") { return }
    let writer = try AudioFileWriter(path, format: format, sampleRate: 48_000, channelCount: 2)
    try writer.close()
    // Their encoders write nothing before the first frame, or nothing that identifies the file.
    guard ![.flac, .mp3, .m4a, .opus].contains(container), encoding != .opus else {
      let error = #expect(throws: FileError.self) { _ = try AudioFileReader(path) }
      #expect(error?.kind == .empty, "\(error.map { "\($0)" } ?? "")")
      return
    }
    let reader = try AudioFileReader(path)
    #expect(reader.info.frameCount == 0 && reader.info.channelCount == 2)
    #expect(try reader.read(100) == [[], []])
    let looped = try ConvertingReader(path, sampleRate: 44_100, loops: .forever)
    #expect(try looped.length == 0 && looped.read(100) == [[], []])
  }
}
