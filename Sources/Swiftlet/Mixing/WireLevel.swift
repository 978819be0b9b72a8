// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// A gliding level of a wire. Its raw value is its name in events and errors.
enum WireLevel: String, CaseIterable, Sendable {
  case gain, trim, pan

  /// The range of the level.
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

  /// Returns the nearest value in range.
  func clamp(_ value: Float) -> Float { min(max(value, range.lowerBound), range.upperBound) }

  /// Clamps the level of a wire; a level that is not a number is unchanged.
  ///
  /// - Returns: the event that reports a level that was out of range.
  func clamp(in wire: inout Graph.Wire, of ends: String) -> EngineEvent? {
    let asked = value(of: wire), used = clamp(asked)
    guard used != asked, !asked.isNaN else { return nil }
    set(used, in: &wire)
    return .clamped(node: ends, parameter: rawValue, asked: asked, used: used)
  }
}
