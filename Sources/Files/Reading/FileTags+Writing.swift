// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension FileTags {
  /// The names of the tags that can be written: all but `software`, which names the writing program.
  package static let writable = names.map(\.0).filter { $0 != "software" }

  /// Sets a tag by its name: one of ``writable``, or a synonym of other programs, such as `year`.
  ///
  /// - Returns: false, without setting anything, if the name is unknown or the text is blank.
  @discardableResult
  package mutating func set(_ name: String, to text: String) -> Bool {
    var named = FileTags()
    named.add(name, text)
    guard let entry = FileTags.names.first(where: { named[keyPath: $0.1] != nil }), entry.0 != "software"
    else {
      return false
    }
    self[keyPath: entry.1] = named[keyPath: entry.1]
    return true
  }

  /// Returns these tags, with missing ones taken from a take's origin and a comment.
  func filled(from origin: TakeOrigin?, _ comment: String?) -> FileTags {
    var filled = self
    filled.title = title ?? origin?.description
    filled.date = date ?? origin.map { TakeOrigin.texts(of: $0.date).date }
    filled.comment = self.comment ?? comment
    return filled
  }

  /// The tags to write, without zero bytes, which end a text in some formats.
  var written: [(name: String, text: String)] {
    all.filter { $0.name != "software" && !$0.text.isEmpty }.map {
      ($0.name, $0.text.replacing("\0", with: ""))
    }
  }

  /// Returns a list, for display, of the tags that a format cannot store: `copyright`, `all of the date but the year`.
  ///
  /// - Parameter movie: the movie container, if the file is a movie; the default is nil.
  package func losses(in format: RecordingFormat, movie: MovieContainer? = nil) -> [String] {
    let held = movie?.tagNames ?? format.container.tagNames
    return written.compactMap { name, text in
      guard held.contains(name) else { return name }
      guard name == "date", movie == nil, format.container == .mp3 else { return nil }
      guard text.prefix(4).count(where: { $0.isASCII && $0.isNumber }) == 4 else {
        return "date, which must begin with a year"
      }
      return text.count > 4 ? "all of the date but the year" : nil
    }
  }

  /// The maximum size of a text in bytes. Many programs, libsndfile among them, read no more than this from a WAV file.
  private static let mostBytes = 2000

  /// Throws if a text is too long for some programs to read.
  func check(_ path: String) throws(FileError) {
    for (name, text) in written where text.utf8.count > FileTags.mostBytes {
      throw FileError(
        .unsupported, path,
        "cannot store a \(name) of \(text.utf8.count) bytes; shorten it to \(FileTags.mostBytes)")
    }
  }
}

extension AudioContainer {
  /// The tags that the container can store.
  fileprivate var tagNames: Set<String> {
    switch self {
    case .wav, .rf64, .flac, .ogg, .opus, .caf, .m4a: Set(FileTags.writable)
    case .mp3: Set(FileTags.writable).subtracting(["copyright"])
    case .aiff: ["title", "artist", "comment", "copyright"]
    case .w64: []
    }
  }
}

extension MovieContainer {
  /// The tags that the container can store, as `ffmpeg` writes it.
  fileprivate var tagNames: Set<String> {
    self == .mov ? Set(FileTags.writable).subtracting(["track"]) : Set(FileTags.writable)
  }
}
