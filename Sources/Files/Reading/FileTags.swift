// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The tags of a sound file, as text. Each is nil by default. A container stores only the tags for which it has a
/// field.
public struct FileTags: Sendable, Equatable {
  /// The title.
  public var title: String?
  /// The artist or performer.
  public var artist: String?
  /// The album.
  public var album: String?
  /// The track number on the album.
  public var track: String?
  /// The date of creation.
  public var date: String?
  /// The genre.
  public var genre: String?
  /// A comment.
  public var comment: String?
  /// The copyright notice or license.
  public var copyright: String?
  /// The program that wrote the file.
  public var software: String?

  /// Creates an empty set of tags.
  public init() {}

  /// Whether no tag is set.
  package var isEmpty: Bool { self == FileTags() }

  /// All tags that are set, in display order.
  package var all: [(name: String, text: String)] {
    FileTags.names.compactMap { name, keyPath in self[keyPath: keyPath].map { (name, $0) } }
  }

  /// The names of the tags, in files and for display.
  static var names: [(String, WritableKeyPath<FileTags, String?>)] {
    [
      ("title", \.title), ("artist", \.artist), ("album", \.album), ("track", \.track), ("date", \.date),
      ("genre", \.genre), ("comment", \.comment), ("copyright", \.copyright), ("software", \.software),
    ]
  }

  /// The names that other programs use for the tags.
  private static let synonyms = [
    "year": "date", "comments": "comment", "description": "comment", "encoder": "software",
    "encoded_by": "software", "encoding application": "software", "tracknumber": "track",
    "track number": "track", "author": "artist", "license": "copyright",
  ]

  /// The maximum length of a text, in characters.
  private static let longest = 10_000

  /// Sets the tag with a name from a file, if the name is known and the tag is not set yet.
  mutating func add(_ name: String, _ text: String) {
    let lower = name.lowercased(), known = FileTags.synonyms[lower] ?? lower
    guard let keyPath = FileTags.names.first(where: { $0.0 == known })?.1, self[keyPath: keyPath] == nil
    else {
      return
    }
    let words = text.prefix { $0 != "\0" }.prefix(FileTags.longest)
    guard words.contains(where: { !$0.isWhitespace }) else { return }
    self[keyPath: keyPath] = String(words)
  }
}
