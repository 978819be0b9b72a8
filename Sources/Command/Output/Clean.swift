// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Text from outside, made fit for a terminal.
enum Clean {
  /// One line, not long, with nothing in it that moves a cursor.
  static func line(_ text: String, most: Int = 120) -> String {
    let scalars = text.unicodeScalars
    let clean = String.UnicodeScalarView(
      scalars.prefix(most).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 })
    return String(clean) + (scalars.count > most ? "…" : "")
  }

  /// A path, whole, on one line: a result is a line, whatever a file is called.
  static func path(_ path: String) -> String { line(path, most: .max) }
}

extension StringProtocol {
  /// The text without the characters at its end for which `predicate` holds.
  func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return String(self[..<end])
  }
}
