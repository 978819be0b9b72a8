// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

/// Expands paths that begin with `~/` where the shell does not: in quotes, and after `--takes=`.
enum HomePaths {
  /// Returns the arguments with all such paths expanded.
  static func expanded(_ arguments: [String]) -> [String] {
    arguments.map { word in
      guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
        return HomeFolder.expanded(word)
      }
      let path = word.index(after: equals)
      return word[..<path] + HomeFolder.expanded(String(word[path...]))
    }
  }
}
