// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CYaml
internal import SwiftletGraph
internal import Yams

extension Document {
  /// The maximum number of nodes in a manifest. Aliases count each time they are used.
  static let nodeLimit = 100_000
  /// The maximum nesting depth of a manifest.
  static let depthLimit = 64

  /// Sets libyaml's nesting limit a few levels above Swiftlet's, instead of 1000. Yams hashes keys recursively, so a
  /// megabyte under a thousand nested mapping keys would take hours.
  private static let limitNesting: Void = yaml_set_max_nest_level(CInt(depthLimit + 8))

  /// Parses YAML text.
  ///
  /// - Returns: The tree; nil if the text has only blanks and comments.
  /// - Throws: The first YAML error, duplicate key or exceeded limit. There is only one, because the text after it
  ///   cannot be parsed reliably.
  static func read(_ text: String, file: String) throws(Problem) -> Document? {
    guard let marker = AliasMarker(for: text) else {
      throw Problem(file: file, message: "found every private-use character; expected the text of a manifest")
    }
    _ = limitNesting
    do {
      // The basic resolver has no rules, so no scalar becomes a number, and no regular expression runs.
      let parser = try Parser(yaml: marker.substituted(text), resolver: .basic, encoding: .utf8)
      guard let root = try parser.singleRoot() else { return nil }
      // The tree holds its anchors weakly; the parser holds them strongly.
      return try withExtendedLifetime(parser) {
        var reader = DocumentReader(file: file, marker: marker)
        let document = try reader.document(root, depth: 0)
        return document.isEmpty ? nil : document
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw YamlProblem.problem(for: error, text: text, file: file)
    }
  }

  /// The number of levels below this one.
  fileprivate var depth: Int {
    switch content {
    case .scalar: 0
    case .sequence(let items): 1 + (items.map(\.depth).max() ?? 0)
    case .mapping(let entries): 1 + (entries.map(\.value.depth).max() ?? 0)
    }
  }
}

/// Hides aliases from Yams, and restores them in its tree.
///
/// Yams compares keys recursively, so an alias bomb as a key would take exponential time. With each `*` replaced by a
/// private-use character, aliases become plain scalars, positions stay the same, and ``DocumentReader`` expands them
/// with limits.
private struct AliasMarker {
  let character: Unicode.Scalar

  /// Chooses a private-use character that the text does not contain; nil if there is none.
  init?(for text: String) {
    let used = Set(text.unicodeScalars.filter { $0.value >= 0xE000 && $0.value <= 0xF8FF }.map(\.value))
    guard let free = (UInt32(0xE000)...0xF8FF).first(where: { !used.contains($0) }),
      let character = Unicode.Scalar(free)
    else { return nil }
    self.character = character
  }

  func substituted(_ text: String) -> String { swap("*", for: character, in: text) }
  func restored(_ text: String) -> String { swap(character, for: "*", in: text) }

  private func swap(_ old: Unicode.Scalar, for new: Unicode.Scalar, in text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(scalar == old ? new : scalar) }
    return String(result)
  }

  /// Returns the anchor of an alias; nil for other scalars.
  func alias(_ scalar: Node.Scalar) -> String? {
    guard scalar.style == .plain, scalar.string.unicodeScalars.first == character else { return nil }
    return String(scalar.string.unicodeScalars.dropFirst())
  }
}

/// Converts Yams' tree to a ``Document`` with Swiftlet's limits.
private struct DocumentReader {
  let file: String
  let marker: AliasMarker
  var count = 0
  var anchors: [String: (document: Document, count: Int, depth: Int)] = [:]

  init(file: String, marker: AliasMarker) {
    self.file = file
    self.marker = marker
  }

  mutating func document(_ node: Node, depth: Int) throws(Problem) -> Document {
    let position = node.mark.map { TextPosition(line: $0.line, column: $0.column) } ?? .start
    if depth > Document.depthLimit {
      throw problem(position, YamlProblem.tooDeep)
    }
    let countBefore = count
    try add(1, at: position)
    let document: Document
    switch node {
    case .scalar(let scalar):
      if let name = marker.alias(scalar) { return try referred(name, from: position, depth: depth) }
      document = Document(
        content: .scalar(marker.restored(scalar.string)), position: position, isQuoted: scalar.style != .plain
      )
    case .sequence(let sequence):
      var items: [Document] = []
      for item in sequence { items.append(try self.document(item, depth: depth + 1)) }
      document = Document(content: .sequence(items), position: position)
    case .mapping(let mapping):
      document = Document(content: .mapping(try entries(mapping, depth: depth + 1)), position: position)
    case .alias:
      throw problem(position, "found an alias that leads nowhere; expected the name of an anchor (&name)")
    }
    if let anchor = node.anchor {
      anchors[anchor.rawValue] = (document, count - countBefore, document.depth)
    }
    return document
  }

  private mutating func entries(_ mapping: Node.Mapping, depth: Int) throws(Problem) -> [Document.Entry] {
    var entries: [Document.Entry] = []
    var seen: Set<String> = []
    for (key, value) in mapping {
      let key = try document(key, depth: depth)
      guard let text = key.text else {
        throw problem(key.position, "found \(key.found) as a key; expected a word")
      }
      guard seen.insert(text).inserted else {
        throw problem(key.position, "found the key '\(Document.short(text))' twice; expected each key once")
      }
      entries.append(
        Document.Entry(
          key: text, keyPosition: key.position, isKeyQuoted: key.isQuoted,
          value: try document(value, depth: depth))
      )
    }
    return entries
  }

  private mutating func referred(_ name: String, from position: TextPosition, depth: Int) throws(Problem)
    -> Document
  {
    guard let anchor = anchors[name] else {
      throw problem(
        position,
        "found the alias '*\(Document.short(marker.restored(name)))', which no anchor before it defines"
          + NearestName.hint(for: name, among: anchors.keys.sorted()))
    }
    try add(anchor.count - 1, at: position)
    guard depth + anchor.depth <= Document.depthLimit else { throw problem(position, YamlProblem.tooDeep) }
    return anchor.document
  }

  private mutating func add(_ nodes: Int, at position: TextPosition) throws(Problem) {
    count += nodes
    if count > Document.nodeLimit {
      throw problem(
        position,
        "found more than \(Document.nodeLimit) nodes, aliases included; expected a manifest of fewer")
    }
  }

  private func problem(_ position: TextPosition, _ message: String) -> Problem {
    Problem(file: file, position: position, message: message)
  }
}
