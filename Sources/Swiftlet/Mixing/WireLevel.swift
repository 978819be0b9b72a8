// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// A level of a wire that glides. Its raw value is its name in events and errors.
enum WireLevel: String, Sendable {
  case gain, trim, pan

  /// The values that the level takes.
  var range: ClosedRange<Float> {
    switch self {
    case .gain, .trim: Graph.Wire.gains
    case .pan: Graph.Wire.pans
    }
  }

  func value(of wire: Graph.Wire) -> Float {
    switch self {
    case .gain: wire.gain
    case .trim: wire.trim
    case .pan: wire.pan ?? 0
    }
  }

  func set(_ value: Float, in wire: inout Graph.Wire) {
    switch self {
    case .gain: wire.gain = value
    case .trim: wire.trim = value
    case .pan: wire.pan = value
    }
  }
}
