// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Where something stands in a manifest's text.
///
/// Two places are always equal: what a manifest means does not depend on where it is written, so that
/// manifests that say the same compare equal.
public struct Place: Sendable, Hashable {
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int

  /// The place of something that was never written down: the start of the text.
  public static let start = Place(line: 1, column: 1)

  /// A place by line and column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place `count` characters further on in the same line.
  func moved(by count: Int) -> Place { Place(line: line, column: column + count) }

  /// Whether this place comes before `other` in the text.
  func isBefore(_ other: Place) -> Bool { (line, column) < (other.line, other.column) }

  public static func == (_: Place, _: Place) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}
}
