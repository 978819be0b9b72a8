// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

/// Text among the tags of a picture.
enum Markup {
  private static let special = Array("&<>\"".utf8)

  /// The text with nothing in it that could be a tag's, and with what does not show escaped as on a terminal: XML
  /// forbids control characters.
  static func escaped(_ text: String) -> String {
    let shown = PrintableText.escaped(text)
    // Most names have none of these, and a search costs more than a look.
    guard shown.utf8.contains(where: { special.contains($0) }) else { return shown }
    return
      shown
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
