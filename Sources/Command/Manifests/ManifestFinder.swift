// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Finds the manifest that somebody names.
enum ManifestFinder {
  /// The file's path: the word itself where it is a path or there is such a file, else that of the installed
  /// manifest of this name. A word that leads nowhere is handed back: reading it says what is wrong.
  static func path(of word: String) -> String {
    let files = FileManager.default
    guard !word.contains("/"), !files.fileExists(atPath: word), !word.isEmpty else { return word }
    let names = word.hasSuffix(".yaml") || word.hasSuffix(".yml") ? [word] : [word + ".yaml", word + ".yml"]
    return folders.lazy.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { files.fileExists(atPath: $0) } ?? word
  }

  /// The folders where manifests are installed, the user's own first.
  static var folders: [String] {
    let home = Environment["HOME"].map { "\($0)/.local/share" }
    // The XDG rules: a variable that is empty is as good as not set, and paths
    // that are not absolute are ignored.
    let own = [Environment["XDG_DATA_HOME"], home].lazy.compactMap(\.self).first { !$0.isEmpty }
    let shared =
      Environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    let all = (own.map { [$0] } ?? []) + shared.split(separator: ":").map(String.init)
    return all.filter { $0.hasPrefix("/") }.map { "\($0)/swiftlet/manifests" }
  }
}
