// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The keys of a connection with alternatives.
enum ConnectKey: String, ManifestKey {
  case firstOf = "first-of"

  var meaning: String {
    switch self {
    case .firstOf:
      "Alternative connections, best first: the first one whose ports exist is used, also when ports change."
    }
  }

  var shape: Shape {
    switch self {
    case .firstOf: .list(.either([.text, .list(.text)]))
    }
  }
}
