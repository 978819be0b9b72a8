// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// What stands after `--tag`: `title=Song`.
struct TagOption: Equatable, Sendable {
  /// One of the names that are known.
  var name: String
  /// What is told.
  var text: String

  /// What fits, in words.
  static let expected = "name=text, as in title=Song; names are \(FileTags.writable.joined(separator: ", "))"

  /// Reads `title=Song`.
  init?(_ argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<equals])
    text = String(argument[argument.index(after: equals)...])
    var tags = FileTags()
    guard tags.set(name, to: text) else { return nil }
  }
}
