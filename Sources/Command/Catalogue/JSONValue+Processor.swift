// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest
internal import SwiftletSignal

extension JSONValue {
  /// Creates the description of an effect or plugin as JSON.
  init(_ info: ProcessorInfo, latency: Int?, _ programs: [PluginProgram]) {
    self = .object([
      JSONValue.format,
      ("origin", .string(info.origin.rawValue)), ("id", .string(info.id)), ("name", .string(info.name)),
      ("meaning", .string(info.meaning)), ("category", .string(info.category)),
      ("usable", .toggle(info.refusal == nil)), ("refusal", .optional(info.refusal)),
      ("inputs", .list(info.inputs.map(Self.bus))), ("outputs", .list(info.outputs.map(Self.bus))),
      ("parameters", .list(info.parameters.map(Self.parameter))),
      ("bands", info.bands.map(Self.bands) ?? .null),
      ("meters", .list(info.meters.map(Self.meter))),
      (
        "presets",
        .list(info.presets.map { .object([("id", .string($0.id)), ("label", .string($0.label))]) })
      ),
      ("programs", .list(programs.map(Self.program))),
      ("files", .list(info.files.map(Self.file))),
      ("properties", .list(info.properties.map(Self.property))),
      ("engines", .list(info.algorithms.map(JSONValue.string))),
      ("latency", latency.map(JSONValue.integer) ?? .null),
      ("requiredFeatures", .list(info.requiredFeatures.map(JSONValue.string))),
    ])
  }

  private static func program(_ program: PluginProgram) -> JSONValue {
    .object([
      ("bank", .integer(program.change.bank + 1)), ("program", .integer(program.change.program + 1)),
      ("name", .string(program.name)),
    ])
  }

  private static func bus(_ bus: ProcessorInfo.Bus) -> JSONValue {
    let (content, channels): (String, JSONValue) =
      switch bus.content {
      case .matching, .atLeast: ("audio", .null)
      case .channels(let count): ("audio", .integer(count))
      case .events: ("events", .null)
      }
    return .object([
      ("symbol", .string(bus.symbol)), ("content", .string(content)), ("channels", channels),
      ("sideChain", .toggle(bus.isSideChain)),
    ])
  }

  private static func parameter(_ parameter: ParameterInfo) -> JSONValue {
    .object([
      ("symbol", .string(parameter.symbol)), ("name", .string(parameter.name)),
      ("meaning", .string(parameter.meaning)), ("unit", .optional(parameter.unit.written?.rawValue)),
      ("minimum", bound(parameter.range.lowerBound)), ("maximum", bound(parameter.range.upperBound)),
      ("default", .float(parameter.initial)), ("curve", .string("\(parameter.curve)")),
      (
        "choices",
        .list(parameter.choices.map { .object([("name", .string($0.name)), ("value", .float($0.value))]) })
      ),
    ])
  }

  private static func file(_ file: ProcessorInfo.File) -> JSONValue {
    .object([
      ("symbol", .string(file.symbol)), ("name", .string(file.name)), ("meaning", .string(file.meaning)),
      ("isSound", .toggle(file.content == .sound)), ("isRequired", .toggle(file.isRequired)),
    ])
  }

  private static func property(_ property: ProcessorInfo.Property) -> JSONValue {
    let type =
      switch property.kind {
      case .unknown(let type): type
      case .path, .text, .uri, .bool, .int, .long, .float, .double, .vector: "\(property.kind)"
      }
    return .object([
      ("symbol", .string(property.symbol)), ("uri", .string(property.uri)), ("name", .string(property.name)),
      ("meaning", .string(property.meaning)), ("type", .string(type)),
      ("isWritable", .toggle(property.isWritable)), ("isReadable", .toggle(property.isReadable)),
    ])
  }

  private static func bands(_ bands: ProcessorInfo.Bands) -> JSONValue {
    .object([
      ("symbol", .string(bands.symbol)), ("minimum", .integer(bands.count.lowerBound)),
      ("maximum", .integer(bands.count.upperBound)), ("default", .integer(bands.defaultCount)),
      ("followsChannels", .toggle(bands.followsChannels)),
      ("parameters", .list(bands.parameters.map(parameter))),
    ])
  }

  private static func meter(_ meter: ProcessorInfo.Meter) -> JSONValue {
    .object([
      ("symbol", .string(meter.symbol)), ("name", .string(meter.name)),
      ("unit", .optional(meter.unit.written?.rawValue)), ("minimum", bound(meter.range.lowerBound)),
      ("maximum", bound(meter.range.upperBound)),
    ])
  }

  /// Returns an end of a range; null if it is unbounded.
  private static func bound(_ value: Float) -> JSONValue {
    abs(value) < .greatestFiniteMagnitude ? .float(value) : .null
  }
}
