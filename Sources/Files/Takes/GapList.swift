// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

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
  static func comment(on gaps: [TakeGap], sampleRate: Int) -> String? {
    gaps.isEmpty ? nil : lines(gaps.prefix(limit), sampleRate).joined(separator: "; ")
  }

  /// Writes the text file of a take, or takes away one that an earlier take of that name left.
  ///
  /// - Throws: ``FileError``.
  static func write(_ gaps: [TakeGap], of take: String, sampleRate: Int) throws(FileError) {
    let path = path(of: take)
    guard !gaps.isEmpty else {
      unlink(path)
      return
    }
    let text = lines(gaps[...], sampleRate).map { $0 + "\n" }.joined()
    let sink = try FileSink(path: path, overwrites: true)
    let bytes = Array(text.utf8)
    guard sink.write(bytes, bytes.count) == bytes.count else {
      throw sink.error ?? FileError(.unwritable, path, "cannot be written")
    }
  }

  private static func lines(_ gaps: ArraySlice<TakeGap>, _ sampleRate: Int) -> [String] {
    gaps.map { gap in
      let seconds = String(format: "%.6f", Double(gap.frame) / Double(max(sampleRate, 1)))
      return "lost \(gap.count) frames at \(seconds) s, frame \(gap.frame)"
    }
  }
}
