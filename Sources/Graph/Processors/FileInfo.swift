// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A file that an effect is made with, as manifests, help and the API see it.
public struct FileInfo: Sendable, Equatable {
  /// The key it stands under in a manifest's `files`.
  public var symbol: String
  /// Its name for people.
  public var name: String
  /// What it is for, in one line.
  public var meaning: String
  /// How the effect wants to have it.
  public var content: FileDescription.Content
  /// Whether the effect cannot be made without.
  public var isRequired: Bool

  /// Describes a file.
  public init(
    symbol: String, name: String, meaning: String = "", content: FileDescription.Content = .sound,
    isRequired: Bool = true
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.content = content
    self.isRequired = isRequired
  }

  init(_ description: FileDescription) {
    self.init(
      symbol: "\(description.symbol)", name: "\(description.name)", meaning: "\(description.meaning)",
      content: description.content, isRequired: description.isRequired)
  }
}
