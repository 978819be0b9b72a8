// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The keys of a session.
enum SessionKey: String, ManifestKey {
  case category, options, mode, ports
  case duckLevel = "duck-level"

  var meaning: String {
    switch self {
    case .category: "The category of the client, which determines its ports and their default connections."
    case .options: "The requests to other sessions while it runs."
    case .mode: "The kind of its sound."
    case .ports:
      "The JACK ports that nodes may be connected to automatically: names of ports or clients, /patterns/, physical."
    case .duckLevel: "The gain of other sessions for `duck-others`, in dB."
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
