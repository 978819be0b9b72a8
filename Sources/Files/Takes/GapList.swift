// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Lists the gaps of a take as text: `lost 480 frames at 2.000000 s, frame 96000`.
///
/// WAV and RF64 files mark gaps as cue points. Files that are encoded when the take ends have this text in their
/// comment. Takes of any other kind get a text file with one line for each gap, named after the take with the suffix
/// `.gaps.txt`.
enum GapList {
  /// The maximum number of gaps in a comment.
  private static let limit = 1000

  /// Returns the path of a take's text file.
  static func path(of take: String) -> String { take + ".gaps.txt" }

  /// Returns all gaps as one comment, or nil if there are none.
  static func comment(on gaps: [TakeReport.Gap], sampleRate: Int) -> String? {
    gaps.isEmpty ? nil : lines(gaps.prefix(limit), sampleRate).joined(separator: "; ")
  }

  /// Writes the text file of a take. If there are no gaps, removes the list that an earlier take of that name left. A
  /// file of that name that is not a gap list is kept; the new list's name then gets a number: `.gaps-2.txt`.
  ///
  /// - Throws: ``FileError`` if the list cannot be written.
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

  /// Whether a file is a gap list.
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
