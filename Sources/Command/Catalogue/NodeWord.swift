// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletManifest

/// A node of a manifest on the command line, such as `vocal.yaml:tone`.
struct NodeWord {
  /// The manifest's file, or the name of an installed manifest.
  var manifest: String
  /// The node's name.
  var node: String

  /// Parses `vocal.yaml:tone`; nil for any other text, such as a plugin's URI.
  init?(_ word: String) {
    guard let colon = word.lastIndex(of: ":") else { return nil }
    manifest = String(word[..<colon])
    node = String(word[word.index(after: colon)...])
    let isFile = [".yaml", ".yml", ".json"].contains { manifest.hasSuffix($0) }
    guard isFile, !node.isEmpty, !node.contains("/") else { return nil }
  }

  /// Returns the error for a manifest without this node.
  func missing(among names: [String]) -> Failure {
    Failure(
      .badInput,
      "\(manifest.shortened()) has no node '\(node.shortened())'" + NearestName.hint(for: node, among: names))
  }
}
