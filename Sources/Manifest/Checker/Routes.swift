// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The wires of a manifest, sorted by node.
struct Routes {
  private let wires: [ResolvedManifest.Wire]
  /// The numbers of the wires out of each node, in order, without feedback wires.
  let outgoing: [[Int]]
  /// The numbers of the wires into each node, in order, without feedback wires.
  let incoming: [[Int]]

  init(nodeCount: Int, wires: [ResolvedManifest.Wire]) {
    self.wires = wires
    var outgoing = [[Int]](repeating: [], count: nodeCount), incoming = outgoing
    for (number, wire) in wires.enumerated() where wire.feedback == nil {
      outgoing[wire.from.node].append(number)
      incoming[wire.to.node].append(number)
    }
    self.outgoing = outgoing
    self.incoming = incoming
  }

  /// Returns the nodes in topological order. Nodes in a loop, and all nodes after it, are omitted.
  func order() -> [Int] {
    var missing = incoming.map(\.count)
    var ready = incoming.indices.filter { missing[$0] == 0 }
    var next = 0
    while next < ready.count {
      for wire in outgoing[ready[next]] {
        let node = wires[wire].to.node
        missing[node] -= 1
        if missing[node] == 0 { ready.append(node) }
      }
      next += 1
    }
    return ready
  }

  /// Returns the wires of a loop in order, with the wire last that is last in the manifest; nil if there is no loop.
  func loop() -> [Int]? {
    enum State { case new, open, done }
    var states = [State](repeating: .new, count: outgoing.count)
    for start in outgoing.indices where states[start] == .new {
      // Iterative, since a chain may be as long as a manifest, and recursion could overflow the stack.
      var path: [(node: Int, wires: ArraySlice<Int>)] = [(start, outgoing[start][...])]
      var taken: [Int] = []
      states[start] = .open
      while let (node, rest) = path.last {
        guard let wire = rest.first else {
          states[node] = .done
          path.removeLast()
          _ = taken.popLast()
          continue
        }
        path[path.count - 1].wires = rest.dropFirst()
        let next = wires[wire].to.node
        switch states[next] {
        case .new:
          states[next] = .open
          taken.append(wire)
          path.append((next, outgoing[next][...]))
        case .open:
          let first = path.firstIndex { $0.node == next } ?? 0
          return Self.lastWrittenLast(Array(taken[first...]) + [wire])
        case .done: break
        }
      }
    }
    return nil
  }

  private static func lastWrittenLast(_ loop: [Int]) -> [Int] {
    guard let last = loop.indices.max(by: { loop[$0] < loop[$1] }) else { return loop }
    return Array(loop[(last + 1)...] + loop[...last])
  }

  /// Returns whether a path without feedback wires leads from one node to another.
  func reaches(from start: Int, to goal: Int) -> Bool {
    var seen: Set<Int> = [start]
    var waiting = [start]
    while let node = waiting.popLast() {
      if node == goal { return true }
      for wire in outgoing[node] where seen.insert(wires[wire].to.node).inserted {
        waiting.append(wires[wire].to.node)
      }
    }
    return false
  }
}
