// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The requirements for effects.
public enum Rule: String, Sendable, CaseIterable {
  /// Symbols are lower-case words joined by hyphens, initial values are within their ranges, and numbers have no
  /// gaps.
  case description
  /// Blocks of 1, 7, 64, 256 and 1024 frames give the same samples while parameters change.
  case blockSizes = "block sizes"
  /// After `reset`, an effect renders like a new one with the same values. Glides are finished.
  case reset
  /// The output is silent after the input has been silent for the length of the tail.
  case silence
  /// NaN, infinity and extreme levels at the input never reach the output, and are treated as silence.
  case badSamples = "bad samples"
  /// With every parameter at either end, at every sample rate, the output is finite.
  case extremes
  /// Every preset has a valid name and values within range, and its output is finite.
  case presets
  /// A parameter has no effect while the parameter that it depends on has an unsuitable value.
  case needs
  /// A parameter change during playback causes no click.
  case clicks
  /// In-place processing gives the same output. Otherwise the inputs are not changed.
  case memory
  /// An impulse comes out after the latency that the effect reports.
  case latency
}

/// A violation of a rule.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
  /// The rule.
  public let rule: Rule
  /// The violation, its position, and the expected behaviour.
  public let message: String

  public var description: String { "\(rule.rawValue): \(message)" }
}
