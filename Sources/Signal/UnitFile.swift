// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A file that a unit is made with, as its description names it.
public struct FileDescription: Sendable {
  /// How the unit wants to have it.
  public enum Content: Sendable {
    /// A sound file, decoded and converted to the unit's rate.
    case sound
    /// A file that the unit reads by itself.
    case path
  }

  /// The key it stands under in a manifest: `response`.
  public let symbol: StaticString
  /// Its name for people.
  public let name: StaticString
  /// What it is for, in one line.
  public let meaning: StaticString
  /// How the unit wants to have it.
  public let content: Content
  /// Whether the unit cannot be made without.
  public let isRequired: Bool

  /// Describes a file that the unit needs, unless told otherwise.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, content: Content = .sound,
    isRequired: Bool = true
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.content = content
    self.isRequired = isRequired
  }
}

/// A file as a unit gets it, in its ``Layout``. Control thread.
public enum UnitFile: Sendable {
  /// A decoded sound at the layout's rate.
  case sound(Sound)
  /// Where the file is: a path of UTF-8 bytes that ends with a zero, as the C library wants it.
  case path([CChar])
}
