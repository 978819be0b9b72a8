// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The folder of whoever runs the program, for paths that no shell has read.
package enum HomeFolder {
  /// A path with a `~/` at its beginning, or a `~` alone, written out; any other as it is, and all of them where
  /// nobody says where that folder is.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else { return path }
    let rest = path.dropFirst(home.hasSuffix("/") ? 2 : 1)
    return home + rest
  }
}
