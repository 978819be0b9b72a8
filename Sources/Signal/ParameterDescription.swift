// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The unit of a parameter's number.
public enum ParameterUnit: Sendable, Equatable {
  /// A bare number: a ratio, a switch, a choice.
  case none
  /// Decibels.
  case decibels
  /// Loudness over full scale, LUFS, as ITU-R BS.1770 measures it.
  case loudness
  /// Steps of loudness, LU: as large as a decibel.
  case loudnessUnits
  /// Cycles a second.
  case hertz
  /// Thousandths of a second.
  case milliseconds
  /// Seconds.
  case seconds
  /// Hundredths.
  case percent
  /// Semitones, 12 to the octave.
  case semitones
  /// Hundredths of a semitone.
  case cents
  /// Notes of the scale as MIDI counts them: 60 is middle C.
  case midiNote
  /// Octaves.
  case octaves
  /// Beats a minute.
  case beatsPerMinute
  /// Degrees of an angle.
  case degrees
  /// Metres.
  case metres
  /// Frames.
  case frames
}

/// How a parameter's range is laid out under a hand: where the middle of a knob lies.
public enum ParameterCurve: Sendable, Equatable {
  /// Equal steps everywhere.
  case linear
  /// Equal ratios everywhere: frequencies, times.
  case logarithmic
  /// Whole numbers only.
  case integer
  /// Off (0) or on (1).
  case toggle
  /// One of the named values, counted from 0.
  case choice
}

/// The choices of one parameter that make another matter: a filter's slope is for passes alone.
public struct ParameterNeed: Sendable {
  /// The symbol of the parameter that chooses, of the same band where both repeat.
  public let parameter: StaticString
  /// The choices with which the other does something.
  public let choices: [StaticString]

  /// Asks for one of some choices.
  public init(_ parameter: StaticString, _ choices: [StaticString]) {
    self.parameter = parameter
    self.choices = choices
  }
}

/// What a parameter is: the one description that checks, help, the API and LV2 ports are made from.
public struct ParameterDescription: Sendable {
  /// Its name for machines, for ever: lower-case words joined by hyphens.
  public let symbol: StaticString
  /// Its name for people.
  public let name: StaticString
  /// What it does, in one line.
  public let meaning: StaticString
  /// What its number counts.
  public let unit: ParameterUnit
  /// The values it takes.
  public let range: ClosedRange<Float>
  /// Its value where nobody says another.
  public let initial: Float
  /// How the range is laid out.
  public let curve: ParameterCurve
  /// The named values of a choice, 0 first.
  public let choices: [StaticString]
  /// How long a change takes unless another length is asked for, in seconds.
  public let glide: Float
  /// Whether it does something only where the main output has two channels.
  public let isForStereo: Bool
  /// What another parameter has to be for it to do something; nil where nothing is asked.
  public let needs: ParameterNeed?

  /// Describes a parameter.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, unit: ParameterUnit = .none,
    range: ClosedRange<Float>, initial: Float, curve: ParameterCurve = .linear, choices: [StaticString] = [],
    glide: Float = 0.02, isForStereo: Bool = false, needs: ParameterNeed? = nil
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

  /// A parameter that is off or on.
  public static func toggle(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, initial: Bool = false
  ) -> ParameterDescription {
    ParameterDescription(symbol, name: name, meaning, range: 0...1, initial: initial ? 1 : 0, curve: .toggle)
  }

  /// A parameter that takes one of some named values, counted from 0.
  public static func choice(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, of choices: [StaticString],
    initial: Int = 0
  ) -> ParameterDescription {
    ParameterDescription(
      symbol, name: name, meaning, range: 0...Float(max(choices.count - 1, 0)), initial: Float(initial),
      curve: .choice, choices: choices, glide: 0)
  }
}
