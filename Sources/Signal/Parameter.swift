// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a parameter's number counts.
public enum ParameterUnit: UInt8, Sendable, Equatable {
  /// A bare number: a ratio, a switch, a choice.
  case none
  /// Decibels.
  case decibels
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
public enum ParameterCurve: UInt8, Sendable, Equatable {
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

  /// Describes a parameter.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, unit: ParameterUnit = .none,
    range: ClosedRange<Float>, initial: Float, curve: ParameterCurve = .linear, choices: [StaticString] = [],
    glide: Float = 0.02
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

/// The parameters of a unit: an enum whose raw value is the parameter's number in events and ports.
///
/// Numbers are dense from 0. A unit with bands numbers its plain parameters first, then those of band 0, band
/// 1 and so on: `init?(rawValue:)` undoes that on the audio thread and is marked for it.
public protocol ParameterSet: RawRepresentable<Int>, Sendable {
  /// The parameters that stand once, in the order of their numbers.
  static var plain: [ParameterDescription] { get }
  /// What repeats for each band; nil where nothing does.
  static var bands: BandDescription? { get }
}

extension ParameterSet {
  public static var bands: BandDescription? { nil }

  /// The description of every parameter of a unit with `bandCount` bands, in the order of their numbers.
  public static func all(bandCount: Int) -> [ParameterDescription] {
    var all = plain
    guard let bands else { return all }
    for _ in 0..<max(bandCount, 0) { all += bands.parameters }
    return all
  }
}

/// Parameters that repeat: the bands of an equalizer, the sources of a room.
public struct BandDescription: Sendable {
  /// The key they stand under in a manifest: `bands`.
  public let symbol: StaticString
  /// One of them, for LV2 symbols and messages: `band`.
  public let singular: StaticString
  /// How many there may be.
  public let count: ClosedRange<Int>
  /// How many there are where nobody says.
  public let initialCount: Int
  /// The parameters of each.
  public let parameters: [ParameterDescription]

  /// Describes parameters that repeat.
  public init(
    _ symbol: StaticString, singular: StaticString, count: ClosedRange<Int>, initialCount: Int,
    parameters: [ParameterDescription]
  ) {
    self.symbol = symbol
    self.singular = singular
    self.count = count
    self.initialCount = initialCount
    self.parameters = parameters
  }
}
