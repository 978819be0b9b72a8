// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The keys of a session.
enum SessionKey: String, ManifestKey {
  case category, options, mode, ports
  case duckLevel = "duck-level"

  var meaning: String {
    switch self {
    case .category: "What the client is for: which ports it has, and what they are connected to."
    case .options: "What it asks of other sessions while it runs."
    case .mode: "What its sound is like."
    case .ports:
      "The JACK ports that nodes may be connected to by themselves: names of ports or clients, /patterns/, physical."
    case .duckLevel: "How far others turn down for `duck-others`, in dB."
    }
  }

  var shape: Shape {
    switch self {
    case .category: .choice(AudioSession.Category.allCases.map(\.rawValue))
    case .options: .list(.choice(AudioSession.Option.allCases.map(\.rawValue)))
    case .mode: .choice(AudioSession.Mode.allCases.map(\.rawValue))
    case .ports: .list(.text)
    case .duckLevel: .number(.decibels, AudioSession.duckLevels)
    }
  }
}
