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
          setting.parameter.position, "found '\(setting.parameter.text)' twice; expected each parameter once")
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
        preset.position, "found the preset '\(Document.short(preset.text))'; '\(node)' has no presets")
    } else {
      problems.unknown(
        preset.position, "'\(node)' has no preset '\(Document.short(preset.text))'", preset.text,
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
      name.position, "'\(node)' has no parameter '\(Document.short(name.text))'", name.text, among: symbols)
    return nil
  }

  private mutating func set(
    _ value: Manifest.Value, _ bands: ProcessorInfo.Bands, of node: String,
    on target: inout ResolvedManifest.Node
  ) {
    let rows: [Manifest.Band], position: TextPosition
    switch value {
    case .bands(let list, let start): (rows, position) = (list, start)
    case .text(let text):
      return problems.error(
        text.position, "found '\(Document.short(text.text))'; expected a list of \(bands.symbol), each { … }")
    case .list(let texts, _):
      for text in texts {
        problems.error(
          text.position,
          "found '\(Document.short(text.text))'; expected parameters by name: a mapping of keys")
      }
      return
    }
    guard bands.count.contains(rows.count) else {
      problems.error(
        position,
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
            setting.parameter.position,
            "\(name) has no parameter '\(Document.short(setting.parameter.text))'", setting.parameter.text,
            among: bands.parameters.map(\.symbol))
          continue
        }
        guard let value = self.value(setting.value, known) else { continue }
        target.values.append(ResolvedManifest.Value(parameter: known.number + offset, value: value))
      }
    }
  }

  /// Resolves the value of a plugin's property.
  mutating func set(
    _ property: ProcessorInfo.Property, to setting: Manifest.Setting, on node: inout ResolvedManifest.Node
  ) {
    let name = Document.short(setting.parameter.text)
    guard property.isWritable else {
      return problems.error(
        setting.parameter.position, "'\(name)' of '\(node.name)' is set by the plugin alone")
    }
    guard !node.properties.contains(where: { $0.number == property.number }) else {
      return problems.error(setting.parameter.position, "found '\(name)' twice; expected each parameter once")
    }
    guard let written = text(of: setting.value, property) else { return }
    let value: PropertyValue
    do throws(ProcessorInfo.Property.Misfit) { value = try property.value(of: written.text) } catch {
      return problems.error(written.position, "found '\(Document.short(written.text))'; \(error.reason)")
    }
    guard case .path(let path) = value else {
      return node.properties.append(.init(number: property.number, value: value))
    }
    let file = ManifestPath.joined(directory, path)
    if let fault = catalog.fileFault(file) {
      return problems.error(written.position, "found the file '\(Document.short(file))', which \(fault)")
    }
    node.properties.append(.init(number: property.number, value: .path(file)))
  }

  /// Returns the folder of a state; nil after reporting an error.
  ///
  /// - Parameter plugin: The URI of the plugin that receives the state.
  mutating func state(_ written: Manifest.Text, of plugin: String) -> String? {
    let folder = ManifestPath.joined(directory, written.text)
    if let fault = catalog.fileFault(folder + "/state.ttl") {
      problems.error(
        written.position, "found the state '\(Document.short(folder))', whose file state.ttl \(fault)")
      return nil
    }
    if let fault = catalog.stateFault(folder, plugin) {
      problems.error(
        written.position, "found the state '\(Document.short(folder))', which cannot be loaded: \(fault)")
      return nil
    }
    return folder
  }

  /// Returns the value of a property as one text; nil after reporting an error.
  private mutating func text(
    of value: Manifest.Value, _ property: ProcessorInfo.Property
  ) -> Manifest.Text? {
    switch value {
    case .text(let text): return text
    case .list(let texts, let position) where property.kind == .vector:
      return Manifest.Text(texts.map(\.text).joined(separator: ", "), position: position)
    case .list(_, let position), .bands(_, let position):
      problems.error(position, "found a list; expected '\(property.symbol)' to be \(property.kind.words)")
      return nil
    }
  }
}
