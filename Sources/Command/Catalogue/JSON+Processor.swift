// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletManifest
internal import SwiftletSignal

extension JSON {
  /// An effect or plugin for programs.
  init(_ info: ProcessorInfo, latency: Int?) {
    self = .object([
      JSON.format,
      ("origin", .string(info.origin.rawValue)), ("id", .string(info.id)), ("name", .string(info.name)),
      ("meaning", .string(info.meaning)), ("category", .string(info.category)),
      ("usable", .bool(info.refusal == nil)), ("refusal", .optional(info.refusal)),
      ("inputs", .array(info.inputs.map(Self.bus))), ("outputs", .array(info.outputs.map(Self.bus))),
      ("parameters", .array(info.parameters.map(Self.parameter))),
      ("bands", info.bands.map(Self.bands) ?? .null),
      ("meters", .array(info.meters.map(Self.meter))),
      (
        "presets",
        .array(info.presets.map { .object([("id", .string($0.id)), ("label", .string($0.label))]) })
      ),
      ("latency", latency.map(JSON.integer) ?? .null),
      ("requiredFeatures", .array(info.requiredFeatures.map(JSON.string))),
    ])
  }

  private static func bus(_ bus: BusInfo) -> JSON {
    let (content, channels): (String, JSON) =
      switch bus.content {
      case .matching: ("audio", .null)
      case .channels(let count): ("audio", .integer(count))
      case .events: ("events", .null)
      }
    return .object([
      ("symbol", .string(bus.symbol)), ("content", .string(content)), ("channels", channels),
      ("sideChain", .bool(bus.isSideChain)),
    ])
  }

  private static func parameter(_ parameter: ParameterInfo) -> JSON {
    .object([
      ("symbol", .string(parameter.symbol)), ("name", .string(parameter.name)),
      ("meaning", .string(parameter.meaning)), ("unit", .optional(parameter.unit.written?.rawValue)),
      ("minimum", bound(parameter.range.lowerBound)), ("maximum", bound(parameter.range.upperBound)),
      ("default", .number(parameter.initial)), ("curve", .string("\(parameter.curve)")),
      (
        "choices",
        .array(parameter.choices.map { .object([("name", .string($0.name)), ("value", .number($0.value))]) })
      ),
    ])
  }

  private static func bands(_ bands: BandInfo) -> JSON {
    .object([
      ("symbol", .string(bands.symbol)), ("minimum", .integer(bands.count.lowerBound)),
      ("maximum", .integer(bands.count.upperBound)), ("default", .integer(bands.initialCount)),
      ("parameters", .array(bands.parameters.map(parameter))),
    ])
  }

  private static func meter(_ meter: MeterInfo) -> JSON {
    .object([
      ("symbol", .string(meter.symbol)), ("name", .string(meter.name)),
      ("unit", .optional(meter.unit.written?.rawValue)), ("minimum", bound(meter.range.lowerBound)),
      ("maximum", bound(meter.range.upperBound)),
    ])
  }

  /// An end of a range; null where the plugin leaves it open.
  private static func bound(_ value: Float) -> JSON {
    abs(value) < .greatestFiniteMagnitude ? .number(value) : .null
  }
}
