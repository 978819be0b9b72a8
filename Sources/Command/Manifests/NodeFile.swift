// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

/// What stands after `--input`, `--output` and `--play`: `mic=voice.wav`.
struct NodeFile: Equatable, Sendable {
  /// The node.
  var node: String
  /// The file.
  var path: String

  /// Reads `mic=voice.wav`.
  init?(_ argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    node = String(argument[..<equals])
    // No shell writes a `~` out that stands behind the sign.
    path = HomeFolder.expanded(String(argument[argument.index(after: equals)...]))
    guard !node.isEmpty, !path.isEmpty else { return nil }
  }
}
