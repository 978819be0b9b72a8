// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletLV2

extension ResolvedManifest {
  /// Returns the processes that isolated plugins share because they are wired to each other, by node index. A plugin
  /// that shares no process has no entry.
  func sharedProcesses() -> [Int: SharedProcess] {
    func shares(_ node: Int) -> Bool { nodes[node].isolation != nil && !nodes[node].isAlone }
    /// A group number for each node. Nodes in one process have the same number.
    var groups = Array(nodes.indices)
    for wire in wires where shares(wire.from.node) && shares(wire.to.node) {
      let (one, other) = (groups[wire.from.node], groups[wire.to.node])
      groups = groups.map { $0 == other ? one : $0 }
    }
    let members = Dictionary(grouping: nodes.indices.filter(shares)) { groups[$0] }.filter {
      $0.value.count > 1
    }
    var processes: [Int: SharedProcess] = [:]
    for indices in members.values {
      let process = SharedProcess()
      for index in indices { processes[index] = process }
    }
    return processes
  }
}
