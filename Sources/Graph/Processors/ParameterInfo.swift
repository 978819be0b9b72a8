// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A parameter of an effect or plugin, as manifests, help and the API see it.
public struct ParameterInfo: Sendable, Equatable {
  /// A named value.
  public struct Choice: Sendable, Equatable {
    /// The name of the choice.
    public var name: String
    /// The number it stands for.
    public var value: Float

    /// Names a value.
    package init(_ name: String, _ value: Float) {
      self.name = name
      self.value = value
    }
  }

  /// The choices of another parameter with which this one does something.
  package struct Need: Sendable, Equatable {
    /// The symbol of the parameter that chooses, of the same band where both repeat.
    package var parameter: String
    /// The names of its choices with which this one does something.
    package var choices: [String]

    /// Asks for one of some choices.
    package init(_ parameter: String, _ choices: [String]) {
      self.parameter = parameter
      self.choices = choices
    }
  }

  /// Its number in events: the unit's raw value, the plugin's port index.
  package var number: Int
  /// Its name for machines.
  public var symbol: String
  /// Its name for people.
  public var name: String
  /// One line that describes the parameter; may be empty.
  public var meaning: String
  /// The unit of the parameter's number.
  public var unit: ParameterUnit
  /// The values it takes, as far as it says. LV2 leaves it open: then it is all finite numbers.
  public var range: ClosedRange<Float>
  /// The default value.
  public var initial: Float
  /// How the range is laid out.
  public var curve: ParameterCurve
  /// Its named values; for a `choice` curve no others are allowed.
  public var choices: [Choice]
  /// How long a change takes unless another length is asked for, in seconds.
  package var glide: Float
  /// Whether it does something only where the main output has two channels.
  package var isForStereo: Bool
  /// What another parameter has to be for it to do something; nil where nothing is asked.
  package var needs: Need?

  /// Describes a parameter.
  package init(
    number: Int, symbol: String, name: String, meaning: String = "", unit: ParameterUnit = .none,
    range: ClosedRange<Float>, initial: Float, curve: ParameterCurve = .linear, choices: [Choice] = [],
    glide: Float = 0, isForStereo: Bool = false, needs: Need? = nil
  ) {
    self.number = number
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

  /// A built-in unit's parameter, under the number it has in events.
  package init(_ description: ParameterDescription, number: Int) {
    self.init(
      number: number, symbol: "\(description.symbol)", name: "\(description.name)",
      meaning: "\(description.meaning)", unit: description.unit, range: description.range,
      initial: description.initial, curve: description.curve,
      choices: description.choices.enumerated().map { Choice("\($1)", Float($0)) }, glide: description.glide,
      isForStereo: description.isForStereo,
      needs: description.needs.map { Need("\($0.parameter)", $0.choices.map { "\($0)" }) }
    )
  }
}
