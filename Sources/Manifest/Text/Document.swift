// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A manifest's text as a tree: YAML's structure without its types.
///
/// Scalars stay text, because the manifest has a grammar of its own: YAML 1.1 would read `1:30` as 90, `010` as 8 and
/// `off` as false.
struct Document: Equatable, Sendable {
  /// The content of a part.
  indirect enum Content: Equatable, Sendable {
    /// A scalar.
    case scalar(String)
    /// A sequence.
    case sequence([Document])
    /// A mapping, with keys in the order of the text.
    case mapping([Entry])
  }

  /// A key and its value.
  struct Entry: Equatable, Sendable {
    var key: String
    var keyPosition: TextPosition
    /// Whether the key is quoted.
    var isKeyQuoted: Bool
    var value: Document
  }

  var content: Content
  var position: TextPosition
  /// Whether a scalar is quoted or a block, so that its text begins at a later column or line.
  var isQuoted = false

  /// The text of a scalar; nil for others.
  var text: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  /// Whether the value is absent, `~` or `null`.
  var isEmpty: Bool { !isQuoted && (text.map { $0.isEmpty || $0 == "~" || $0 == "null" } ?? false) }

  /// The description in messages: `'-40 dB'`, `a list`, `a mapping`.
  var found: String {
    switch content {
    case .scalar(let text): isEmpty ? "nothing" : "'\(Self.short(text))'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// Returns the beginning of a text for a message. The console escapes it.
  static func short(_ text: String, most: Int = 60) -> String {
    text.shortened(to: most)
  }
}
