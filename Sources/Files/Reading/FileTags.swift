// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The tags of a sound file, as text. Each is nil by default; a container stores those that it has a field for.
public struct FileTags: Sendable, Equatable {
  /// The title.
  public var title: String?
  /// Who is heard.
  public var artist: String?
  /// The album.
  public var album: String?
  /// Its number on the album.
  public var track: String?
  /// When it was made.
  public var date: String?
  /// Which kind of music it is.
  public var genre: String?
  /// A comment.
  public var comment: String?
  /// Who may do what with it.
  public var copyright: String?
  /// The program that wrote it.
  public var software: String?

  /// Nothing.
  public init() {}

  /// Whether nothing is told.
  package var isEmpty: Bool { self == FileTags() }

  /// What is told, in the order in which people read it.
  package var all: [(name: String, text: String)] {
    FileTags.names.compactMap { name, place in self[keyPath: place].map { (name, $0) } }
  }

  /// What each is called, in files and for people.
  static var names: [(String, WritableKeyPath<FileTags, String?>)] {
    [
      ("title", \.title), ("artist", \.artist), ("album", \.album), ("track", \.track), ("date", \.date),
      ("genre", \.genre), ("comment", \.comment), ("copyright", \.copyright), ("software", \.software),
    ]
  }

  /// What other programs call them.
  private static let synonyms = [
    "year": "date", "comments": "comment", "description": "comment", "encoder": "software",
    "encoded_by": "software", "encoding application": "software", "tracknumber": "track",
    "track number": "track", "author": "artist", "license": "copyright",
  ]

  /// The longest text that is believed, in characters.
  private static let longest = 10_000

  /// Takes what a file says under a name, if the name is known and nothing better is there.
  mutating func add(_ name: String, _ text: String) {
    let lower = name.lowercased(), known = FileTags.synonyms[lower] ?? lower
    guard let place = FileTags.names.first(where: { $0.0 == known })?.1, self[keyPath: place] == nil else {
      return
    }
    let words = text.prefix { $0 != "\0" }.prefix(FileTags.longest)
    guard words.contains(where: { !$0.isWhitespace }) else { return }
    self[keyPath: place] = String(words)
  }
}
