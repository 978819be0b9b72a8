// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Which ways in can be heard at each way out, by the numbers that their nodes state.
  public var paths: [(input: Int, output: Int, node: NodeID)] {
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.destination.node, default: []].append(wire.source.node) }
    var inputs: [NodeID: Int] = [:]
    for node in nodes { if case .input(let number) = node.role { inputs[node.id] = number } }
    var paths: [(input: Int, output: Int, node: NodeID)] = []
    for node in nodes {
      guard case .output(let output) = node.role else { continue }
      var seen: Set<NodeID> = [node.id], waiting = [node.id]
      while let next = waiting.popLast() {
        if let input = inputs[next] { paths.append((input, output, node.id)) }
        for source in feeds[next] ?? [] where seen.insert(source).inserted { waiting.append(source) }
      }
    }
    return paths
  }
}

extension Graph {
  /// The ways out at which a node can be heard.
  package func outputs(of node: NodeID) -> [NodeID] {
    var ends: [NodeID: [NodeID]] = [:]
    for wire in wires { ends[wire.source.node, default: []].append(wire.destination.node) }
    var seen: Set<NodeID> = [node], waiting = [node], outputs: [NodeID] = []
    while let next = waiting.popLast() {
      if case .output = self.node(next)?.role { outputs.append(next) }
      for end in ends[next] ?? [] where seen.insert(end).inserted { waiting.append(end) }
    }
    return outputs
  }

  /// The ways in that can be heard at a node.
  package func inputs(of node: NodeID) -> [NodeID] {
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.destination.node, default: []].append(wire.source.node) }
    var seen: Set<NodeID> = [node], waiting = [node], inputs: [NodeID] = []
    while let next = waiting.popLast() {
      if case .input = self.node(next)?.role { inputs.append(next) }
      for source in feeds[next] ?? [] where seen.insert(source).inserted { waiting.append(source) }
    }
    return inputs
  }
}
