// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Swiftlet

extension ManifestParser {
  mutating func connection(_ document: Document) -> Manifest.Connection? {
    if case .mapping = document.content { return choice(document) }
    return rule(document)
  }

  /// Parses `{ first-of: [ … ] }`.
  private mutating func choice(_ document: Document) -> Manifest.Connection? {
    let before = reader.problems.errorCount
    let entries = reader.entries(document, as: ConnectKey.self, of: "'connect'")
    guard let entry = entries[.firstOf] else {
      if reader.problems.errorCount == before {
        reader.problems.error(
          document.position, "found no '\(ConnectKey.firstOf.rawValue)'; expected it in 'connect'")
      }
      return nil
    }
    guard let items = reader.list(entry.value, "connections, the best one first") else { return nil }
    guard !items.isEmpty else {
      reader.problems.error(entry.value.position, "found no connections; expected some, the best one first")
      return nil
    }
    var rules: [Manifest.Connection] = []
    for item in items {
      guard let rule = rule(item) else { return nil }
      guard rule != .nowhere else {
        reader.problems.error(
          item.position,
          "found 'none' in 'first-of'; leave it out: if no connection is possible, none is made")
        return nil
      }
      rules.append(rule)
    }
    return .firstOf(rules)
  }

  private mutating func rule(_ document: Document) -> Manifest.Connection? {
    guard case .sequence(let items) = document.content else {
      return reader.text(document, Self.connectionExpected).flatMap { one($0.text, document) }
    }
    var names: [String] = []
    for item in items {
      guard let text = reader.text(item, "the name of a port")?.text, case .ports(let name)? = one(text, item)
      else {
        if item.text != nil {
          reader.problems.error(
            item.position, "found \(item.found) in a list; expected the names of ports only")
        }
        return nil
      }
      names += name
    }
    return .ports(names)
  }

  private static let connectionExpected =
    "the name of a port or client, /a pattern/, physical, physical:N or none"

  private mutating func one(_ text: String, _ document: Document) -> Manifest.Connection? {
    func refusal(_ expected: String) -> Manifest.Connection? {
      reader.problems.error(document.position, "found \(document.found); expected \(expected)")
      return nil
    }
    if text == "none" { return .nowhere }
    if text == "physical" { return .physical(first: 1) }
    if text.hasPrefix("physical:") {
      guard let first = Int(text.dropFirst(9)), Limits.physicalPort.contains(first) else {
        return refusal("physical:N with N from 1 to \(Limits.physicalPort.upperBound)")
      }
      return .physical(first: first)
    }
    noteStar(text, document)
    guard text.hasPrefix("/") else {
      return text.utf8.count <= Limits.portName ? .ports([text]) : refusal(Self.connectionExpected)
    }
    let pattern = String(text.dropFirst().dropLast())
    guard text.count > 2, text.hasSuffix("/"), pattern.utf8.count <= Limits.portPattern,
      (try? NSRegularExpression(pattern: pattern)) != nil
    else { return refusal("a regular expression between slashes, at most \(Limits.portPattern) bytes long") }
    return .pattern(pattern)
  }
}
