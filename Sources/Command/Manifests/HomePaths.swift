// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

/// Paths that begin with `~/`, where the shell has left them so: in quotes, and behind `--takes=`.
enum HomePaths {
  /// The words of a command line with such paths written out.
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
