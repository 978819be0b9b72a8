// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletSignal

/// The manifest language as a JSON Schema, with which editors complete and check manifests.
///
/// It is generated from the parser's tables and the descriptions of effects.
public enum ManifestSchema {
  /// Returns the schema's text: JSON Schema, draft 2020-12.
  ///
  /// - Parameter effects: The built-in effects whose names and parameters the schema contains.
  public static func text(effects: [ProcessorInfo] = []) -> String {
    let root = schema(.keys(RootKey.descriptions, oneOf: []), effects)
    guard case .object(let entries) = root else { return root.text() }
    let head: [(key: String, value: JSONValue)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .string("urn:swiftlet:schema:1")),
      ("title", .string("Swiftlet manifest")),
      ("description", .string("The parts of a Swiftlet client: nodes, the wires between them, and taps.")),
    ]
    return JSONValue.object(head + entries).text() + "\n"
  }

  static func schema(_ shape: Shape, _ effects: [ProcessorInfo]) -> JSONValue {
    switch shape {
    case .text: return .object([("type", .string("string")), ("minLength", .integer(1))])
    case .toggle: return type("boolean")
    case .number(let unit, let range):
      return number(unit, minimum: range.lowerBound, maximum: range.upperBound)
    case .level:
      return any([
        number(.none, minimum: Limits.factor.lowerBound, maximum: Limits.factor.upperBound),
        number(.decibels, minimum: Limits.nodeGain.lowerBound, maximum: Limits.nodeGain.upperBound),
      ])
    case .time:
      // A YAML 1.1 parser reads 1:30 as a number.
      return any([pattern(time), type("number")])
    case .range: return pattern("^.*[0-9].*[.][.].*[0-9].*$")
    case .barBeat: return pattern("^[0-9]+[|][0-9.]+$")
    case .timeSignature: return pattern("^[0-9]+/(1|2|4|8|16|32)$")
    case .whole(let range):
      return .object([
        ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
        ("maximum", .integer(range.upperBound)),
      ])
    case .choice(let words): return .object([("enum", .list(words.map(JSONValue.string)))])
    case .nothing: return type("null")
    case .channels:
      return any([schema(.choice(["mono", "stereo"]), effects), schema(.whole(Limits.channels), effects)])
    case .point: return pattern("^\(end)(->\(end))?$")
    case .wire: return wire(effects)
    case .settings: return settings
    case .node: return node(effects)
    case .value: return .object([("type", value)])
    case .lanes(let shape):
      return .object([
        ("type", .list([.string("object"), .string("null")])),
        ("propertyNames", .object([("pattern", .string("^[^.]+[.].+$"))])),
        ("additionalProperties", schema(shape, effects)),
      ])
    case .named(let shape):
      return .object([
        ("type", .list([.string("object"), .string("null")])),
        (
          "propertyNames",
          .object([("pattern", .string(Word.pattern)), ("maxLength", .integer(Word.lengthLimit))])
        ),
        ("additionalProperties", schema(shape, effects)),
      ])
    case .ends(let shape):
      return .object([
        ("type", .list([.string("object"), .string("null")])),
        ("propertyNames", .object([("pattern", .string("^\(end)$"))])),
        ("additionalProperties", schema(shape, effects)),
      ])
    case .list(let shape):
      return .object([
        ("type", .list([.string("array"), .string("null")])), ("items", schema(shape, effects)),
      ])
    case .keys(let keys, let oneOf): return mapping(keys, oneOf: oneOf, effects)
    case .either(let shapes): return any(shapes.map { schema($0, effects) })
    }
  }

  static func type(_ name: String) -> JSONValue { .object([("type", .string(name))]) }
  static func any(_ schemas: [JSONValue]) -> JSONValue { .object([("anyOf", .list(schemas))]) }
  static func pattern(_ pattern: String) -> JSONValue {
    .object([("type", .string("string")), ("pattern", .string(pattern))])
  }

  /// Returns a schema with a description, which editors show.
  static func described(_ schema: JSONValue, _ meaning: String) -> JSONValue {
    guard case .object(let entries) = schema else { return schema }
    return .object([("description", .string(meaning))] + entries)
  }

  static func properties(_ keys: [KeyDescription], _ effects: [ProcessorInfo]) -> JSONValue {
    .object(keys.map { (key: $0.key, value: described(schema($0.shape, effects), $0.meaning)) })
  }

  private static func mapping(
    _ keys: [KeyDescription], oneOf: [String], _ effects: [ProcessorInfo]
  ) -> JSONValue {
    var entries: [(key: String, value: JSONValue)] = [
      ("type", .string("object")), ("properties", properties(keys, effects)),
      ("additionalProperties", .toggle(false)),
    ]
    let required = keys.filter(\.isRequired).map { JSONValue.string($0.key) }
    if !required.isEmpty { entries.append(("required", .list(required))) }
    if !oneOf.isEmpty {
      entries.append(("oneOf", .list(oneOf.map { .object([("required", .list([.string($0)]))]) })))
    }
    return .object(entries)
  }

  private static let time =
    "^[-+]?[0-9.]+ ?(h|min|s|ms|us|(samples|frames)? ?(@ ?[0-9]+)?)$|^[-+]?[0-9:]+:[0-9.]+$|^[0-9]+[|][0-9.]+$"

  private static let end = "\\s*[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)?(\\[[0-9]{1,3}\\])?\\s*"

  private static func wire(_ effects: [ProcessorInfo]) -> JSONValue {
    let values = any([
      schema(WireKey.gain.shape, effects), schema(.keys(WireKey.wireDescriptions, oneOf: []), effects),
    ])
    return any([
      pattern("^\(end)(->\(end))+$"),
      .object([
        ("type", .string("object")), ("minProperties", .integer(1)), ("maxProperties", .integer(1)),
        ("propertyNames", .object([("pattern", .string("^\(end)->\(end)$"))])),
        ("additionalProperties", values),
      ]),
    ])
  }
}
