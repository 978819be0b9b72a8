// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A position in a manifest's text.
///
/// All positions compare equal, because a manifest's meaning does not depend on the position of its parts. So
/// manifests with the same content compare equal.
public struct TextPosition: Sendable, Hashable {
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int

  /// The position of a value that was not parsed from text: the start of the text.
  public static let start = TextPosition(line: 1, column: 1)

  /// Creates a position from line and column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Returns the position `count` characters further right.
  func moved(by count: Int) -> TextPosition { TextPosition(line: line, column: column + count) }

  /// Returns whether this position precedes `other` in the text.
  func isBefore(_ other: TextPosition) -> Bool { (line, column) < (other.line, other.column) }

  public static func == (_: TextPosition, _: TextPosition) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
