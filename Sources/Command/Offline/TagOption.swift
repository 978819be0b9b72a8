// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The value of `--tag`, such as `title=Song`.
struct TagOption: Equatable, Sendable {
  /// The tag's name, one of the known ones.
  var name: String
  /// The tag's text.
  var text: String

  /// The accepted values, in words.
  static let expected = "name=text, as in title=Song; names are \(FileTags.writable.joined(separator: ", "))"

  /// Parses `title=Song`.
  init?(_ argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<equals])
    text = String(argument[argument.index(after: equals)...])
    var tags = FileTags()
    guard tags.set(name, to: text) else { return nil }
  }
}
