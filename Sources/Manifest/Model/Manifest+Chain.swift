// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Manifest {
  /// Creates a manifest from a chain in one line: capture, effects and plugins in order, playback.
  ///
  /// The parts between bars are names of built-in effects, or URIs of plugins, which contain a colon:
  /// `gate | http://example.org/comp | delay`. The capture node is mono and named `in`; the playback node is stereo and
  /// named `out`. Unknown names are reported when the manifest is checked.
  ///
  /// - Parameters:
  ///   - text: The chain.
  ///   - file: The chain's name in messages.
  /// - Throws: The syntax errors of the text.
  public init(chain text: String, file: String = "chain") throws(ManifestError) {
    self.init(nodes: [Node("in", .capture(1))])
    var problems = Problems(file: file)
    var offset = 0
    for part in text.split(separator: "|", omittingEmptySubsequences: false) {
      let blanks = part.prefix { $0.isWhitespace }.unicodeScalars.count
      let position = TextPosition(line: 1, column: 1 + offset + blanks)
      offset += part.unicodeScalars.count + 1
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let word = words.first, words.count == 1 else {
        let found = words.isEmpty ? "nothing" : "'\(Document.short(words.joined(separator: " ")))'"
        problems.error(
          position, "found \(found); expected the name of an effect or the URI of a plugin between bars")
        continue
      }
      guard !word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        problems.error(position, "found a control character in '\(Document.short(String(word)))'")
        continue
      }
      let name = Text(String(word), position: position)
      nodes.append(
        Node(freeName(for: name.text), word.contains(":") ? .lv2(name) : .effect(name), position: position))
    }
    guard !problems.hasErrors else { throw ManifestError(problems.sorted) }
    nodes.append(Node("out", .playback(2)))
    wires = zip(nodes, nodes.dropFirst()).map { Wire(from: End($0.name), to: End($1.name)) }
  }

  /// Returns an unused node name, made from the last part of a URI.
  private func freeName(for text: String) -> String {
    let parts = text.split { "/#:".contains($0) }
    let stem = parts.last.flatMap { Word.made(from: String($0)) } ?? "plugin"
    let taken = Set(nodes.map(\.name)).union(["in", "out"])
    guard taken.contains(stem) else { return stem }
    let short = Word.made(from: String(stem.prefix(Word.lengthLimit - 6))) ?? "plugin"
    return (2...nodes.count + 3).lazy.map { "\(short)-\($0)" }.first { !taken.contains($0) } ?? "plugin"
  }
}
