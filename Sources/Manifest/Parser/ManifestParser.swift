// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Manifest {
  /// Parses a manifest's text. It checks the syntax, but not whether names exist.
  ///
  /// - Throws: All errors.
  public init(_ text: ManifestText) throws(ManifestError) {
    let draft = try Draft(text)
    guard !draft.problems.hasErrors else { throw ManifestError(draft.problems.sorted) }
    self = draft.manifest
  }
}

/// A manifest as far as its text can be parsed, with its errors and warnings.
struct Draft {
  var manifest: Manifest
  var problems: Problems
  /// The names of nodes that could not be parsed. References to them are not reported.
  var unclear: Set<String>

  /// Parses text.
  ///
  /// - Throws: The error of a text that is empty or no YAML.
  init(_ text: ManifestText) throws(ManifestError) {
    let document: Document?
    do {
      document = try Document.read(text.text, file: text.file)
    } catch {
      throw ManifestError(error)
    }
    guard let document else {
      throw ManifestError(
        Problem(file: text.file, message: "found an empty manifest; expected 'swiftlet: 1' and some nodes"))
    }
    var parser = ManifestParser(file: text.file)
    manifest = parser.manifest(document)
    problems = parser.reader.problems
    unclear = parser.unclear
  }

  /// Creates a draft of a manifest that was not parsed from text.
  init(_ manifest: Manifest, file: String) {
    self.manifest = manifest
    problems = Problems(file: file)
    unclear = []
  }
}

/// Converts a document to a manifest. It collects errors and continues after each.
struct ManifestParser {
  var reader: ShapeReader
  var unclear: Set<String> = []

  init(file: String) { reader = ShapeReader(problems: Problems(file: file)) }

  mutating func manifest(_ document: Document) -> Manifest {
    var manifest = Manifest()
    let entries = reader.entries(document, as: RootKey.self, of: "a manifest")
    for (key, entry) in entries {
      switch key {
      case .swiftlet: version(entry.value)
      case .name: manifest.name = name(entry.value)
      case .block: manifest.blockLength = reader.whole(entry.value, "frames", in: Manifest.blockLengths)
      case .isolate:
        manifest.isolation =
          reader.choice(entry.value, "whether plugins run in other processes", of: Manifest.Isolation.self)
          ?? .none
      case .session: manifest.session = session(entry.value)
      case .nodes: manifest.nodes = nodes(entry.value)
      // The tracks are appended after the nodes, so the timeline is parsed last.
      case .timeline: break
      case .wires: manifest.wires = wires(entry.value)
      case .taps: manifest.taps = taps(entry.value)
      }
    }
    if let timeline = entries[.timeline] { self.timeline(timeline.value, into: &manifest) }
    return manifest
  }

  private mutating func version(_ document: Document) {
    guard document.text != "\(Manifest.version)" else { return }
    reader.problems.error(
      document.position,
      "found version \(document.found); expected \(Manifest.version), which this program reads")
  }

  private mutating func name(_ document: Document) -> String? {
    guard let name = reader.text(document, "the name of a JACK client")?.text else { return nil }
    guard let problem = ClientName.problem(with: name) else { return name }
    reader.problems.error(document.position, problem)
    return nil
  }

  /// Returns the entries of a mapping whose keys are the user's names, and reports invalid names.
  mutating func named(_ document: Document, _ what: String) -> [Document.Entry] {
    guard !document.isEmpty else { return [] }
    guard let entries = reader.mapping(document, what) else { return [] }
    for entry in entries where !Word.isValid(entry.key) {
      let better = Word.made(from: entry.key).map { "; did you mean '\($0)'?" } ?? ""
      reader.problems.error(
        entry.keyPosition,
        "found '\(Document.short(entry.key))' as a name; expected \(Word.expected)\(better)")
    }
    return entries
  }
}
