// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Marks gaps in finished WAV and RF64 files: a `cue ` chunk with a label for each gap, after the sound.
///
/// libsndfile writes cue points into the header only, before the gaps are known.
enum CueMarks {
  /// The maximum number of cue points. Headers have no room for more, and readers have no use for them.
  private static let limit = 10_000

  /// Adds a cue point for each gap to a closed file.
  ///
  /// - Throws: ``FileError`` if the file is not WAV or RF64, or cannot be written. The file is then unchanged.
  static func add(_ gaps: [TakeReport.Gap], to path: String) throws(FileError) {
    let marks = gaps.filter { $0.frame <= Int(UInt32.max) }.prefix(limit)
    guard !marks.isEmpty else { return }
    let wave = try WaveFile(path, writable: true)
    try wave.append(chunks(for: Array(marks)))
  }

  private static func chunks(for marks: [TakeReport.Gap]) -> Data {
    var cue = Data()
    cue.add(UInt32(marks.count))
    var labels = Data("adtl".utf8)
    for (index, mark) in marks.enumerated() {
      let number = UInt32(index + 1)
      for field in [number, UInt32(mark.frame)] { cue.add(field) }
      cue.append(contentsOf: "data".utf8)
      for field in [0, 0, UInt32(mark.frame)] { cue.add(field) }
      var label = Data()
      label.add(number)
      label.append(contentsOf: "lost \(mark.count) frames\0".utf8)
      labels.addChunk("labl", label)
    }
    var result = Data()
    result.addChunk("cue ", cue)
    result.addChunk("LIST", labels)
    return result
  }
}

extension Data {
  /// Appends the bytes of a number in little-endian order.
  mutating func add<Number: FixedWidthInteger>(_ value: Number) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a RIFF chunk: name, size, content, and a padding byte if the size is odd.
  mutating func addChunk(_ name: String, _ content: Data) {
    append(contentsOf: name.utf8)
    add(UInt32(truncatingIfNeeded: content.count))
    append(content)
    if content.count % 2 == 1 { append(0) }
  }
}
