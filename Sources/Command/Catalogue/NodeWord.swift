// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletManifest

/// A node of a manifest, as in `vocal.yaml:tone`.
struct NodeWord {
  /// The manifest's file, or the name of an installed one.
  var manifest: String
  /// The node's name.
  var node: String

  /// Reads `vocal.yaml:tone`; nil for what is no such word, a plugin's URI among them.
  init?(_ word: String) {
    guard let colon = word.lastIndex(of: ":") else { return nil }
    manifest = String(word[..<colon])
    node = String(word[word.index(after: colon)...])
    let isFile = [".yaml", ".yml", ".json"].contains { manifest.hasSuffix($0) }
    guard isFile, !node.isEmpty, !node.contains("/") else { return nil }
  }

  /// The error of a manifest without this node.
  func missing(among names: [String]) -> Failure {
    Failure(
      .badInput,
      "\(manifest.shortened()) has no node '\(node.shortened())'" + NearestName.hint(for: node, among: names))
  }
}
