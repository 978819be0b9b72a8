// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Finds a manifest by path or name.
enum ManifestFinder {
  /// Returns the path of a manifest: the argument itself if it is a path or an existing file, else the path of the
  /// installed manifest with this name. If there is none, returns the argument, and reading it reports the error.
  static func path(of word: String) -> String {
    let files = FileManager.default
    guard !word.contains("/"), !files.fileExists(atPath: word), !word.isEmpty else { return word }
    let names = word.hasSuffix(".yaml") || word.hasSuffix(".yml") ? [word] : [word + ".yaml", word + ".yml"]
    return folders.lazy.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { files.fileExists(atPath: $0) } ?? word
  }

  /// The folders with installed manifests, the user's own first.
  static var folders: [String] {
    let home = Environment["HOME"].map { "\($0)/.local/share" }
    // The XDG rules: an empty variable counts as not set, and relative paths are ignored.
    let own = [Environment["XDG_DATA_HOME"], home].lazy.compactMap(\.self).first { !$0.isEmpty }
    let shared =
      Environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let all = (own.map { [$0] } ?? []) + shared.split(separator: ":").map(String.init)
    return all.filter { $0.hasPrefix("/") }.map { "\($0)/swiftlet/manifests" }
  }
}
