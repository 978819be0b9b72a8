// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// The nodes whose sound or events get anywhere: to a way out, to a tap, or to a node that ends there.
  ///
  /// What happens to others may happen at once: nobody can hear it.
  var heard: Set<NodeID> {
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.destination.node, default: []].append(wire.source.node) }
    var waiting = nodes.filter(\.outputs.isEmpty).map(\.id) + taps.map(\.node)
    var heard = Set(waiting)
    while let next = waiting.popLast() {
      for source in feeds[next] ?? [] where heard.insert(source).inserted { waiting.append(source) }
    }
    return heard
  }
}
