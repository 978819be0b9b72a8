// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

extension ManifestText {
  /// Returns the text with a new state for a node. Only the key `state` is written; everything else stays, including
  /// comments.
  ///
  /// The result is parsed again. If it differs from the original in anything but the state, the method throws,
  /// because some YAML syntax, such as an alias as a node, must be edited manually.
  ///
  /// - Parameters:
  ///   - folder: The state's folder, relative to the manifest.
  ///   - node: The node's name.
  /// - Throws: The errors of the text; an error with a position if the node does not exist or cannot be edited.
  package func settingState(_ folder: String, of node: String) throws(ManifestError) -> ManifestText {
    var wanted = try Manifest(self)
    guard let index = wanted.nodes.firstIndex(where: { $0.name == node }), let entry = try entry(of: node)
    else {
      let hint = NearestName.hint(for: node, among: wanted.nodes.map(\.name))
      throw ManifestError(Problem(file: file, message: "there is no node '\(Document.short(node))'\(hint)"))
    }
    wanted.nodes[index].state = Manifest.Text(folder, position: .start)
    let byHand = Problem(
      file: file, position: entry.position,
      message:
        "the node '\(node)' cannot be edited as it is written; add 'state: \(ManifestWriter.scalar(folder))' by hand"
    )
    guard let edited = TextEdit(text, entry)?.text(with: ManifestWriter.scalar(folder)) else {
      throw ManifestError(byHand)
    }
    let result = ManifestText(edited, file: file)
    guard let meaning = try? Manifest(result), meaning == wanted else { throw ManifestError(byHand) }
    return result
  }

  /// Returns the document of a node; nil if there is no such node.
  private func entry(of node: String) throws(ManifestError) -> Document? {
    do throws(Problem) {
      guard case .mapping(let root)? = try Document.read(text, file: file)?.content,
        case .mapping(let nodes)? = root.first(where: { $0.key == RootKey.nodes.rawValue })?.value.content
      else { return nil }
      return nodes.first { $0.key == node }?.value
    } catch {
      throw ManifestError(error)
    }
  }
}

/// The insertion or replacement of a state in a text: the range, and the text around the value.
private struct TextEdit {
  private let scalars: [Unicode.Scalar]
  private let range: Range<Int>
  private let before: String, after: String

  /// Finds the range in the document of a node; nil if it cannot be determined safely.
  init?(_ text: String, _ node: Document) {
    scalars = Array(text.unicodeScalars)
    guard case .mapping(let entries) = node.content, let first = entries.first else { return nil }
    if let old = entries.first(where: { $0.key == NodeKey.state.rawValue })?.value {
      guard let start = Self.index(of: old.position, in: scalars),
        let length = Self.length(of: old, scalars, start)
      else { return nil }
      (range, before, after) = (start..<start + length, "", "")
      return
    }
    guard let start = Self.index(of: node.position, in: scalars), start < scalars.count else { return nil }
    if scalars[start] == "{" {
      (range, before, after) = (start + 1..<start + 1, " state: ", ",")
    } else {
      guard let key = Self.index(of: first.keyPosition, in: scalars) else { return nil }
      let indent = String(repeating: " ", count: first.keyPosition.column - 1)
      (range, before, after) = (key..<key, "state: ", "\n" + indent)
    }
  }

  func text(with value: String) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars[..<range.lowerBound])
    result.append(contentsOf: (before + value + after).unicodeScalars)
    result.append(contentsOf: scalars[range.upperBound...])
    return String(result)
  }

  private static func index(of position: TextPosition, in scalars: [Unicode.Scalar]) -> Int? {
    var start = 0, line = 1
    while line < position.line {
      guard let end = scalars[start...].firstIndex(of: "\n") else { return nil }
      (start, line) = (end + 1, line + 1)
    }
    let index = start + position.column - 1
    return index <= scalars.count ? index : nil
  }

  /// Returns the length of a scalar in the text, including quotes.
  private static func length(of scalar: Document, _ scalars: [Unicode.Scalar], _ start: Int) -> Int? {
    guard let text = scalar.text, start < scalars.count else { return nil }
    guard scalar.isQuoted else {
      let plain = Array(text.unicodeScalars)
      return scalars[start...].starts(with: plain) ? plain.count : nil
    }
    let quote = scalars[start]
    guard quote == "\"" || quote == "'" else { return nil }
    var end = start + 1
    while end < scalars.count {
      let isDoubled = quote == "'" && end + 1 < scalars.count && scalars[end + 1] == quote
      if scalars[end] == quote, !isDoubled { break }
      end += scalars[end] == quote || (quote == "\"" && scalars[end] == "\\") ? 2 : 1
    }
    return end < scalars.count ? end + 1 - start : nil
  }
}
