// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Text from outside the program, made safe and unambiguous to show: on a terminal, in a log, in a picture.
///
/// A control character moves a cursor or ends a line, a bidirectional control reorders what stands around it, and a
/// character without width hides. Each is replaced by an escape sequence: `\n`, `\r`, `\t`, else its number, as in
/// `\u{202E}`. A backslash is doubled, so that an escape sequence in the result is always one of these.
package enum PrintableText {
  /// The text with every invisible character escaped.
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

  /// Whether a character shows as itself: it is no control, no format character, nothing that Unicode has no
  /// meaning for, and nothing that is drawn as nothing.
  package static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7F ~= scalar.value { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the character is part of an emoji: a joiner between two of them, or the selector of coloured ones.
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
