// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The keys of a tempo that begins at a position.
enum TempoKey: String, ManifestKey {
  case at, tempo, glides

  var meaning: String {
    switch self {
    case .at: "The position where it begins, as bar|beat: 5|1."
    case .tempo: "Quarter notes a minute."
    case .glides: "Whether the tempo changes linearly over time to the next one, instead of at once."
    }
  }

  var shape: Shape {
    switch self {
    case .at: .barBeat
    case .tempo: .number(.beatsPerMinute, 1...1000)
    case .glides: .toggle
    }
  }

  var isRequired: Bool { self != .glides }
}

/// The keys of a time signature that begins at a bar.
enum TimeSignatureKey: String, ManifestKey {
  case at, meter

  var meaning: String {
    switch self {
    case .at: "The bar where it begins, as bar|beat: 5|1."
    case .meter: "The time signature: 3/4."
    }
  }

  var shape: Shape {
    switch self {
    case .at: .barBeat
    case .meter: .timeSignature
    }
  }

  var isRequired: Bool { true }
}
