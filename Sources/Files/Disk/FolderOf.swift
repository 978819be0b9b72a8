// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The folder that a path lies in; empty for a name alone.
///
/// Foundation's own `deletingLastPathComponent` traps on a name of one letter (Swift 6.3.1).
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
