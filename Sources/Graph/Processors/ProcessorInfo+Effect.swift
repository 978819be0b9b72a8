// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

extension ProcessorInfo {
  /// Creates the description of a built-in or custom effect.
  package init<E: Effect & ~Copyable>(describing effect: E.Type) {
    let description = E.description
    let plain = E.parameters
    self.init(
      id: "\(description.symbol)", name: "\(description.name)", meaning: "\(description.meaning)",
      origin: .builtIn, category: Self.category("\(description.lv2Class)"),
      inputs: description.inputs.enumerated().map { index, bus in
        Bus("\(bus.symbol)", bus.content, isSideChain: index > 0 && bus.content != .events)
      },
      outputs: description.outputs.map { Bus("\($0.symbol)", $0.content) },
      parameters: plain.enumerated().map { ParameterInfo($1, number: $0) },
      bands: E.bands.map { Bands($0, firstNumber: plain.count) },
      meters: description.meters.map {
        Meter(symbol: "\($0.symbol)", name: "\($0.symbol)", unit: $0.unit, range: $0.range)
      },
      presets: E.presets.map { preset in
        let values = preset.values.map { ($0.parameter, $0.value) }
        return Preset(
          id: "\(preset.name)", label: "\(preset.name)", values: Dictionary(values) { $1 })
      },
      files: description.files.map { File($0) }, algorithms: description.algorithms.map { "\($0)" })
  }

  /// Returns the category for an LV2 class, such as `Delay` for `DelayPlugin`.
  private static func category(_ lv2Class: String) -> String {
    lv2Class.hasSuffix("Plugin") ? String(lv2Class.dropLast(6)) : lv2Class
  }
}

extension ProcessorInfo.Bands {
  /// Describes the bands of an effect, whose first parameter has the number `firstNumber` in events.
  init(_ description: BandDescription, firstNumber: Int) {
    self.init(
      symbol: "\(description.symbol)", singular: "\(description.singular)", count: description.count,
      defaultCount: description.defaultCount, followsChannels: description.followsChannels,
      parameters: description.parameters.enumerated().map { ParameterInfo($1, number: firstNumber + $0) })
  }
}
