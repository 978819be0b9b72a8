// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Escapes text from outside the program, so that it is safe and unambiguous on a terminal, in a log or in a picture.
///
/// Control characters move the cursor or end a line, bidirectional controls reorder the text around them, and
/// zero-width characters are invisible. Each is replaced by an escape sequence: `\n`, `\r`, `\t`, or its number, such
/// as `\u{202E}`. Backslashes are doubled, so that escape sequences in the result are unambiguous.
package enum PrintableText {
  /// Returns the text with all invisible characters escaped.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") }) { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar != "\\" && (isVisible(scalar) || joinsEmoji(scalars, index)) {
        result.append(scalar)
      } else {
        result.append(contentsOf: escape(scalar).unicodeScalars)
      }
    }
    return String(result)
  }

  /// Returns whether a character is visible: no control, format, private-use or unassigned character, and none that
  /// is ignorable by default.
  package static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7F ~= scalar.value { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns whether a character is part of an emoji: a joiner between two emoji, or the selector for coloured emoji.
  private static func joinsEmoji(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    func isEmoji(_ index: Int) -> Bool {
      scalars.indices.contains(index) && scalars[index].value > 0xFF && scalars[index].properties.isEmoji
    }
    let selector = Unicode.Scalar(0xFE0F as UInt32), joiner = Unicode.Scalar(0x200D as UInt32)
    switch scalars[index] {
    case selector: return isEmoji(index - 1)
    case joiner:
      let isBehindEmoji =
        isEmoji(index - 1) || (index > 1 && scalars[index - 1] == selector && isEmoji(index - 2))
      return isBehindEmoji && isEmoji(index + 1)
    default: return false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}

extension StringProtocol {
  /// Returns the first `limit` Unicode scalars, followed by an ellipsis if there are more. It limits text from
  /// outside, which may have any length.
  package func shortened(to limit: Int = 120) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + (unicodeScalars.count > limit ? "…" : "")
  }
}
