// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// Warnings about valid settings that have no effect.
extension Checker {
  /// Warns about settings that have no effect, and about side chains that are unconnected or unused.
  mutating func warnOfIdleSettings() {
    for (index, (node, source)) in zip(nodes, sources).enumerated() {
      guard let info = Widths.info(node.kind) else { continue }
      warnOfSilentSettings(source, info, node)
      for setting in source.settings {
        if let bands = info.bands, case .bands(let rows, _) = setting.value {
          for (number, row) in rows.enumerated() { warn(of: row, number, bands, node) }
        } else {
          let moving = moving(info.parameters, of: node.name)
          warn(of: setting, Siblings(info.parameters, of: "'\(node.name)'", node, moving: moving))
        }
      }
      if info.origin == .builtIn { warnOfSideChains(index, info, node, source) }
    }
  }

  /// Warns about other settings of an effect whose `mix` is 0, since they are inaudible.
  private mutating func warnOfSilentSettings(
    _ source: Manifest.Node, _ info: ProcessorInfo, _ node: ResolvedManifest.Node
  ) {
    guard let mix = info.parameters.first(where: { $0.symbol == "mix" }), mix.range.lowerBound == 0,
      node.values.contains(where: { $0.parameter == mix.number && $0.value == 0 }),
      let written = source.settings.first(where: { $0.parameter.text == mix.symbol })
    else { return }
    guard !moves(mix.symbol, of: source.name) else { return }
    let idle = source.settings.map(\.parameter.text).filter { $0 != mix.symbol }
    guard !idle.isEmpty || source.preset != nil else { return }
    let what = idle.isEmpty ? ["its preset"] : idle.prefix(4).map { "'\(Document.short($0))'" }
    problems.warning(
      written.parameter.position,
      "'mix' of '\(source.name)' is 0, so \(what.joined(separator: ", ")) \(what.count == 1 ? "has" : "have") no effect"
    )
  }

  private mutating func warn(
    of row: Manifest.Band, _ number: Int, _ bands: ProcessorInfo.Bands, _ node: ResolvedManifest.Node
  ) {
    let siblings = Siblings(
      bands.parameters, of: "\(bands.singular) \(number + 1) of '\(node.name)'", node,
      moving: moving(bands.parameters, of: node.name, in: "\(bands.symbol)[\(number + 1)]."),
      offset: number * bands.parameters.count)
    if let off = row.settings.first(where: { $0.parameter.text == "enabled" }), siblings["enabled"] == 0 {
      problems.warning(off.parameter.position, "\(siblings.owner) is switched off and does nothing")
      return
    }
    for setting in row.settings { warn(of: setting, siblings) }
  }

  /// Returns the symbols of the parameters that follow lanes.
  private func moving(
    _ parameters: [ParameterInfo], of node: String, in band: String = ""
  ) -> Set<String> {
    Set(parameters.map(\.symbol).filter { moves(band + $0, of: node) })
  }

  private mutating func warn(of setting: Manifest.Setting, _ siblings: Siblings) {
    guard let known = siblings.parameters.first(where: { $0.symbol == setting.parameter.text }),
      let value = siblings[known.symbol], value != known.initial
    else { return }
    let does = "'\(known.symbol)' of \(siblings.owner) does nothing"
    if known.isForStereo, let width = siblings.node.outputs.first?.format.channelCount, width != 2 {
      problems.warning(
        setting.parameter.position,
        "\(does): it is for stereo, and '\(siblings.node.name)' has \(width) "
          + (width == 1 ? "channel" : "channels"))
    }
    if let needs = known.needs, let choice = siblings.choice(of: needs.parameter),
      !needs.choices.contains(choice)
    {
      problems.warning(
        setting.parameter.position,
        "\(does) while '\(needs.parameter)' is \(choice); it is for " + Self.list(needs.choices))
    }
  }

  /// Warns about side-chain inputs. An effect uses its side chain always, or only if the toggle with the bus's symbol
  /// is on.
  private mutating func warnOfSideChains(
    _ index: Int, _ info: ProcessorInfo, _ node: ResolvedManifest.Node, _ source: Manifest.Node
  ) {
    let own = Siblings(
      info.parameters, of: "'\(node.name)'", node, moving: moving(info.parameters, of: node.name))
    for (number, bus) in info.inputs.enumerated() where bus.isSideChain {
      let isFed = wires.contains { $0.to.node == index && $0.to.bus == number }
      let hasToggle = info.parameters.contains { $0.symbol == bus.symbol }
      let setting = source.settings.first { $0.parameter.text == bus.symbol }
      if !isFed, !hasToggle || own[bus.symbol] == 1 {
        problems.warning(
          setting?.parameter.position ?? node.position,
          "nothing is wired into the side chain '\(bus.symbol)' of '\(node.name)', so its detector gets silence"
        )
      } else if isFed, hasToggle, own[bus.symbol] == 0 {
        problems.warning(
          setting?.parameter.position ?? node.position,
          "'\(node.name)' ignores the wire into its side chain '\(bus.symbol)'; set '\(bus.symbol): true'"
        )
      }
    }
  }

  /// Returns a list in words: `a, b or c`.
  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The parameters of a node or of one of its bands, with their known values.
private struct Siblings {
  let parameters: [ParameterInfo]
  let owner: String
  let node: ResolvedManifest.Node
  let offset: Int
  /// The symbols of the parameters that follow lanes.
  let moving: Set<String>

  init(
    _ parameters: [ParameterInfo], of owner: String, _ node: ResolvedManifest.Node, moving: Set<String>,
    offset: Int = 0
  ) {
    self.moving = moving
    self.parameters = parameters
    self.owner = owner
    self.node = node
    self.offset = offset
  }

  /// Returns a parameter's value; nil if a preset may have set it, or a lane changes it.
  subscript(symbol: String) -> Float? {
    guard let parameter = parameters.first(where: { $0.symbol == symbol }) else { return nil }
    guard !moving.contains(symbol) else { return nil }
    let written = node.values.last { $0.parameter == parameter.number + offset }?.value
    return written ?? (node.preset == nil ? parameter.initial : nil)
  }

  /// Returns the name of a parameter's choice; nil if a preset may have set it.
  func choice(of symbol: String) -> String? {
    guard let value = self[symbol] else { return nil }
    return parameters.first { $0.symbol == symbol }?.choices.first { $0.value == value }?.name
  }
}
