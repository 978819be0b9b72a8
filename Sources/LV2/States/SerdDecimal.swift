// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc

/// Formats numbers as decimal text that lilv reads exactly.
///
/// serd 0.30, which lilv reads with, sums digits and multiplies by a power of ten in floating point, so it reads many
/// doubles as a neighboring value. How it rounds depends on the position of the decimal point. This moves the point
/// until serd reads the exact number. The decimal value stays the same, so a correct reader gets the number in any
/// case.
enum SerdDecimal {
  /// The text of a 32-bit float.
  static func text(of value: Float) -> String {
    let short = "\(value)"
    if Float(serd_strtod(short, nil)) == value { return short }
    return shifted(Double(value)) { Float($0) == value } ?? short
  }

  /// The text of a 64-bit float.
  static func text(of value: Double) -> String {
    let short = "\(value)"
    if serd_strtod(short, nil) == value || !value.isFinite { return short }
    return shifted(value) { $0 == value } ?? neighbour(value) ?? short
  }

  /// Returns the number with a moved decimal point, which every correctly rounding reader reads as the number itself.
  private static func shifted(_ value: Double, _ isRight: (Double) -> Bool) -> String? {
    for precision in 16...24 {
      let text = scientific(value.magnitude, precision: precision)
      guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
        return nil
      }
      let digits = Array(text[..<mark].filter { $0 != "." })
      for index in 1...digits.count {
        let whole = String(digits[..<index]), rest = String(digits[index...])
        let moved =
          (value.sign == .minus ? "-" : "") + whole + "." + (rest.isEmpty ? "0" : rest)
          + "e\(exponent - index + 1)"
        if isRight(serd_strtod(moved, nil)) { return moved }
      }
    }
    return nil
  }

  /// Formats as C's `%e`.
  private static func scientific(_ value: Double, precision: Int) -> String {
    var text = [CChar](repeating: 0, count: 64)
    _ = withVaList([Int32(clamping: precision), value]) { vsnprintf(&text, text.count, "%.*e", $0) }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the text of a neighboring value that serd reads as the number.
  private static func neighbour(_ value: Double) -> String? {
    var (above, below) = (value, value)
    for _ in 0..<64 {
      for candidate in [above, below] where candidate.isFinite {
        if let text = shifted(candidate, { $0 == value }) { return text }
      }
      (above, below) = (above.nextUp, below.nextDown)
    }
    return nil
  }
}
