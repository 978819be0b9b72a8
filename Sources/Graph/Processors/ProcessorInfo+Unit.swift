// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension ProcessorInfo {
  /// What a built-in effect, or one of your own, says of itself.
  public init<Unit: EffectUnit & ~Copyable>(describing unit: Unit.Type) {
    let description = Unit.description
    let plain = Unit.Parameter.plain
    self.init(
      id: "\(description.symbol)", name: "\(description.name)", meaning: "\(description.meaning)",
      origin: .builtIn, category: Self.category("\(description.lv2Class)"),
      inputs: description.inputs.enumerated().map { place, bus in
        BusInfo("\(bus.symbol)", bus.content, isSideChain: place > 0 && bus.content != .events)
      },
      outputs: description.outputs.map { BusInfo("\($0.symbol)", $0.content) },
      parameters: plain.enumerated().map { ParameterInfo($1, number: $0) },
      bands: Unit.Parameter.bands.map { BandInfo($0, firstNumber: plain.count) },
      meters: description.meters.map {
        MeterInfo(symbol: "\($0.symbol)", name: "\($0.symbol)", unit: $0.unit, range: $0.range)
      },
      presets: description.presets.map { PresetInfo(id: "\($0.name)", label: "\($0.name)") },
      files: description.files.map { FileInfo($0) }, engines: description.engines.map { "\($0)" })
  }

  /// `Delay` for LV2's `DelayPlugin`.
  private static func category(_ lv2Class: String) -> String {
    lv2Class.hasSuffix("Plugin") ? String(lv2Class.dropLast(6)) : lv2Class
  }
}

extension BandInfo {
  /// A unit's bands, whose first parameter has `firstNumber` in events.
  init(_ description: BandDescription, firstNumber: Int) {
    self.init(
      symbol: "\(description.symbol)", singular: "\(description.singular)", count: description.count,
      initialCount: description.initialCount, followsChannels: description.followsChannels,
      parameters: description.parameters.enumerated().map { ParameterInfo($1, number: firstNumber + $0) })
  }
}
