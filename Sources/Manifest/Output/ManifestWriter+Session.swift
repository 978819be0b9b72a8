// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Swiftlet

extension ManifestWriter {
  /// Returns the properties of a session that differ from the defaults.
  static func tree(_ session: AudioSession) -> Tree {
    let usual = AudioSession()
    var entries: [(key: String, value: Tree)] = []
    for key in SessionKey.allCases {
      switch key {
      case .category:
        if session.category != usual.category {
          entries.append((key.rawValue, .scalar(session.category.rawValue)))
        }
      case .options:
        let options = session.options.map(\.rawValue).sorted()
        if !options.isEmpty { entries.append((key.rawValue, .list(options.map { .scalar($0) }))) }
      case .mode:
        if session.mode != usual.mode { entries.append((key.rawValue, .scalar(session.mode.rawValue))) }
      case .ports:
        if let ports = session.ports {
          entries.append((key.rawValue, .list(ports.map { .scalar(scalar($0.description)) })))
        }
      case .duckLevel:
        if session.duckLevel != usual.duckLevel {
          entries.append((key.rawValue, .scalar("\(Quantity(session.duckLevel, .decibels))")))
        }
      }
    }
    return .mapping(entries)
  }
}
