// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

extension ManifestSchema {
  /// Returns the schema of a node: the name of a kind, or a mapping with exactly one kind and the keys for that kind.
  static func node(_ effects: [ProcessorInfo]) -> JSONValue {
    var keys = KindKey.descriptions + NodeKey.descriptions
    if !effects.isEmpty {
      keys = keys.map { key in
        guard key.key == KindKey.effect.rawValue else { return key }
        return KeyDescription(
          key: key.key, meaning: key.meaning, shape: .choice(effects.map(\.id)), isRequired: false)
      }
    }
    let kinds = KindKey.allCases.map { kind -> JSONValue in
      let fitting = NodeKey.allCases.filter { $0.kinds.contains(kind) }.map(\.rawValue)
      return .object([
        ("required", .list([.string(kind.rawValue)])),
        ("propertyNames", .object([("enum", .list(([kind.rawValue] + fitting).map(JSONValue.string)))])),
      ])
    }
    var entries: [(key: String, value: JSONValue)] = [
      ("type", .string("object")), ("properties", properties(keys, effects)), ("oneOf", .list(kinds)),
    ]
    if !effects.isEmpty { entries.append(("allOf", .list(effects.map(settings(of:))))) }
    let alone = KindKey.allCases.filter(\.standsAlone).map { JSONValue.string($0.rawValue) }
    return any([.object([("enum", .list(alone))]), .object(entries)])
  }

  /// The type of a parameter's value.
  static var value: JSONValue { .list(["string", "number", "boolean"].map(JSONValue.string)) }

  /// The schema of parameters of an unspecified effect or plugin.
  static var settings: JSONValue {
    let band = JSONValue.object([
      ("type", .string("object")), ("additionalProperties", .object([("type", value)])),
    ])
    return .object([
      ("type", .list([.string("object"), .string("null")])),
      (
        "additionalProperties",
        any([.object([("type", value)]), .object([("type", .string("array")), ("items", band)])])
      ),
    ])
  }

  /// Returns the condition that a node with this effect has this effect's parameters, presets and files.
  private static func settings(of effect: ProcessorInfo) -> JSONValue {
    let key = KindKey.effect.rawValue
    let condition = JSONValue.object([
      ("properties", .object([(key, .object([("const", .string(effect.id))]))])),
      ("required", .list([.string(key)])),
    ])
    var parameters = effect.parameters.map { (key: $0.symbol, value: parameter($0)) }
    if let bands = effect.bands {
      let band = object(bands.parameters.map { (key: $0.symbol, value: parameter($0)) })
      parameters.append(
        (
          bands.symbol,
          .object([
            ("type", .string("array")), ("minItems", .integer(bands.count.lowerBound)),
            ("maxItems", .integer(bands.count.upperBound)), ("items", band),
          ])
        ))
    }
    var keys: [(key: String, value: JSONValue)] = [(NodeKey.set.rawValue, object(parameters))]
    let presets = Set(effect.presets.flatMap { [$0.id, $0.label] }).sorted()
    if !presets.isEmpty { keys.append((NodeKey.preset.rawValue, schema(.choice(presets), []))) }
    var then: [(key: String, value: JSONValue)] = []
    if !effect.files.isEmpty {
      keys.append((NodeKey.files.rawValue, files(effect.files)))
      if effect.files.contains(where: \.isRequired) {
        then.append(("required", .list([.string(NodeKey.files.rawValue)])))
      }
    }
    then.append(("properties", .object(keys)))
    return .object([("if", condition), ("then", .object(then))])
  }

  private static func files(_ files: [ProcessorInfo.File]) -> JSONValue {
    .object([
      ("type", .string("object")),
      ("properties", .object(files.map { (key: $0.symbol, value: described(type("string"), $0.meaning)) })),
      ("required", .list(files.filter(\.isRequired).map { .string($0.symbol) })),
      ("additionalProperties", .toggle(false)),
    ])
  }

  private static func object(_ properties: [(key: String, value: JSONValue)]) -> JSONValue {
    .object([
      ("type", .list([.string("object"), .string("null")])), ("properties", .object(properties)),
      ("additionalProperties", .toggle(false)),
    ])
  }

  private static func parameter(_ parameter: ParameterInfo) -> JSONValue {
    let names = parameter.choices.map { JSONValue.string($0.name) }
    let shape: JSONValue =
      switch parameter.curve {
      case .toggle: type("boolean")
      case .choice:
        .object([("enum", .list(names + numbers(parameter).map { .number($0) }))])
      case .integer, .linear, .logarithmic:
        number(
          parameter.unit, minimum: exact(parameter.range.lowerBound),
          maximum: exact(parameter.range.upperBound))
      }
    let initial =
      switch parameter.curve {
      case .toggle: parameter.initial > 0 ? "true" : "false"
      case .choice:
        parameter.choices.first { $0.value == parameter.initial }?.name
          ?? "\(Quantity(exact(parameter.initial)))"
      case .integer, .linear, .logarithmic: "\(Quantity(exact(parameter.initial), parameter.unit.written))"
      }
    return described(shape, "\(parameter.meaning). Default: \(initial)")
  }

  private static func exact(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

  /// Returns the numbers that select a choice: those that are names, or else the choices' values.
  private static func numbers(_ parameter: ParameterInfo) -> [Double] {
    let named = parameter.choices.compactMap { Quantity($0.name)?.number }
    return named.isEmpty ? parameter.choices.map { exact($0.value) } : named
  }

  /// Returns the schema of a number with an optional unit of the same dimension.
  static func number(_ unit: ParameterUnit, minimum: Double, maximum: Double) -> JSONValue {
    let units = WrittenUnit.allCases.filter { written in
      Quantity(1, written).value(in: unit) != nil
    }
    let behind = units.isEmpty ? "" : " *(\(units.map(\.rawValue).joined(separator: "|")))?"
    return any([
      .object([("type", .string("number")), ("minimum", .number(minimum)), ("maximum", .number(maximum))]),
      pattern("^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\(behind)$"),
    ])
  }
}
