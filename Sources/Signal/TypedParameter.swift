// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A parameter of an effect: its key, its description, and the type of its values.
///
/// An effect declares one property of this type for each parameter, in its ``ParameterList``. From there a program gets
/// `echo.time.value = .milliseconds(350)`, which does not compile with a value of another dimension.
public struct TypedParameter<Key: Sendable, Value: ParameterValue>: Sendable {
  /// The parameter's key in the effect's own code.
  public let key: Key
  /// The description from which manifests, help, LV2 ports and control addresses are generated.
  public let description: ParameterDescription

  /// Describes a parameter of a quantity, such as a time or a level.
  ///
  /// - Parameters:
  ///   - symbol: the name in manifests, which never changes: lower-case words joined by hyphens.
  ///   - name: the display name.
  ///   - meaning: the purpose of the parameter, in one line.
  ///   - unit: the unit of range and numbers. Default: the unit of `Value`.
  ///   - range: the range of the value, as numbers in the unit.
  ///   - initial: the default value.
  ///   - curve: the mapping of the range to the travel of a control.
  ///   - glide: the default length of a change, in seconds.
  ///   - isForStereo: whether the parameter has an effect only if the main output has two channels.
  ///   - needs: the choices of another parameter with which it has an effect; nil: always.
  public init(
    _ key: Key, _ symbol: StaticString, name: StaticString, _ meaning: StaticString,
    unit: ParameterUnit = Value.unit, range: ClosedRange<Float>, default initial: Value,
    curve: ParameterCurve = .linear, glide: Float = 0.02, isForStereo: Bool = false,
    needs: ParameterCondition? = nil
  ) {
    self.key = key
    description = ParameterDescription(
      symbol, name: name, meaning, unit: unit, range: range, initial: initial.number(in: unit), curve: curve,
      glide: glide, isForStereo: isForStereo, needs: needs)
  }
}

extension TypedParameter where Value: ParameterChoice {
  /// Describes a parameter whose value is one of the choices of `Value`.
  ///
  /// - Parameter first: the name of the first choice, if it differs for this parameter.
  public init(
    _ key: Key, _ symbol: StaticString, name: StaticString, _ meaning: StaticString, default initial: Value,
    first: StaticString? = nil, glide: Float = 0, isForStereo: Bool = false, needs: ParameterCondition? = nil
  ) {
    var choices: [StaticString] = []
    for choice in Value.allCases { choices.append(choice.symbol) }
    if let first, !choices.isEmpty { choices[0] = first }
    self.key = key
    description = ParameterDescription(
      symbol, name: name, meaning, range: 0...Float(max(choices.count - 1, 0)),
      initial: Float(initial.rawValue),
      curve: .choice, choices: choices, glide: glide, isForStereo: isForStereo, needs: needs)
  }
}

extension TypedParameter where Value == Bool {
  /// Describes a parameter that is off or on.
  public init(
    _ key: Key, _ symbol: StaticString, name: StaticString, _ meaning: StaticString, default initial: Bool,
    glide: Float = 0.02, isForStereo: Bool = false, needs: ParameterCondition? = nil
  ) {
    self.key = key
    description = ParameterDescription(
      symbol, name: name, meaning, range: 0...1, initial: initial ? 1 : 0, curve: .toggle, glide: glide,
      isForStereo: isForStereo, needs: needs)
  }
}
