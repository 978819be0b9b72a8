// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import SwiftletFiles
@testable import SwiftletManifest

extension FuzzTarget {
  /// The positions of a movie's pictures, as printed by `ffprobe`.
  static let packets = FuzzTarget(
    name: "packets",
    format: .text(["N/A", ",K__", ",K_D", ",___", ",", "\n", "\r\n", "-1", "9223372036854775807", "1e9"]),
    seeds: {
      [
        "0,-512,K__\n1024,0,___\n512,512,___\n1536,1024,K__\n",
        "51200,50176,K_D\nN/A,50688,___\n52224,N/A,K__\n51712,51712,___,extra\n",
      ].map { Array($0.utf8) }
    },
    feed: { bytes in
      guard let base = FrameRate("1/90000") else { return false }
      let packets = MoviePackets(bytes, base)
      guard let last = packets.last else { return false }
      for time in [last.time, 0, -1, 1e15] {
        let nearest = packets.neighbours(of: time)
        precondition(nearest.count <= 2)
        _ = nearest.map(PicturePlan.text)
        let key = packets.keyframe(at: time, within: 0.01)
        precondition(key == nil || packets.hasKeyframe(at: time, within: 0.01))
        _ = packets.cut(before: time)
      }
      _ = packets.hidesSome
      return true
    },
    plantedFault: { bytes in
      // A time in whole nanoseconds, without a check for its range.
      guard let base = FrameRate("1/90000"), let last = MoviePackets(bytes, base).last else { return }
      precondition(Int(last.time * 1e9) > .min)
    })

  /// Names of files in a folder of takes, and the pattern for the names of takes. The first line is the pattern, the
  /// second the tap, the others are files.
  static let names = FuzzTarget(
    name: "names",
    format: .text([
      "{take}", "{tap}", "{name}", "{date}", "{time}", "{", "}", "-", "/", "..", ".wav", ".journal", ".rf64",
      ".new", "000", "\n",
    ]), longest: 1024,
    seeds: {
      [
        "{tap}-{take}.wav\nvocal\nvocal-001.wav\nvocal-017.wav.journal\nvocal-9.wav",
        "{take}/{name} {date}.flac\nmix\n004",
      ].map { Array($0.utf8) }
    },
    feed: { bytes in
      let lines = nameLines(bytes)
      guard lines.count > 2 else { return false }
      let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-fuzz-\(UUID())").path
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for name in lines.dropFirst(2).prefix(8) where !name.contains("/") {
        _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil)
      }
      _ = try? UnfinishedTake.all(in: folder)
      let namer = TakeNamer(folder: folder, session: lines[1], date: Date(timeIntervalSince1970: 0))
      let request = TakeNamer.NameRequest(tap: lines[1], pattern: lines[0], isConfined: true)
      guard let names = try? namer.names(for: [request]), let path = names.paths.first else { return false }
      precondition(names.take > 0 && !TakeJournal.traces(of: path).contains { access($0, F_OK) == 0 })
      return true
    },
    plantedFault: { bytes in
      // The number after the highest number of a file, without a limit.
      for name in nameLines(bytes).dropFirst(2) {
        let digits = name.drop { !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        if let number = Int(digits) { precondition(number + 1 > 0) }
      }
    })

  private static func nameLines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
  }

  /// Text from files, programs and libraries, escaped for display, and the translation of their reasons.
  static let text = FuzzTarget(
    name: "text",
    format: .text([
      "\u{1B}[2J", "\u{7F}", "\u{202E}", "\u{200D}", "\u{FE0F}", "\u{1F600}", "\u{E000}", "\u{301}",
      "\\u{1B}",
      "\r\n", "invalid data", "no such file", "é",
    ]),
    seeds: {
      ["file \u{1B}[31mred\r\n", "\u{1F469}\u{200D}\u{1F680} moov atom not found", "naïve \u{202E}txt.wav"]
        .map { Array($0.utf8) }
    },
    feed: { bytes in
      let text = String(decoding: bytes, as: UTF8.self), shown = PrintableText.escaped(text)
      // The joiners of emoji are kept.
      precondition(
        shown.unicodeScalars.allSatisfy {
          PrintableText.isVisible($0) || $0.value == 0x200D || $0.value == 0xFE0F
        })
      precondition(!LibraryReason.ffmpeg(text).isEmpty)
      return !shown.isEmpty
    },
    plantedFault: { bytes in
      // A text that is cut to 60 bytes, possibly inside a character.
      let shown = PrintableText.escaped(String(decoding: bytes, as: UTF8.self))
      precondition(String(validating: shown.utf8.prefix(60), as: UTF8.self) != nil)
    })
}
