// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The description of a parameter of an effect or plugin, for manifests, help and the API.
public struct ParameterInfo: Sendable, Equatable {
  /// A named value.
  public struct Choice: Sendable, Equatable {
    /// The name of the choice.
    public var name: String
    /// The value that the name stands for.
    public var value: Float

    /// Creates a named value.
    package init(_ name: String, _ value: Float) {
      self.name = name
      self.value = value
    }
  }

  /// The choices of another parameter for which this parameter has an effect.
  package struct Need: Sendable, Equatable {
    /// The symbol of the other parameter, in the same band if both repeat.
    package var parameter: String
    /// The names of its choices for which this parameter has an effect.
    package var choices: [String]

    /// Requires one of some choices.
    package init(_ parameter: String, _ choices: [String]) {
      self.parameter = parameter
      self.choices = choices
    }
  }

  /// The parameter's number in events: the raw value for an effect, the port index for a plugin.
  package var number: Int
  /// The machine-readable name.
  public var symbol: String
  /// The display name.
  public var name: String
  /// One line that describes the parameter; may be empty.
  public var meaning: String
  /// The unit of the parameter's value.
  public var unit: ParameterUnit
  /// The range of values, as far as it is specified. LV2 does not require a range: then it includes all finite numbers.
  public var range: ClosedRange<Float>
  /// The default value.
  public var initial: Float
  /// The curve by which the range is presented.
  public var curve: ParameterCurve
  /// The named values; for a `choice` curve, no other values are allowed.
  public var choices: [Choice]
  /// The default glide of a change, in seconds.
  package var glide: Float
  /// Whether the parameter has an effect only if the main output is stereo.
  package var isForStereo: Bool
  /// The condition on another parameter under which this one has an effect; nil for none.
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

  /// Describes a parameter of a built-in effect, with its number in events.
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
