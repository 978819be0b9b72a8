// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

/// Escapes text in SVG, HTML and Graphviz labels.
enum Markup {
  private static let special = Array("&<>\"".utf8)

  /// Returns the text with markup characters escaped. Control characters, which XML forbids, are escaped as on a
  /// terminal.
  static func escaped(_ text: String) -> String {
    let shown = PrintableText.escaped(text)
    // Most names have none of these characters, and the check is cheaper than the replacements.
    guard shown.utf8.contains(where: { special.contains($0) }) else { return shown }
    return
      shown
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
