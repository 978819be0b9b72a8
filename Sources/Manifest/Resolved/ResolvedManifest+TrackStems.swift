// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

extension ResolvedManifest {
  /// The kind of sounds that become stems.
  public enum StemKind: String, CaseIterable, Sendable {
    /// Each node that is wired into the mix.
    case buses
    /// Each source of sound: capture nodes, players, tracks, instruments and generators.
    case tracks
  }

  /// Adds a playback node for each sound of a kind, as it sounds in the mix that `playback` plays.
  ///
  /// For ``StemKind/buses`` see ``addStems(of:)``. For ``StemKind/tracks``, each source gets a copy of all nodes that
  /// its sound passes, in which the other sources are silent. Side chains receive the same sound as in the mix. If
  /// all these nodes are linear, the sum of the stems is the mix.
  ///
  ///     kick ──┐
  ///            ├► drums ─► main ─► desk      kick ─► drums-of-kick ─► main-of-kick ─► desk-of-kick
  ///     snare ─┘
  ///
  /// - Parameters:
  ///   - playback: The playback node's name.
  ///   - kind: The kind of stems.
  /// - Returns: The stems, in the order of the nodes; empty if there is no such node, or nothing is wired to it.
  public mutating func addStems(of playback: String, by kind: StemKind) -> [Stem] {
    guard kind == .tracks else { return addStems(of: playback) }
    guard let end = nodes.firstIndex(where: { $0.name == playback && $0.kind == .playback }) else {
      return []
    }
    let originals = nodes, originalWires = wires, originalLanes = lanes
    let upstream = reached(from: end) { node in
      originalWires.filter { $0.to.node == node && carriesSound($0) }.map(\.from.node)
    }
    let sources = originals.indices.filter { node in
      node != end && upstream.contains(node)
        && !originalWires.contains { $0.to.node == node && carriesSound($0) }
    }
    return sources.map { source in
      let downstream = reached(from: source) { node in
        originalWires.filter { $0.from.node == node && carriesSound($0) }.map(\.to.node)
      }
      var copied = downstream.intersection(upstream)
      copied.remove(source)
      // A send refers to its strip, so the strip's destination is copied, too.
      var count = 0
      while count < copied.count {
        count = copied.count
        copied.formUnion(
          originalWires.filter { copied.contains($0.from.node) && copied.contains($0.to.node) }.compactMap(
            \.strip?.node))
      }
      let copies = addCopies(of: copied.sorted(), for: originals[source].name)
      let wireCopies = addWires(originalWires, copies, heard: source)
      for lane in originalLanes {
        switch lane.target {
        case .node(let node, let parameter):
          guard let copy = copies[node] else { continue }
          lanes.append(Lane(target: .node(copy, parameter: parameter), segments: lane.segments))
        case .wire(let wire, let value):
          guard let copy = wireCopies[wire] else { continue }
          lanes.append(Lane(target: .wire(copy, value), segments: lane.segments))
        }
      }
      return Stem(name: originals[source].name, playback: nodes[copies[end] ?? end].name)
    }
  }

  /// Adds copies of nodes with unique names. Returns the index of each copy by the index of its original.
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

  /// Adds the wires of the copies. Returns the index of each copy by the index of its original.
  private mutating func addWires(
    _ originalWires: [Wire], _ copies: [Int: Int], heard source: Int
  ) -> [Int: Int] {
    var added: [Int: Int] = [:]
    for (index, wire) in originalWires.enumerated() {
      guard let to = copies[wire.to.node] else { continue }
      var copy = wire
      copy.to.node = to
      if !isSideChain(wire.to) {
        if let strip = wire.strip { copy.strip?.node = copies[strip.node] ?? strip.node }
        if let from = copies[wire.from.node] {
          copy.from.node = from
        } else if carriesSound(wire), wire.from.node != source {
          // The other sources stay connected at −∞ dB, so that the stem has the mix's latency, and effects that
          // change over time do so as in the mix.
          copy.gain = -.infinity
        }
      }
      added[index] = wires.count
      wires.append(copy)
    }
    return added
  }

  /// Returns whether a wire contributes to the node's audio output, unlike side chains and events.
  private func carriesSound(_ wire: Wire) -> Bool {
    nodes[wire.from.node].outputs[wire.from.bus].format.channelCount > 0 && !isSideChain(wire.to)
  }

  private func isSideChain(_ end: End) -> Bool {
    guard let info = Widths.info(nodes[end.node].kind), info.inputs.indices.contains(end.bus) else {
      return false
    }
    return info.inputs[end.bus].isSideChain
  }

  /// Returns a node and all nodes that are reachable from it.
  private func reached(from node: Int, _ next: (Int) -> [Int]) -> Set<Int> {
    var found: Set = [node], waiting = [node]
    while let reached = waiting.popLast() {
      for other in next(reached) where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }
}
