// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletFiles

/// The directory and name of a manifest's path.
///
/// Foundation's `deletingLastPathComponent` traps on some names of one letter (Swift 6.3.1 on Linux).
struct ManifestPath {
  /// The directory for relative paths in the manifest; empty for the current directory.
  let directory: String
  /// The file's name without its extension.
  let stem: String

  init(_ path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let folder = path.dropLast(name.count)
    directory = folder.allSatisfy { $0 == "/" } ? String(folder.prefix(1)) : String(folder.dropLast())
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    stem = String(dot.map { name[..<$0] } ?? name[...])
  }

  /// Returns a path relative to a directory. A path that begins with `~/` is relative to the home folder.
  static func joined(_ directory: String, _ path: String) -> String {
    let path = HomeFolder.expanded(path)
    if path.hasPrefix("/") || directory.isEmpty { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }
}
