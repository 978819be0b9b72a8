// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// The keys' descriptions.
enum KeyHelp {
  /// The keys that are always shown.
  static let short = ["r record", "space pause", "q quit", "? keys"]

  /// Returns the descriptions of all keys.
  static func long(_ session: Session) -> [String] {
    let effects = effects(session).prefix(9).enumerated().map { index, node in
      "\(index + 1) \(node.name)\(node.isBypassed ? " (off)" : "")"
    }
    let transport = session.engine.transportRole == .own ? [] : ["t transport"]
    return effects + transport + [
      "c clear clips", "o open muted", "r record", "space pause", "q quit", "? less",
    ]
  }

  /// Returns the effects and plugins that the digit keys bypass, in the order of the manifest.
  static func effects(_ session: Session) -> [AudioNode] {
    zip(session.manifest.nodes, session.nodes).compactMap { description, node in
      switch description.kind {
      case .effect, .plugin: node
      case .capture, .playback, .midiIn, .midiOut, .mixer, .player, .track: nil
      }
    }
  }
}
