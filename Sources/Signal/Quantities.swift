// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Factory functions for quantities, such as `.decibels(-3)`. They are members of the protocol, so that they are also
// found where any quantity is accepted: `parameters["threshold"].set(.decibels(-24))`.

extension ContinuousValue where Self == Dimension.Level {
  /// A level in decibels. A level below the range of a parameter is clamped to its minimum.
  public static func decibels(_ decibels: Float) -> Level { Level(decibels, in: .decibels) }
  /// A loudness relative to full scale, in LUFS as measured by ITU-R BS.1770.
  public static func lufs(_ lufs: Float) -> Level { Level(lufs, in: .loudness) }
}

extension ContinuousValue where Self == Dimension.Frequency {
  /// A frequency in hertz.
  public static func hertz(_ hertz: Float) -> Frequency { Frequency(hertz, in: .hertz) }
}

extension ContinuousValue where Self == Dimension.Percentage {
  /// A proportion in percent.
  public static func percent(_ percent: Float) -> Percentage { Percentage(percent, in: .percent) }
}

extension ContinuousValue where Self == Dimension.PitchInterval {
  /// An interval in hundredths of a semitone.
  public static func cents(_ cents: Float) -> PitchInterval { PitchInterval(cents, in: .cents) }
  /// An interval in semitones.
  public static func semitones(_ semitones: Float) -> PitchInterval {
    PitchInterval(semitones, in: .semitones)
  }
  /// An interval in octaves.
  public static func octaves(_ octaves: Float) -> PitchInterval { PitchInterval(octaves, in: .octaves) }
}

extension ContinuousValue where Self == Dimension.Angle {
  /// An angle in degrees.
  public static func degrees(_ degrees: Float) -> Angle { Angle(degrees, in: .degrees) }
}

extension ContinuousValue where Self == Dimension.Distance {
  /// A distance in metres.
  public static func metres(_ metres: Float) -> Distance { Distance(metres, in: .metres) }
}
