// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// Warnings about sound that arrives twice: by a direct wire, and through nodes that pass it on unchanged.
extension Checker {
  /// Warns about a direct wire that remains where an effect was probably meant to be inserted between its ends.
  ///
  /// Parallel effects are common, so there is a warning only if no wire on either path has a level, a pan or a lane,
  /// and each node in between passes at least half of its sound unchanged.
  mutating func warnOfDoubledSound() {
    var ends: [Int: [Int]] = [:], leaving: [Int: [Int]] = [:]
    let automated = automatedIndices
    let passes = nodes.indices.map { !automated.nodes.contains($0) && passesDrySound(nodes[$0]) }
    for (number, wire) in wires.enumerated() where !automated.wires.contains(number) && isPlain(wire) {
      leaving[wire.from.node, default: []].append(number)
      if passes[wire.from.node] { ends[wire.from.node, default: []].append(wire.to.node) }
    }
    // The numbers of searches and warnings are limited for very large manifests.
    var searches = 0, warnings = 0
    for node in leaving.keys.sorted() {
      let numbers = leaving[node] ?? [],
        passingNodes = numbers.map { wires[$0].to.node }.filter { passes[$0] }
      for number in numbers where !passingNodes.isEmpty && warnings < 100 && searches < 1000 {
        let end = wires[number].to.node
        for passing in passingNodes where passing != end && searches < 1000 {
          searches += 1
          guard Graph.isDoubled(at: end, by: [passing], ends) else { continue }
          warnOfDoubledSound(number, through: nodes[passing])
          warnings += 1
          break
        }
      }
    }
  }

  private mutating func warnOfDoubledSound(_ number: Int, through passing: ResolvedManifest.Node) {
    let wire = wires[number], source = wireSources[number]
    var advice = "remove '\(source.from) -> \(source.to)'"
    if case .effect = passing.kind, !passing.isBypassed {
      advice += ", or set 'mix' of '\(passing.name)' to 100 %"
    }
    problems.warning(
      source.from.position,
      "'\(nodes[wire.from.node].name)' is heard twice at '\(nodes[wire.to.node].name)': directly, and through "
        + "'\(passing.name)', which passes it on unchanged; \(advice)")
  }

  /// The indices of the nodes and wires that follow a lane.
  private var automatedIndices: (nodes: Set<Int>, wires: Set<Int>) {
    var indices: (nodes: Set<Int>, wires: Set<Int>) = ([], [])
    for lane in lanes {
      switch lane.target {
      case .node(let index, _): indices.nodes.insert(index)
      case .wire(let number, _): indices.wires.insert(number)
      }
    }
    return indices
  }

  /// Whether a wire joins two main audio buses without any change.
  private func isPlain(_ wire: ResolvedManifest.Wire) -> Bool {
    wire.from.bus == 0 && wire.to.bus == 0 && wire.from.channel == nil && wire.to.channel == nil
      && wire.strip == nil && wire.feedback == nil && wire.gain == 0 && wire.trim == 0 && wire.pan == nil
      && !wire.isMuted && !wire.isInverted && nodes[wire.from.node].outputs.first?.format != .events
  }

  private func passesDrySound(_ node: ResolvedManifest.Node) -> Bool {
    switch node.kind {
    case .mixer: node.gain == 0
    case .effect(let info): node.isBypassed || mix(of: node, info) <= 50
    case .plugin: node.isBypassed
    case .capture, .playback, .midiIn, .midiOut, .player, .track: false
    }
  }

  /// Returns the value of an effect's parameter `mix` in percent; 100 for an effect without one.
  private func mix(of node: ResolvedManifest.Node, _ info: ProcessorInfo) -> Float {
    guard let mix = info.parameters.first(where: { $0.symbol == "mix" && $0.unit == .percent }) else {
      return 100
    }
    let preset = info.presets.first { $0.id == node.preset }?.values[mix.number]
    return node.values.last { $0.parameter == mix.number }?.value ?? preset ?? mix.initial
  }
}
