// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension Checker {
  /// Tells of nodes that the session's category leaves without ports, or without cables.
  mutating func checkSession() {
    guard let session = manifest.session else { return }
    let category = session.category, name = category.rawValue
    for (source, node) in zip(sources, nodes) {
      if node.kind == .capture, !category.records {
        problems.warning(
          source.place,
          "'\(source.name)' hears nothing: a session of the category '\(name)' has no ways in; "
            + "'\(AudioSession.Category.playAndRecord.rawValue)' has both")
      } else if node.kind == .playback, !category.plays {
        problems.warning(
          source.place,
          "'\(source.name)' is not heard: a session of the category '\(name)' has no ways out; "
            + "'\(AudioSession.Category.playAndRecord.rawValue)' has both")
      } else if node.kind == .capture || node.kind == .playback, category == .multiRoute,
        node.connection == nil
      {
        problems.warning(
          source.place,
          "'\(source.name)' is connected to nothing: in a session of the category '\(name)' each way "
            + "says its ports with 'connect'")
      }
    }
  }
}
