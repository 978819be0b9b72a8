// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  /// Parses the lanes. Each key is a lane's target.
  mutating func lanes(_ document: Document) -> [Manifest.Lane] {
    guard !document.isEmpty, let entries = reader.mapping(document, "lanes") else { return [] }
    return entries.compactMap { entry in
      let start = entry.isKeyQuoted ? entry.keyPosition.moved(by: 1) : entry.keyPosition
      let target = target(entry.key, at: start), segments = segments(entry.value)
      guard let target, let segments else { return nil }
      return Manifest.Lane(target, segments, position: start)
    }
  }

  /// Parses a lane's target: `node.parameter`, or a wire and its parameter, `a -> b.volume`.
  private mutating func target(_ key: String, at position: TextPosition) -> Manifest.Lane.Target? {
    let isWire = key.contains("->")
    guard let dot = isWire ? key.lastIndex(of: ".") : key.firstIndex(of: "."), dot > key.startIndex,
      key.index(after: dot) < key.endIndex
    else {
      reader.problems.error(
        position,
        "found '\(Document.short(key))'; expected a parameter of a node or wire, as in echo.feedback or mic -> desk.volume"
      )
      return nil
    }
    let owner = String(key[..<dot]), value = String(key[key.index(after: dot)...])
    guard isWire else { return .node(Manifest.Text(owner, position: position), parameter: value) }
    return oneWire(owner, at: position, example: "mic -> desk.volume").map {
      .wire(from: $0.from, to: $0.to, value: value)
    }
  }

  /// Parses a single wire. A chain of several is an error.
  mutating func oneWire(
    _ text: String, at position: TextPosition, example: String
  ) -> (from: Manifest.End, to: Manifest.End)? {
    let links = links(text, at: position)
    guard let wire = links.first else { return nil }
    guard links.count == 1 else {
      reader.problems.error(position, "found a chain of wires; expected one, as in \(example)")
      return nil
    }
    return (wire.from, wire.to)
  }

  private mutating func segments(_ document: Document) -> [Manifest.LaneSegment]? {
    guard let items = reader.list(document, "segments, each { at: …, value: … }") else {
      return nil
    }
    if items.isEmpty {
      reader.problems.error(document.position, "found an empty lane; expected some { at: …, value: … }")
      return nil
    }
    let segments = items.map { segment($0) }
    return segments.contains { $0 == nil } ? nil : segments.compactMap(\.self)
  }

  private mutating func segment(_ document: Document) -> Manifest.LaneSegment? {
    let before = reader.problems.errorCount
    let entries = reader.entries(document, as: LaneSegmentKey.self, of: "a lane")
    guard let ends = ends(entries[.value], as: { $0.text($1, "a value") }),
      let range = range(
        (entries[.at], entries[.from], entries[.to]), hasStart: ends.from != nil, document.position)
    else { return nil }
    let curve = entries[.curve].flatMap { self.curve($0.value) } ?? Automation.Curve.linear
    guard reader.problems.errorCount == before else { return nil }
    return Manifest.LaneSegment(
      from: ends.from, to: ends.to, in: range, curve: curve, position: document.position)
  }
}
