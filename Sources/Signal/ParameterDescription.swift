// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The unit of a parameter's number.
@nonexhaustive public enum ParameterUnit: Sendable, Equatable {
  /// No unit: a ratio, a switch, a choice.
  case none
  /// Decibels.
  case decibels
  /// Loudness relative to full scale, in LUFS as measured by ITU-R BS.1770.
  case loudness
  /// Differences of loudness, in LU: 1 LU is 1 dB.
  case loudnessUnits
  /// Hertz.
  case hertz
  /// Milliseconds.
  case milliseconds
  /// Seconds.
  case seconds
  /// Percent.
  case percent
  /// Semitones, 12 to the octave.
  case semitones
  /// Cents, hundredths of a semitone.
  case cents
  /// MIDI note numbers: 60 is middle C.
  case midiNote
  /// Octaves.
  case octaves
  /// Beats per minute.
  case beatsPerMinute
  /// Degrees.
  case degrees
  /// Metres.
  case metres
  /// Frames.
  case frames
}

/// The mapping of a parameter's range to the travel of a control such as a knob.
@nonexhaustive public enum ParameterCurve: Sendable, Equatable {
  /// Equal travel for equal differences.
  case linear
  /// Equal travel for equal ratios: frequencies, times.
  case logarithmic
  /// Integers only.
  case integer
  /// Off (0) or on (1).
  case toggle
  /// One of the named values, counted from 0.
  case choice
}

/// A condition on another parameter: a filter's slope, for example, has an effect only in low-pass and high-pass
/// filters.
public struct ParameterCondition: Sendable {
  /// The symbol of the other parameter; of the same band if both parameters repeat.
  public let parameter: StaticString
  /// The choices of the other parameter with which this parameter has an effect.
  public let choices: [StaticString]

  /// Creates a condition.
  public init(_ parameter: StaticString, _ choices: [StaticString]) {
    self.parameter = parameter
    self.choices = choices
  }
}

/// The description of a parameter. Checks, help, the API and LV2 ports are generated from it.
public struct ParameterDescription: Sendable {
  /// The parameter's symbol, which never changes: lower-case words joined by hyphens.
  public let symbol: StaticString
  /// The parameter's display name.
  public let name: StaticString
  /// The purpose of the parameter, in one line.
  public let meaning: StaticString
  /// The unit of the value.
  public let unit: ParameterUnit
  /// The range of the value.
  public let range: ClosedRange<Float>
  /// The default value.
  public let initial: Float
  /// The mapping of the range to the travel of a control.
  public let curve: ParameterCurve
  /// The names of the choices, by value from 0.
  public let choices: [StaticString]
  /// The default length of a change, in seconds.
  public let glide: Float
  /// Whether the parameter has an effect only if the main output has two channels.
  public let isForStereo: Bool
  /// The condition under which the parameter has an effect; nil: always.
  public let needs: ParameterCondition?

  /// Describes a parameter.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, unit: ParameterUnit = .none,
    range: ClosedRange<Float>, initial: Float, curve: ParameterCurve = .linear, choices: [StaticString] = [],
    glide: Float = 0.02, isForStereo: Bool = false, needs: ParameterCondition? = nil
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.unit = unit
    self.range = range
    self.initial = initial
    self.curve = curve
    self.choices = choices
    self.glide = glide
    self.isForStereo = isForStereo
    self.needs = needs
  }

  /// Describes a parameter that is off or on.
  public static func toggle(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, initial: Bool = false
  ) -> ParameterDescription {
    ParameterDescription(symbol, name: name, meaning, range: 0...1, initial: initial ? 1 : 0, curve: .toggle)
  }

  /// Describes a parameter whose value is one of some named choices, numbered from 0.
  public static func choice(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, of choices: [StaticString],
    initial: Int = 0
  ) -> ParameterDescription {
    ParameterDescription(
      symbol, name: name, meaning, range: 0...Float(max(choices.count - 1, 0)), initial: Float(initial),
      curve: .choice, choices: choices, glide: 0)
  }
}
