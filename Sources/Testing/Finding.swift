// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What every unit owes its host.
public enum Rule: String, Sendable, CaseIterable {
  /// Symbols are lower-case words joined by hyphens, initial values lie in their ranges, numbers are dense.
  case description
  /// Blocks of 1, 7, 64, 256 and 1024 frames give the same samples, parameters moving.
  case blockSizes = "block sizes"
  /// After `reset`, a unit renders as a new one at the same values, glides finished.
  case reset
  /// Silence in is silence out once the tail has passed.
  case silence
  /// NaN, infinity and absurd levels in: numbers out, and the unit sounds on.
  case badSamples = "bad samples"
  /// Every parameter at both ends, at every sample rate: numbers out.
  case extremes
  /// Every preset: named well, in range, numbers out.
  case presets
  /// A parameter does nothing while what it needs is otherwise.
  case needs
  /// A parameter that moves in mid-stream makes no click.
  case clicks
  /// In place sounds as out of place; inputs are left alone otherwise.
  case memory
  /// An impulse comes out when the unit says it does.
  case latency
}

/// One way in which a unit breaks a rule.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
  /// The rule.
  public let rule: Rule
  /// What was found, where, and what was expected.
  public let message: String

  public var description: String { "\(rule.rawValue): \(message)" }
}
