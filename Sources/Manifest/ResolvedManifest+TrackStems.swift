// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

extension ResolvedManifest {
  /// What gets a stem.
  public enum StemKind: String, CaseIterable, Sendable {
    /// Each node that is wired into the mix.
    case buses
    /// Each source of sound: capture nodes, players, tracks, instruments and generators.
    case tracks
  }

  /// Adds a playback node for each sound of a kind, as it is heard in the mix that `playback` plays.
  ///
  /// Of ``StemKind/buses``, as ``addStems(of:)`` says. Of ``StemKind/tracks``, each source gets a copy of all that its
  /// sound goes through, in which the other sources are silent; side chains hear what they hear in the mix. Where
  /// nothing on the way bends the sound, the sum is the mix.
  ///
  ///     kick ──┐
  ///            ├► drums ─► main ─► desk      kick ─► drums-of-kick ─► main-of-kick ─► desk-of-kick
  ///     snare ─┘
  ///
  /// - Returns: what was added, in the order of the nodes; none where there is no such node, or nothing is wired to it.
  public mutating func addStems(of playback: String, by kind: StemKind) -> [Stem] {
    guard kind == .tracks else { return addStems(of: playback) }
    guard let end = nodes.firstIndex(where: { $0.name == playback && $0.kind == .playback }) else {
      return []
    }
    let own = nodes, ways = wires, moves = lanes
    let upstream = reached(from: end) { node in
      ways.filter { $0.to.node == node && carriesSound($0) }.map(\.from.node)
    }
    let sources = own.indices.filter { node in
      node != end && upstream.contains(node) && !ways.contains { $0.to.node == node && carriesSound($0) }
    }
    return sources.map { source in
      let downstream = reached(from: source) { node in
        ways.filter { $0.from.node == node && carriesSound($0) }.map(\.to.node)
      }
      var copied = downstream.intersection(upstream)
      copied.remove(source)
      // A send goes by its strip, wherever that leads.
      var count = 0
      while count < copied.count {
        count = copied.count
        copied.formUnion(
          ways.filter { copied.contains($0.from.node) && copied.contains($0.to.node) }.compactMap(
            \.strip?.node))
      }
      let copies = addCopies(of: copied.sorted(), for: own[source].name)
      let wireCopies = addWires(ways, copies, heard: source)
      for lane in moves {
        switch lane.target {
        case .node(let node, let parameter):
          guard let copy = copies[node] else { continue }
          lanes.append(Lane(target: .node(copy, parameter: parameter), turns: lane.turns))
        case .wire(let wire, let value):
          guard let copy = wireCopies[wire] else { continue }
          lanes.append(Lane(target: .wire(copy, value), turns: lane.turns))
        }
      }
      return Stem(name: own[source].name, playback: nodes[copies[end] ?? end].name)
    }
  }

  /// Copies of nodes under names of their own, each by the place of its model.
  private mutating func addCopies(of models: [Int], for source: String) -> [Int: Int] {
    var copies: [Int: Int] = [:]
    for model in models {
      var copy = nodes[model]
      let wanted = copy.name + "-of-" + source
      var number = 1
      copy.name = wanted
      while nodes.contains(where: { $0.name == copy.name }) {
        number += 1
        copy.name = "\(wanted)-\(number)"
      }
      if copy.kind == .playback { copy.connection = .nowhere }
      copies[model] = nodes.count
      nodes.append(copy)
    }
    return copies
  }

  /// Wires the copies as their models are, each by the place of its model.
  private mutating func addWires(_ ways: [Wire], _ copies: [Int: Int], heard source: Int) -> [Int: Int] {
    var added: [Int: Int] = [:]
    for (place, wire) in ways.enumerated() {
      guard let to = copies[wire.to.node] else { continue }
      var copy = wire
      copy.to.node = to
      if !isSideChain(wire.to) {
        if let strip = wire.strip { copy.strip?.node = copies[strip.node] ?? strip.node }
        if let from = copies[wire.from.node] {
          copy.from.node = from
        } else if carriesSound(wire), wire.from.node != source {
          // The others stay there in silence: so it comes as late as in the mix, and what changes with time does so.
          copy.gain = -.infinity
        }
      }
      added[place] = wires.count
      wires.append(copy)
    }
    return added
  }

  /// Whether a wire's sound is part of what the node gives, unlike that of a side chain, or events.
  private func carriesSound(_ wire: Wire) -> Bool {
    nodes[wire.from.node].outputs[wire.from.bus].format.channelCount > 0 && !isSideChain(wire.to)
  }

  private func isSideChain(_ end: End) -> Bool {
    guard let info = Widths.info(nodes[end.node].kind), info.inputs.indices.contains(end.bus) else {
      return false
    }
    return info.inputs[end.bus].isSideChain
  }

  /// A node and all that lies beyond it.
  private func reached(from node: Int, _ next: (Int) -> [Int]) -> Set<Int> {
    var found: Set = [node], waiting = [node]
    while let reached = waiting.popLast() {
      for other in next(reached) where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }
}
