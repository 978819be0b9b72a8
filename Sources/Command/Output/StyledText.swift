// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

/// A line for people, on a terminal or in a file, in which only Swiftlet's own colours are escape codes.
///
/// Text from outside goes in through an initializer or an interpolation, and is escaped there by ``PrintableText``.
/// Nothing else makes a styled text, and results and messages are written from nothing else.
struct StyledText: Equatable, Sendable {
  /// The line as it is written, with colours.
  private(set) var written: String
  /// The number of characters that show; colours take no room.
  var width: Int { Style.width(written) }
  var isEmpty: Bool { written.isEmpty }

  /// Text without colours, escaped.
  init(_ text: String) { written = PrintableText.escaped(text) }

  /// Text in a colour, escaped.
  init(_ text: StyledText, _ paint: Style.Paint) {
    written = text.isEmpty ? "" : "\u{1B}[\(paint.rawValue)m\(text.written)\u{1B}[0m"
  }

  /// The first `width` characters that show, with their colours.
  func clipped(to width: Int) -> StyledText {
    var clipped = self
    clipped.written = Style.clipped(written, to: width)
    return clipped
  }

  /// The text and blanks behind it, `width` characters in all.
  func padded(to width: Int) -> StyledText {
    var padded = self
    padded.written += String(repeating: " ", count: max(width - self.width, 0))
    return padded
  }

  static func + (one: StyledText, other: StyledText) -> StyledText {
    var sum = one
    sum.written += other.written
    return sum
  }

  static func += (one: inout StyledText, other: StyledText) { one.written += other.written }
}

extension StyledText: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self.init(text) }

  init(stringInterpolation parts: Interpolation) { self = parts.text }

  /// The parts of a literal: its own words and what stands between them.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = StyledText("")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += StyledText(literal) }

    /// Adds text as it is: it is escaped already.
    mutating func appendInterpolation(_ part: StyledText) { text += part }

    /// Adds text, escaped.
    mutating func appendInterpolation(_ part: String) { text += StyledText(part) }

    /// Adds a number.
    mutating func appendInterpolation(_ part: Int) { text += StyledText(String(part)) }
  }
}

extension Sequence<StyledText> {
  /// The parts with a separator between them.
  func joined(separator: StyledText) -> StyledText {
    var result: StyledText?
    for part in self { result = result.map { $0 + separator + part } ?? part }
    return result ?? ""
  }
}
