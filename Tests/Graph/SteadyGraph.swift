// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

@testable import SwiftletGraph

/// The settled output of a graph of constants, factors and delays: the reference for the renderer.
struct SteadyGraph {
  /// How a processor changes a constant.
  enum Kind {
    case constant(Double), factor(Double)
  }
  let graph: Graph
  let kinds: [NodeID: Kind]
  private let incoming: [NodeID: [Graph.Wire]], outgoing: [NodeID: [Graph.Wire]]

  init(_ graph: Graph, _ kinds: [NodeID: Kind]) {
    self.graph = graph
    self.kinds = kinds
    incoming = Dictionary(grouping: graph.wires) { $0.destination.node }
    outgoing = Dictionary(grouping: graph.wires) { $0.source.node }
  }

  static func factor(_ wire: Graph.Wire) -> Double { wire.gain <= -120 ? 0 : pow10(Double(wire.gain) / 20) }

  /// Returns the output of each node, or nil if nodes feed back into each other.
  func values() -> [NodeID: Double]? {
    var values: [NodeID: Double] = [:]
    // After as many rounds as there are nodes, every value that can be determined is known.
    for _ in graph.nodes {
      for node in graph.nodes where values[node.id] == nil {
        let sources = incoming[node.id] ?? []
        guard sources.allSatisfy({ values[$0.source.node] != nil }) else { continue }
        let input = sources.reduce(0) { $0 + (values[$1.source.node] ?? 0) * Self.factor($1) }
        switch kinds[node.id] {
        case .constant(let value): values[node.id] = node.isBypassed ? 0 : value
        case .factor(let factor): values[node.id] = node.isBypassed ? input : input * factor
        case nil: values[node.id] = input
        }
      }
      if values.count == graph.nodes.count { return values }
    }
    return nil
  }

  /// Returns the share of each node's output that reaches output 0.
  func weights() -> [NodeID: Double]? {
    var weights: [NodeID: Double] = [:]
    for _ in graph.nodes {
      for node in graph.nodes where weights[node.id] == nil {
        if case .output(let number) = node.role {
          weights[node.id] = number == 0 ? 1 : 0
          continue
        }
        let followers = outgoing[node.id] ?? []
        guard followers.allSatisfy({ weights[$0.destination.node] != nil }) else { continue }
        weights[node.id] = followers.reduce(0) { sum, wire in
          let factor: Double =
            if case .factor(let own)? = kinds[wire.destination.node] { max(own, 1) } else { 1 }
          return sum + (weights[wire.destination.node] ?? 0) * Self.factor(wire) * factor
        }
      }
      if weights.count == graph.nodes.count { return weights }
    }
    return nil
  }

  /// Returns the level of output 0.
  func output() -> Double? {
    guard let values = values() else { return nil }
    return graph.nodes.reduce(0) { sum, node in
      if case .output(0) = node.role { sum + (values[node.id] ?? 0) } else { sum }
    }
  }
}

private func pow10(_ x: Double) -> Double {
  // Exact enough without Foundation: the power of ten by repeated square roots.
  var result = 1.0, factor = x < 0 ? 0.1 : 10.0, rest = abs(x)
  while rest >= 1 {
    result *= factor
    rest -= 1
  }
  for _ in 0..<50 {
    factor = factor.squareRoot()
    rest *= 2
    if rest >= 1 {
      result *= factor
      rest -= 1
    }
  }
  return result
}
