// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import SwiftletSignal

// Embedded Swift has neither Foundation nor Unicode tables. These functions replace both for ASCII.

/// A literal as a string.
func text(_ literal: StaticString) -> String {
  literal.withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
}

/// A name as an LV2 symbol: `low_pass` for `low-pass`.
func portSymbol(_ literal: StaticString) -> String {
  literal.withUTF8Buffer { name in
    String(decoding: unsafe name.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }
}

/// A name for display: `Large hall` for `large-hall`.
func capitalised(_ literal: StaticString) -> String {
  literal.withUTF8Buffer { name in
    var bytes = unsafe name.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: " ") : $0 }
    if let first = bytes.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") {
      bytes[0] = first - 32
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A non-negative number as decimal text.
func decimal(_ number: Int) -> String {
  var digits: [UInt8] = [], rest = max(number, 0)
  repeat {
    digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    rest /= 10
  } while rest > 0
  return String(decoding: digits.reversed(), as: UTF8.self)
}

/// A number as the shortest decimal text that reads back as the same number.
func decimal(_ number: Float) -> String {
  var bytes = [CChar](repeating: 0, count: 32)
  let length = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    unsafe swiftlet_number_text(number, buffer.baseAddress, 32)
  }
  return String(decoding: bytes.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
