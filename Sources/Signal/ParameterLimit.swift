// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// The allowed values of a parameter, in a form that the audio thread can read.
public struct ParameterLimit: BitwiseCopyable, Sendable {
  private let low: Float, high: Float, isWhole: Bool
  /// The default length of a change, in frames.
  public let glide: Int

  /// Creates the limit from a description.
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

  /// Returns the nearest allowed value; `value` must not be NaN.
  @_noLocks @_noAllocation public func nearest(to value: Float) -> Float {
    let inside = min(max(value, low), high)
    return isWhole ? rt_floor(inside + 0.5) : inside
  }
}
