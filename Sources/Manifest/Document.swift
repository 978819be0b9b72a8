// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A manifest's text as a tree: YAML's shapes, none of its types.
///
/// Scalars stay text, because the manifest has a grammar of its own: YAML 1.1 would read `1:30` as
/// 90, `010` as 8 and `off` as false.
struct Document: Equatable, Sendable {
  /// What a part of the text is.
  indirect enum Content: Equatable, Sendable {
    /// A word, number or sentence.
    case scalar(String)
    /// Parts in order.
    case sequence([Document])
    /// Parts under keys, in the order of the text.
    case mapping([Entry])
  }

  /// A key and what stands under it.
  struct Entry: Equatable, Sendable {
    var key: String
    var keyPlace: Place
    /// Whether the key is in quotes.
    var isKeyQuoted: Bool
    var value: Document
  }

  var content: Content
  var place: Place
  /// Whether a scalar is in quotes, or a block: its text starts one column further on or further down.
  var isQuoted = false

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  /// Whether nothing is written here.
  var isEmpty: Bool { !isQuoted && (text.map { $0.isEmpty || $0 == "~" || $0 == "null" } ?? false) }

  /// What it is, for messages: `'-40 dB'`, `a list`, `a mapping`.
  var found: String {
    switch content {
    case .scalar(let text): isEmpty ? "nothing" : "'\(Self.short(text))'"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The beginning of a text, for a message that quotes it; who shows the message escapes it.
  static func short(_ text: String, most: Int = 60) -> String {
    text.shortened(to: most)
  }
}
