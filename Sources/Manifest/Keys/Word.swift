// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The grammar of names: lower-case words joined by hyphens, such as `lead-vocal-2`.
enum Word {
  /// The maximum length, so that a name fits into a JACK port's name.
  static let lengthLimit = 48
  /// The grammar as a regular expression, for the schema.
  static let pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
  /// The grammar in words, for messages.
  static let expected = "lower-case words joined by hyphens, at most \(lengthLimit) letters"

  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= lengthLimit, let first = text.utf8.first, (97...122).contains(first) else {
      return false
    }
    var previous: UInt8 = first
    for byte in text.utf8 {
      let isLetter = (97...122).contains(byte) || (48...57).contains(byte)
      guard isLetter || (byte == 45 && previous != 45) else { return false }
      previous = byte
    }
    return previous != 45
  }

  /// Returns the valid name nearest to `text`; nil if no letter remains.
  static func made(from text: String) -> String? {
    var name = ""
    for scalar in text.lowercased().unicodeScalars.prefix(lengthLimit) {
      let isLetter = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if isLetter {
        if name.isEmpty && !("a"..."z").contains(scalar) { continue }
        name.unicodeScalars.append(scalar)
      } else if !name.isEmpty && !name.hasSuffix("-") {
        name += "-"
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    return name.isEmpty ? nil : name
  }
}
