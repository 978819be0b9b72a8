// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  mutating func session(_ document: Document) -> AudioSession {
    var session = AudioSession()
    for (key, entry) in reader.entries(document, as: SessionKey.self, of: "a session") {
      switch key {
      case .category:
        session.category =
          reader.choice(entry.value, "a category", of: AudioSession.Category.self)
          ?? session.category
      case .options:
        session.options = Set(
          (reader.list(entry.value, "options") ?? []).compactMap {
            reader.choice($0, "an option", of: AudioSession.Option.self)
          })
      case .mode:
        session.mode =
          reader.choice(entry.value, "a mode", of: AudioSession.Mode.self) ?? session.mode
      case .ports: session.ports = ports(entry.value)
      case .duckLevel: session.duckLevel = reader.number(entry.value, key) ?? session.duckLevel
      }
    }
    if let contradiction = session.contradiction {
      reader.problems.error(position(of: .mixWithOthers, in: document), "\(contradiction)")
    }
    return session
  }

  /// Returns the position of an option in the text.
  private func position(of option: AudioSession.Option, in document: Document) -> TextPosition {
    guard case .mapping(let entries) = document.content,
      let options = entries.first(where: { $0.key == SessionKey.options.rawValue }),
      case .sequence(let items) = options.value.content
    else { return document.position }
    return items.first { $0.text == option.rawValue }?.position ?? options.value.position
  }

  private mutating func ports(_ document: Document) -> [PortPattern] {
    (reader.list(document, "the ports that nodes may be connected to") ?? []).compactMap { item in
      guard let text = reader.text(item, "the name of a port or client, /a pattern/ or physical")?.text else {
        return nil
      }
      noteStar(text, item)
      do throws(JackError) { return try PortPattern(reading: text) } catch {
        if case .numberedPort = error {
          reader.problems.error(item.position, "\(error)")
          return nil
        }
        reader.problems.error(
          item.position,
          "found \(item.found); expected the name of a port or client, /a pattern/ of at most "
            + "\(Limits.portPattern) bytes or physical")
        return nil
      }
    }
  }

  /// Warns about a `*` outside a regular expression, as in shell patterns, and suggests a regular expression.
  mutating func noteStar(_ text: String, _ document: Document) {
    guard text.contains("*"), !text.hasPrefix("/") else { return }
    let special = ".+?()[]{}|^$\\"
    let pattern = text.map { $0 == "*" ? ".*" : special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    reader.problems.warning(
      document.position,
      "found \(document.found), where * stands for itself; did you mean '/\(Document.short(pattern))/'?")
  }
}
