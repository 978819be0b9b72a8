// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletManifest

/// A line for terminals and files, in which the only escape codes are Swiftlet's own colours.
///
/// Text from outside enters through an initializer or an interpolation, where ``PrintableText`` escapes it. Results
/// and messages are written from styled text alone.
struct StyledText: Equatable, Sendable {
  /// The line with the escape codes of its colours.
  private(set) var written: String
  /// The number of visible characters. Escape codes do not count.
  var width: Int { Style.width(written) }
  var isEmpty: Bool { written.isEmpty }

  /// Text without colours, escaped.
  init(_ text: String) { written = PrintableText.escaped(text) }

  /// Text in a colour, escaped.
  init(_ text: StyledText, _ paint: Style.Paint) {
    written = text.isEmpty ? "" : "\u{1B}[\(paint.rawValue)m\(text.written)\u{1B}[0m"
  }

  /// Returns the first `width` visible characters, with their colours.
  func clipped(to width: Int) -> StyledText {
    var clipped = self
    clipped.written = Style.clipped(written, to: width)
    return clipped
  }

  /// Returns the text padded with spaces to `width` characters.
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

  /// The literal parts and interpolated values.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = StyledText("")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += StyledText(literal) }

    /// Adds text that is escaped already.
    mutating func appendInterpolation(_ part: StyledText) { text += part }

    /// Adds and escapes text.
    mutating func appendInterpolation(_ part: String) { text += StyledText(part) }

    /// Adds a number.
    mutating func appendInterpolation(_ part: Int) { text += StyledText(String(part)) }
  }
}

extension Sequence<StyledText> {
  /// Returns the parts with a separator between them.
  func joined(separator: StyledText) -> StyledText {
    var result: StyledText?
    for part in self { result = result.map { $0 + separator + part } ?? part }
    return result ?? ""
  }
}
