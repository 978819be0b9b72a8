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
          reader.choice(entry.value, "what the client is for", of: AudioSession.Category.self)
          ?? session.category
      case .options:
        let items = reader.list(entry.value, "what it asks of others") ?? []
        session.options = Set(
          items.compactMap { reader.choice($0, "what it asks of others", of: AudioSession.Option.self) })
      case .mode:
        session.mode =
          reader.choice(entry.value, "what its sound is like", of: AudioSession.Mode.self) ?? session.mode
      case .duckLevel: session.duckLevel = reader.number(entry.value, key) ?? session.duckLevel
      }
    }
    return session
  }
}
