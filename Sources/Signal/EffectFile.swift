// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The description of a file that an effect is created with.
public struct FileDescription: Sendable {
  /// The form in which the effect gets the file.
  public enum Content: Sendable {
    /// A sound file, decoded and converted to the effect's sample rate.
    case sound
    /// The path of a file that the effect reads itself.
    case path
  }

  /// The file's key in a manifest: `response`.
  public let symbol: StaticString
  /// The file's display name.
  public let name: StaticString
  /// The purpose of the file, in one line.
  public let meaning: StaticString
  /// The form in which the effect gets the file.
  public let content: Content
  /// Whether the effect cannot be created without the file.
  public let isRequired: Bool

  /// Describes a file. By default it is required.
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

/// A file in the ``Layout`` of an effect. Control thread.
public enum EffectFile: Sendable {
  /// A decoded sound at the layout's sample rate.
  case sound(Sound)
  /// The file's path as UTF-8 bytes with a terminating zero, for the C library.
  case path([CChar])
}
