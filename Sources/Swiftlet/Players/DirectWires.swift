// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// The wires that players made from themselves to an output, until one of them is found to double a sound.
///
/// Where AVAudioEngine's `connect` replaces a connection, Swiftlet's adds one: an effect that a program connects to an
/// ``AudioPlayer`` is heard beside the player's own wire, unless that is removed.
struct DirectWires {
  private var wires: [NodeID: Graph.Wire.ID] = [:]

  /// Stores the wire that a player made.
  mutating func add(_ wire: Graph.Wire.ID) { wires[wire.source.node] = wire }

  /// Returns the players whose sound also reaches the end of their own wire by another path. Each is returned once.
  mutating func doubled(in graph: Graph) -> [(player: NodeID, output: NodeID)] {
    guard !wires.isEmpty else { return [] }
    wires = wires.filter { graph.wire($0.value) != nil }
    var ends: [NodeID: [NodeID]] = [:]
    for wire in graph.wires where !wires.values.contains(wire.id) {
      ends[wire.source.node, default: []].append(wire.destination.node)
    }
    let found = wires.values.filter { wire in
      Graph.isDoubled(at: wire.destination.node, by: ends[wire.source.node] ?? [], ends)
    }
    for wire in found { wires[wire.source.node] = nil }
    return found.map { ($0.source.node, $0.destination.node) }
  }
}

extension AudioEngine {
  /// Reports players whose sound has been doubled since the last connection.
  func reportDoubledPlayers() {
    let doubled = core.withLock { core in
      core.directWires.doubled(in: core.graph).compactMap { pair -> EngineEvent? in
        guard let player = core.graph.node(pair.player), let output = core.graph.node(pair.output) else {
          return nil
        }
        return .doubled(node: player.name, destination: output.name)
      }
    }
    broadcaster.send(doubled)
  }
}
