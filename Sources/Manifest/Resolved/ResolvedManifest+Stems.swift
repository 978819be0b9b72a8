// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

extension ResolvedManifest {
  /// A sound of a mix, and the playback node that plays it alone.
  public struct Stem: Sendable, Equatable {
    /// The name of the sound's source node.
    public var name: String
    /// The name of the playback node that was added for it.
    public var playback: String
  }

  /// Adds a playback node for each sound that is mixed on its way to `playback`, after a copy of all nodes after the
  /// mix. Each stem sounds as it does in the mix. If these nodes are linear, the sum of the stems is the mix.
  ///
  /// The mix is the first node that everything on its way to the playback node passes through, and where several
  /// sources meet. If there is none, the mix is the playback node itself.
  ///
  ///     voice ─┐                        voice ─► main-of-voice ─► tone-of-voice ─► desk-of-voice
  ///            ├► main ─► tone ─► desk
  ///     music ─┘                        music ─► main-of-music ─► tone-of-music ─► desk-of-music
  ///
  /// - Parameter playback: The playback node's name.
  /// - Returns: The stems, in the order of the wires into the mix; empty if there is no such node, or nothing is
  ///   wired to it.
  public mutating func addStems(of playback: String) -> [Stem] {
    guard let end = nodes.firstIndex(where: { $0.name == playback && $0.kind == .playback }) else {
      return []
    }
    let mix = mix(before: end)
    let behind = downstream(of: mix).intersection(upstream(of: end))
    let (originals, originalWires, originalLanes) = (nodes, wires, lanes)
    return sources(of: mix, outside: behind).map { source in
      var copies: [Int: Int] = [:]
      for node in behind.sorted() {
        var copy = originals[node]
        copy.name = freeName(originals[node].name + "-of-" + originals[source].name)
        if copy.kind == .playback { copy.connection = .nowhere }
        copies[node] = nodes.count
        nodes.append(copy)
      }
      var wireCopies: [Int: Int] = [:]
      for (index, wire) in originalWires.enumerated() {
        guard let to = copies[wire.to.node] else { continue }
        let isMixed = wire.to.node == mix && wire.to.bus == 0 && !behind.contains(wire.from.node)
        var copy = wire
        // The other sources stay connected at −∞ dB, so that the stem has the mix's latency, and effects that change
        // over time do so as in the mix.
        if isMixed && wire.from.node != source { copy.gain = -.infinity }
        copy.to.node = to
        copy.from.node = copies[wire.from.node] ?? wire.from.node
        // A send refers to the strip of the copy that it is taken from.
        if let strip = wire.strip, let node = copies[strip.node] { copy.strip?.node = node }
        wireCopies[index] = wires.count
        wires.append(copy)
      }
      for lane in originalLanes {
        switch lane.target {
        case .node(let node, let parameter):
          if let copy = copies[node] {
            lanes.append(Lane(target: .node(copy, parameter: parameter), segments: lane.segments))
          }
        case .wire(let wire, let value):
          if let copy = wireCopies[wire] {
            lanes.append(Lane(target: .wire(copy, value), segments: lane.segments))
          }
        }
      }
      return Stem(name: originals[source].name, playback: nodes[copies[end] ?? end].name)
    }
  }

  /// Returns the mix: the node where several sounds meet and that all sound on its way to the playback node passes,
  /// as far from the playback node as possible.
  private func mix(before end: Int) -> Int {
    let all = upstream(of: end)
    let springs = all.filter { node in !wires.contains { $0.to.node == node } }
    let gates = all.filter { node in
      guard nodes[node].inputs.first?.format.channelCount ?? 0 > 0 else { return false }
      let behind = downstream(of: node)
      // Without this node, no source reaches the playback node.
      return sources(of: node, outside: behind).count > 1
        && springs.isDisjoint(with: upstream(of: end, without: node))
    }
    return gates.max { upstream(of: $0).count > upstream(of: $1).count } ?? end
  }

  /// Returns the nodes that are mixed in a node's main bus, in the order of their wires.
  private func sources(of mix: Int, outside behind: Set<Int>) -> [Int] {
    var found: [Int] = []
    for wire in wires where wire.to.node == mix && wire.to.bus == 0 && wire.feedback == nil {
      if !behind.contains(wire.from.node), !found.contains(wire.from.node) { found.append(wire.from.node) }
    }
    return found
  }

  /// Returns a node and all nodes that lead to it.
  private func upstream(of node: Int, without gate: Int? = nil) -> Set<Int> {
    guard node != gate else { return [] }
    return closure(of: node) { reached in
      wires.filter { $0.to.node == reached && $0.from.node != gate }.map(\.from.node)
    }
  }

  /// Returns a node and all nodes that it leads to.
  private func downstream(of node: Int) -> Set<Int> {
    closure(of: node) { reached in wires.filter { $0.from.node == reached }.map(\.to.node) }
  }

  private func closure(of node: Int, _ next: (Int) -> [Int]) -> Set<Int> {
    var found: Set = [node], waiting = [node]
    while let reached = waiting.popLast() {
      for other in next(reached) where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }

  private func freeName(_ wanted: String) -> String {
    var name = wanted, number = 1
    while nodes.contains(where: { $0.name == name }) {
      number += 1
      name = "\(wanted)-\(number)"
    }
    return name
  }
}
