// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The keys of a connection with alternatives.
enum ConnectKey: String, ManifestKey {
  case firstOf = "first-of"

  var meaning: String {
    switch self {
    case .firstOf: "Connections, the best one first: that is made of which ports are there, now and later."
    }
  }

  var shape: Shape {
    switch self {
    case .firstOf: .list(.either([.text, .list(.text)]))
    }
  }
}
