// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletSignal

/// A meter's state for one channel: the last reading, the held peak and the clip flag.
struct LevelHistory: Equatable {
  /// The lower end of the meter scale in dBFS. Lower levels draw an empty bar.
  static let floor = -60.0
  /// The hold time of a peak in seconds, and its fall rate afterwards in dB a second.
  static let holdSeconds = 1.5, fall = 20.0

  /// The peak of the last reading, in dBFS; −infinity for silence.
  private(set) var peak = -Double.infinity
  /// The RMS level of the last reading, in dBFS.
  private(set) var rms = -Double.infinity
  /// The held peak that the meter shows, in dBFS.
  private(set) var held = -Double.infinity
  /// The highest peak since the start, in dBFS.
  private(set) var highest = -Double.infinity
  /// Whether a sample has reached full scale.
  private(set) var hasClipped = false
  private var hold = PeakHold(for: holdSeconds, falling: fall)

  /// Adds a reading.
  ///
  /// - Parameters:
  ///   - sample: The peak as a linear factor of full scale.
  ///   - mean: The RMS value as a linear factor of full scale.
  ///   - time: The time in seconds, not before the last reading's.
  mutating func take(peak sample: Float, rms mean: Float, at time: Double) {
    peak = Self.decibels(sample)
    rms = Self.decibels(mean)
    highest = max(highest, peak)
    if sample >= 1 { hasClipped = true }
    let shown = hold.take(peak, at: time)
    held = shown < Self.floor ? -.infinity : shown
  }

  /// Clears the clip flag.
  mutating func clearClip() { hasClipped = false }

  /// Converts a linear factor of full scale to dBFS.
  static func decibels(_ factor: Float) -> Double { factor > 0 ? Decibels.level(Double(factor)) : -.infinity }

  /// Returns the position of a level on the meter scale: 0 at ``floor``, 1 at full scale and above.
  static func position(_ decibels: Double) -> Double { min(max(1 - decibels / floor, 0), 1) }
}
