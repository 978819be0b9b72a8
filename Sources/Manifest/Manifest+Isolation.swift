// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletLV2

extension Manifest {
  /// Whether a plugin runs in another process.
  package enum Isolation: String, Sendable, CaseIterable {
    /// It runs in the program's own process.
    case none = "false"
    /// It runs in another process, which it shares with isolated plugins that it is wired to.
    case shared = "true"
    /// It runs in a process that no other plugin runs in.
    case alone
  }
}

extension ResolvedManifest {
  /// The processes that isolated plugins share which are wired to each other, by the places of the nodes. A plugin that shares
  /// none is not in it.
  func sharedProcesses() -> [Int: SharedProcess] {
    func shares(_ node: Int) -> Bool { nodes[node].isolation != nil && !nodes[node].isAlone }
    /// A number for each node, the same for those in one process.
    var groups = Array(nodes.indices)
    for wire in wires where shares(wire.from.node) && shares(wire.to.node) {
      let (one, other) = (groups[wire.from.node], groups[wire.to.node])
      groups = groups.map { $0 == other ? one : $0 }
    }
    let members = Dictionary(grouping: nodes.indices.filter(shares)) { groups[$0] }.filter {
      $0.value.count > 1
    }
    var processes: [Int: SharedProcess] = [:]
    for places in members.values {
      let process = SharedProcess()
      for place in places { processes[place] = process }
    }
    return processes
  }
}
