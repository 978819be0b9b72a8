// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Synchronization

extension Compiler {
  /// The latencies of nodes and wires, in frames.
  struct Latency: Equatable {
    /// The latency of the node's inputs after alignment, by node index.
    var arrival: [Int]
    /// The latency of the node's own processor, by node index.
    var own: [Int]
    /// The delay of each wire that aligns it with the others at its destination; for a feedback wire, the stated
    /// delay minus the loop's own latency.
    var wire: [Int]
    /// Warnings about loops whose own latency exceeds the delay of their feedback wire.
    var warnings: [String] = []
  }

  /// The shortest slice of a feedback loop, in frames.
  static var shortestFeedback: Int { 16 }

  /// Pass 3: computes the delays of wires, so that paths which meet, and all channels of one output node, are
  /// sample-aligned.
  func latency(_ parts: Parts, _ order: Order) -> Latency {
    let count = parts.graph.nodes.count
    var result = Latency(
      arrival: Array(repeating: 0, count: count), own: Array(repeating: 0, count: count),
      wire: Array(repeating: 0, count: parts.graph.wires.count))
    for node in 0..<count {
      result.own[node] = max(0, min(parts.processors[node]?.latency.load(ordering: .relaxed) ?? 0, 1 << 22))
    }
    for node in order.nodes {
      for wire in parts.incoming[node] where !parts.isFeedback(wire) {
        let from = parts.source(wire)
        result.arrival[node] = max(result.arrival[node], result.arrival[from] + result.own[from])
      }
    }
    let wires = parts.graph.wires
    for index in wires.indices {
      let from = parts.source(index), to = parts.destination(index)
      let leaves = result.arrival[from] + result.own[from]
      guard let stated = wires[index].feedback else {
        result.wire[index] = result.arrival[to] - leaves
        continue
      }
      guard !wires[index].isReference else {
        result.wire[index] = stated
        continue
      }
      let left = stated - (leaves - result.arrival[to])
      result.wire[index] = max(left, Self.shortestFeedback)
      if left < Self.shortestFeedback {
        let names = (parts.graph.nodes[from].name, parts.graph.nodes[to].name)
        result.warnings.append(
          "the feedback wire from '\(names.0)' to '\(names.1)' has a delay of \(stated) frames, "
            + "but the loop's own latency is \(leaves - result.arrival[to]) frames: "
            + "the feedback arrives after \(leaves - result.arrival[to] + result.wire[index]) frames")
      }
    }
    return result
  }

  /// Returns the time that sound takes to pass through new nodes and held wires, in frames; at most two seconds.
  func warmUp(_ parts: Parts, _ order: Order, _ latency: Latency, _ transition: Transition) -> Int {
    guard !transition.freshNodes.isEmpty || !transition.held.isEmpty else { return 0 }
    var late = Array(repeating: 0, count: parts.graph.nodes.count), longest = 0
    for node in order.nodes {
      let isFresh = transition.freshNodes.contains(parts.graph.nodes[node].id)
      for wire in parts.incoming[node] where !parts.isFeedback(wire) {
        guard isFresh || transition.held.contains(parts.graph.wires[wire].id) else { continue }
        let filled = late[parts.source(wire)] + latency.wire[wire]
        longest = max(longest, filled)
        if isFresh { late[node] = max(late[node], filled) }
      }
      if isFresh { late[node] += latency.own[node] }
      longest = max(longest, late[node])
    }
    return min(longest, Int(2 * sampleRate))
  }
}
