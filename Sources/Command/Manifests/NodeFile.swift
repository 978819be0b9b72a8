// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

/// The value of `--input`, `--output` and `--play`, such as `mic=voice.wav`.
struct NodeFile: Equatable, Sendable {
  /// The node's name.
  var node: String
  /// The file's path.
  var path: String

  /// Parses `mic=voice.wav`.
  init?(_ argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    node = String(argument[..<equals])
    // A shell does not expand a `~` after `=`.
    path = HomeFolder.expanded(String(argument[argument.index(after: equals)...]))
    guard !node.isEmpty, !path.isEmpty else { return nil }
  }
}
