// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// What a parameter may be set to, in a form that the audio thread can read.
public struct ParameterLimit: BitwiseCopyable, Sendable {
  private let low: Float, high: Float, isWhole: Bool
  /// How long a change takes where nobody says, in frames.
  public let glide: Int

  /// The limit that a description states.
  public init(_ parameter: ParameterDescription, sampleRate: Double) {
    low = parameter.range.lowerBound
    high = parameter.range.upperBound
    isWhole =
      switch parameter.curve {
      case .integer, .toggle, .choice: true
      case .linear, .logarithmic: false
      }
    glide = Int(Double(parameter.glide) * sampleRate + 0.5)
  }

  /// The nearest value that the parameter takes; `value` is a number.
  @_noLocks @_noAllocation public func nearest(to value: Float) -> Float {
    let inside = min(max(value, low), high)
    return isWhole ? rt_floor(inside + 0.5) : inside
  }
}
