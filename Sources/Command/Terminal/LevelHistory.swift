// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletSignal

/// What a meter shows of one channel: the last reading, the peak that is held, and whether it ever clipped.
struct LevelHistory: Equatable {
  /// Where meters end: anything softer is drawn as nothing.
  static let floor = -60.0
  /// How long a peak is held, in seconds, and how fast it falls then, in dB a second.
  static let holdSeconds = 1.5, fall = 20.0

  /// The highest sample of the last reading, in dBFS; −infinity for silence.
  private(set) var peak = -Double.infinity
  /// The root of the mean square of the last reading, in dBFS.
  private(set) var rms = -Double.infinity
  /// The peak that is still shown, in dBFS.
  private(set) var held = -Double.infinity
  /// The highest sample since the start, in dBFS.
  private(set) var highest = -Double.infinity
  /// Whether a sample reached full scale.
  private(set) var hasClipped = false
  private var hold = PeakHold(for: holdSeconds, falling: fall)

  /// Takes in a reading: factors of full scale, at a time in seconds that does not run backwards.
  mutating func take(peak sample: Float, rms mean: Float, at time: Double) {
    peak = Self.decibels(sample)
    rms = Self.decibels(mean)
    highest = max(highest, peak)
    if sample >= 1 { hasClipped = true }
    let shown = hold.take(peak, at: time)
    held = shown < Self.floor ? -.infinity : shown
  }

  /// Forgets that it clipped.
  mutating func clearClip() { hasClipped = false }

  /// A factor of full scale in dBFS.
  static func decibels(_ factor: Float) -> Double { factor > 0 ? Decibels.level(Double(factor)) : -.infinity }

  /// Where on a meter a level lies: 0 at its start, 1 at full scale and above.
  static func position(_ decibels: Double) -> Double { min(max(1 - decibels / floor, 0), 1) }
}
