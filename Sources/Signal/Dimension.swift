// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The quantities of parameters. Each has a type of its own, so that a level cannot be passed as a frequency.
public enum Dimension {
  /// A level or a change of level, in decibels; or a loudness, whose units LUFS and LU have the same size as a decibel.
  public struct Level: ContinuousValue {
    /// The level in decibels.
    public let decibels: Float

    public static var unit: ParameterUnit { .decibels }
    public init(_ number: Float, in unit: ParameterUnit) { decibels = number }
    public func number(in unit: ParameterUnit) -> Float { decibels }
  }

  /// A frequency, in hertz.
  public struct Frequency: ContinuousValue {
    /// The frequency in hertz.
    public let hertz: Float

    public static var unit: ParameterUnit { .hertz }
    public init(_ number: Float, in unit: ParameterUnit) { hertz = number }
    public func number(in unit: ParameterUnit) -> Float { hertz }
  }

  /// A proportion, in percent.
  public struct Percentage: ContinuousValue {
    /// The proportion in percent; 100 is the whole.
    public let percent: Float

    public static var unit: ParameterUnit { .percent }
    public init(_ number: Float, in unit: ParameterUnit) { percent = number }
    public func number(in unit: ParameterUnit) -> Float { percent }
  }

  /// A pitch interval: 12 semitones, 1200 cents and one octave are equal.
  public struct PitchInterval: ContinuousValue {
    // In double precision, so that a number survives the conversion in both directions.
    private let exactCents: Double
    /// The interval in cents.
    public var cents: Float { Float(exactCents) }

    public static var unit: ParameterUnit { .semitones }
    public init(_ number: Float, in unit: ParameterUnit) {
      exactCents = Double(number) * Self.cents(in: unit)
    }
    public func number(in unit: ParameterUnit) -> Float { Float(exactCents / Self.cents(in: unit)) }

    private static func cents(in unit: ParameterUnit) -> Double {
      switch unit {
      case .semitones, .midiNote: 100
      case .octaves: 1200
      default: 1
      }
    }
  }

  /// An angle, in degrees.
  public struct Angle: ContinuousValue {
    /// The angle in degrees.
    public let degrees: Float

    public static var unit: ParameterUnit { .degrees }
    public init(_ number: Float, in unit: ParameterUnit) { degrees = number }
    public func number(in unit: ParameterUnit) -> Float { degrees }
  }

  /// A distance, in metres.
  public struct Distance: ContinuousValue {
    /// The distance in metres.
    public let metres: Float

    public static var unit: ParameterUnit { .metres }
    public init(_ number: Float, in unit: ParameterUnit) { metres = number }
    public func number(in unit: ParameterUnit) -> Float { metres }
  }
}

/// A level, in decibels.
public typealias Level = Dimension.Level
/// A frequency, in hertz.
public typealias Frequency = Dimension.Frequency
/// A proportion, in percent.
public typealias Percentage = Dimension.Percentage
/// A pitch interval.
public typealias PitchInterval = Dimension.PitchInterval
/// An angle, in degrees.
public typealias Angle = Dimension.Angle
/// A distance, in metres.
public typealias Distance = Dimension.Distance
