// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension FileTags {
  /// The names of those that are written: all but the program, which names itself.
  package static let writable = names.map(\.0).filter { $0 != "software" }

  /// Tells one by its name: one of ``writable``, or what other programs call it, such as `year`.
  ///
  /// - Returns: false, and nothing is told, where the name is not known, or there is no letter in the text.
  @discardableResult
  package mutating func set(_ name: String, to text: String) -> Bool {
    var told = FileTags()
    told.add(name, text)
    guard let place = FileTags.names.first(where: { told[keyPath: $0.1] != nil }), place.0 != "software"
    else {
      return false
    }
    self[keyPath: place.1] = told[keyPath: place.1]
    return true
  }

  /// These, and where they say nothing what a take's origin and a comment tell.
  func filled(from origin: TakeOrigin?, _ comment: String?) -> FileTags {
    var told = self
    told.title = title ?? origin?.description
    told.date = date ?? origin.map { TakeOrigin.texts(of: $0.date).date }
    told.comment = self.comment ?? comment
    return told
  }

  /// What is written, without the zeros at which some formats end a text.
  var written: [(name: String, text: String)] {
    all.filter { $0.name != "software" && !$0.text.isEmpty }.map {
      ($0.name, $0.text.replacing("\0", with: ""))
    }
  }

  /// What of this a kind of file does not hold, for people: `copyright`, `all of the date but the year`.
  ///
  /// - Parameter movie: the kind of movie, where it is one.
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

  /// The most bytes of a text: many programs, libsndfile among them, read no more than this of a WAV file.
  private static let mostBytes = 2000

  /// Refuses texts that not everybody could read again.
  func check(_ path: String) throws(FileError) {
    for (name, text) in written where text.utf8.count > FileTags.mostBytes {
      throw FileError(
        .unsupported, path,
        "cannot tell a \(name) of \(text.utf8.count) bytes: shorten it to \(FileTags.mostBytes)")
    }
  }
}

extension AudioContainer {
  /// The tags that such a file holds.
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
  /// The tags that such a file holds, as `ffmpeg` writes it.
  fileprivate var tagNames: Set<String> {
    self == .mov ? Set(FileTags.writable).subtracting(["track"]) : Set(FileTags.writable)
  }
}
