// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

extension Checker {
  /// Resolves a node's preset and parameters.
  mutating func set(_ source: Manifest.Node, _ info: ProcessorInfo, on node: inout ResolvedManifest.Node) {
    if let preset = source.preset { node.preset = self.preset(preset, info, source.name) }
    // The number of bands that follow channels is set after the channels are known.
    node.bandCount = info.bands.map { $0.followsChannels ? 0 : $0.defaultCount } ?? 0
    var seen: Set<Int> = []
    for setting in source.settings {
      if let bands = info.bands, setting.parameter.text == bands.symbol {
        set(setting.value, bands, of: source.name, on: &node)
        continue
      }
      if let property = info.property(setting.parameter.text), property.isSetByMessage {
        set(property, to: setting, on: &node)
        continue
      }
      guard let parameter = parameter(setting.parameter, among: info, of: source.name),
        let value = value(setting.value, parameter)
      else { continue }
      guard seen.insert(parameter.number).inserted else {
        problems.error(
          setting.parameter.place, "found '\(setting.parameter.text)' twice; expected each parameter once")
        continue
      }
      node.values.append(ResolvedManifest.Value(parameter: parameter.number, value: value))
    }
  }

  private mutating func preset(_ preset: Manifest.Text, _ info: ProcessorInfo, _ node: String) -> String? {
    if let known = ProcessorInfo.Preset.find(preset.text, among: info.presets) { return known.id }
    // Only the plugin's code knows its programs.
    if info.hasPrograms { return preset.text }
    if info.presets.isEmpty {
      problems.error(
        preset.place, "found the preset '\(Document.short(preset.text))'; '\(node)' has no presets")
    } else {
      problems.unknown(
        preset.place, "'\(node)' has no preset '\(Document.short(preset.text))'", preset.text,
        among: info.presets.map(\.label))
    }
    return nil
  }

  private mutating func parameter(
    _ name: Manifest.Text, among info: ProcessorInfo, of node: String
  ) -> ParameterInfo? {
    if let known = info.parameters.first(where: { $0.symbol == name.text }) { return known }
    let symbols = info.parameters.map(\.symbol) + info.messageSymbols + (info.bands.map { [$0.symbol] } ?? [])
    problems.unknown(
      name.place, "'\(node)' has no parameter '\(Document.short(name.text))'", name.text, among: symbols)
    return nil
  }

  private mutating func set(
    _ value: Manifest.Value, _ bands: ProcessorInfo.Bands, of node: String,
    on target: inout ResolvedManifest.Node
  ) {
    let rows: [Manifest.Band], place: TextPosition
    switch value {
    case .bands(let list, let start): (rows, place) = (list, start)
    case .text(let text):
      return problems.error(
        text.place, "found '\(Document.short(text.text))'; expected a list of \(bands.symbol), each { … }")
    case .list(let texts, _):
      for text in texts {
        problems.error(
          text.place, "found '\(Document.short(text.text))'; expected parameters by name: a mapping of keys")
      }
      return
    }
    guard bands.count.contains(rows.count) else {
      problems.error(
        place,
        "found \(rows.count) \(bands.symbol); expected from \(bands.count.lowerBound) to \(bands.count.upperBound)"
      )
      return
    }
    target.bandCount = rows.count
    for (number, row) in rows.enumerated() {
      let offset = number * bands.parameters.count
      let name = "\(bands.singular) \(number + 1) of '\(node)'"
      for setting in row.settings {
        guard let known = bands.parameters.first(where: { $0.symbol == setting.parameter.text }) else {
          problems.unknown(
            setting.parameter.place,
            "\(name) has no parameter '\(Document.short(setting.parameter.text))'", setting.parameter.text,
            among: bands.parameters.map(\.symbol))
          continue
        }
        guard let value = self.value(setting.value, known) else { continue }
        target.values.append(ResolvedManifest.Value(parameter: known.number + offset, value: value))
      }
    }
  }
}
