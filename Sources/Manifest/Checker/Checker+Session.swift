// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension Checker {
  /// Warns about nodes that the session's category leaves without ports or connections.
  mutating func checkSession() {
    guard let session = manifest.session else { return }
    let category = session.category, name = category.rawValue
    for (source, node) in zip(sources, nodes) {
      if node.kind == .capture, !category.records {
        problems.warning(
          source.position,
          "'\(source.name)' receives silence: a session of the category '\(name)' has no inputs; "
            + "'\(AudioSession.Category.playAndRecord.rawValue)' has inputs and outputs")
      } else if node.kind == .playback, !category.plays {
        problems.warning(
          source.position,
          "'\(source.name)' is inaudible: a session of the category '\(name)' has no outputs; "
            + "'\(AudioSession.Category.playAndRecord.rawValue)' has inputs and outputs")
      } else if node.kind == .capture || node.kind == .playback, category == .multiRoute,
        node.connection == nil
      {
        problems.warning(
          source.position,
          "'\(source.name)' is not connected: in a session of the category '\(name)' each input and output "
            + "must name its ports with 'connect'")
      }
      checkReach(source, session)
    }
  }

  /// Warns about ports that a node names and the session's `ports` exclude.
  private mutating func checkReach(_ source: Manifest.Node, _ session: AudioSession) {
    guard let ports = session.ports else { return }
    for case .ports(let names) in source.connection?.alternatives ?? [] {
      for name in names where !ports.contains(where: { $0.mayAllow(name) }) {
        problems.warning(
          source.position,
          "'\(source.name)' is not connected to '\(Document.short(name))', which the session's 'ports' leave out"
        )
      }
    }
  }
}

extension PortPattern {
  /// Returns whether a port, or any port of a client, with this name may match the pattern. The ports are not known
  /// while the manifest is checked.
  fileprivate func mayAllow(_ name: String) -> Bool {
    switch self {
    case .physical: return true
    case .name(let allowed):
      let client = name.prefix { $0 != ":" }
      return allowed == name || allowed == client || !name.contains(":") && allowed.hasPrefix("\(name):")
    case .pattern: return !name.contains(":") || matches(JackPort(name, .audio, .input))
    }
  }
}
