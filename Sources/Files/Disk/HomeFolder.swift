// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The user's home folder, for paths that no shell has expanded.
package enum HomeFolder {
  /// Returns a path with a leading `~/`, or a lone `~`, expanded to `HOME`. Other paths are returned unchanged, and all
  /// paths if `HOME` is not an absolute path.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.hasPrefix("/") else { return path }
    let rest = path.dropFirst(home.hasSuffix("/") ? 2 : 1)
    return home + rest
  }
}
