// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The gaps of a take in words: `lost 480 frames at 2.000000 s, frame 96000`.
///
/// WAV and RF64 mark gaps as cue points. What is encoded when the take ends has these words in its comment.
/// Beside a take of any other kind stands a text file with a line for each gap, named as the take with
/// `.gaps.txt` behind.
enum GapList {
  /// A comment has room for no more, nor has a reader use for them.
  private static let limit = 1000

  /// Where the text file of a take is.
  static func path(of take: String) -> String { take + ".gaps.txt" }

  /// All gaps in one comment; nil where there are none.
  static func comment(on gaps: [TakeReport.Gap], sampleRate: Int) -> String? {
    gaps.isEmpty ? nil : lines(gaps.prefix(limit), sampleRate).joined(separator: "; ")
  }

  /// Writes the text file of a take, or removes one that an earlier take of that name left. A file of that name that is no
  /// such list stays: then the list has a number before its ending.
  ///
  /// - Throws: ``FileError``.
  static func write(_ gaps: [TakeReport.Gap], of take: String, sampleRate: Int) throws(FileError) {
    var path = path(of: take)
    if gaps.isEmpty {
      if isList(path) { unlink(path) }
      return
    }
    for number in 2...99 where UnfinishedTake.isThere(path) && !isList(path) {
      path = "\(take).gaps-\(number).txt"
    }
    let text = lines(gaps[...], sampleRate).map { $0 + "\n" }.joined()
    let sink = try FileSink(path, .whole(overwrites: isList(path)))
    let bytes = Array(text.utf8)
    guard sink.write(bytes, bytes.count) == bytes.count else {
      sink.file.discard()
      throw sink.error ?? FileError(.unwritable, path, "cannot be written")
    }
    do throws(DiskError) {
      try sink.file.publish()
    } catch {
      sink.file.discard()
      throw .making(path, error)
    }
  }

  /// Whether a file is a list of gaps.
  private static func isList(_ path: String) -> Bool {
    guard let head = RegularFile.head(of: path, count: 200) else { return false }
    return String(decoding: head, as: UTF8.self).prefixMatch(
      of: /lost [0-9]+ frames at [0-9.]+ s, frame [0-9]+\n/)
      != nil
  }

  private static func lines(_ gaps: ArraySlice<TakeReport.Gap>, _ sampleRate: Int) -> [String] {
    gaps.map { gap in
      let seconds = String(format: "%.6f", Double(gap.frame) / Double(max(sampleRate, 1)))
      return "lost \(gap.count) frames at \(seconds) s, frame \(gap.frame)"
    }
  }
}
