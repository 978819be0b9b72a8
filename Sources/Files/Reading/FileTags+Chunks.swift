// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

extension FileTags {
  /// libsndfile's numbers for the tags.
  static let numbers = [
    "title": SF_STR_TITLE, "artist": SF_STR_ARTIST, "album": SF_STR_ALBUM, "track": SF_STR_TRACKNUMBER,
    "date": SF_STR_DATE, "genre": SF_STR_GENRE, "comment": SF_STR_COMMENT, "copyright": SF_STR_COPYRIGHT,
  ]

  /// Reads the tags that libsndfile finds in an open file, including those of the broadcast extension of a WAV file.
  init(_ file: OpaquePointer) {
    let strings = [
      ("title", SF_STR_TITLE), ("artist", SF_STR_ARTIST), ("album", SF_STR_ALBUM),
      ("track", SF_STR_TRACKNUMBER),
      ("date", SF_STR_DATE), ("genre", SF_STR_GENRE), ("comment", SF_STR_COMMENT),
      ("copyright", SF_STR_COPYRIGHT), ("license", SF_STR_LICENSE), ("software", SF_STR_SOFTWARE),
    ]
    for (name, number) in strings {
      if let text = sf_get_string(file, Int32(number)) { add(name, String(cString: text)) }
    }
    var broadcast = SF_BROADCAST_INFO()
    let size = Int32(MemoryLayout<SF_BROADCAST_INFO>.size)
    guard sf_command(file, Int32(SFC_GET_BROADCAST_INFO), &broadcast, size) != 0 else { return }
    add("comment", FileTags.text(of: broadcast.description))
    add("date", FileTags.text(of: broadcast.origination_date))
    add("software", FileTags.text(of: broadcast.originator))
  }

  /// Returns the text of a fixed-size field, which may lack a terminating zero.
  private static func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Reads the tags of a CAF `info` chunk: a count, then names and texts, each terminated by a zero.
  init(caf chunk: Data) {
    let words = chunk.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false).prefix(2000)
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    for index in stride(from: 0, to: texts.count - 1, by: 2) { add(texts[index], texts[index + 1]) }
  }
}
