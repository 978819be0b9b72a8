// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk

/// The search path for plugin bundles.
enum PluginFolders {
  #if arch(arm64)
    private static let machine = "aarch64-linux-gnu"
  #else
    private static let machine = "x86_64-linux-gnu"
  #endif
  private static let usual = "~/.lv2:/usr/lib/\(machine)/lv2:/usr/lib64/lv2:/usr/lib/lv2:/usr/local/lib/lv2"

  /// The bundles along `path`, or along `LV2_PATH`, or in LV2's default folders: folders with a `manifest.ttl`, each
  /// once, in the order of the path and then of their names. Each path ends with a slash.
  static func bundles(along path: String?) -> [String] {
    // As for lilv, an empty path has no folder.
    let given = path ?? getenv("LV2_PATH").map { String(cString: $0) } ?? usual
    var seen: Set<String> = [], bundles: [String] = []
    for part in given.split(separator: ":") {
      let folder = expanded(String(part))
      guard let path = real(folder), seen.insert(path).inserted else { continue }
      for name in names(in: folder).sorted() where !name.hasPrefix(".") {
        let bundle = "\(folder)/\(name)/"
        if access(bundle + "manifest.ttl", F_OK) == 0 { bundles.append(bundle) }
      }
    }
    return bundles
  }

  /// Expands the home folder and variables in a path.
  private static func expanded(_ part: String) -> String {
    part.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, step in
      let variable = step.first == "$" ? String(step.dropFirst()) : step == "~" && index == 0 ? "HOME" : ""
      guard !variable.isEmpty, let value = getenv(variable) else { return String(step) }
      return String(cString: value)
    }.joined(separator: "/")
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func names(in folder: String) -> [String] {
    guard let folder = try? OpenFolder(folder), let names = try? FolderListing.names(in: folder) else {
      return []
    }
    return names.compactMap { FolderListing.text($0) }
  }
}
