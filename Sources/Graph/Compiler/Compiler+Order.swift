// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import HeapModule

extension Compiler {
  /// The nodes in processing order: each follows all nodes that feed it.
  struct Order: Equatable {
    /// Node indices.
    var nodes: [Int]
    /// Nodes of feedback loops, as ranges of `nodes`.
    var loops: [Range<Int>]
  }

  /// Pass 2: sorts the nodes by Kahn's algorithm, with ties in insertion order. The nodes of one feedback loop are
  /// consecutive.
  ///
  /// - Throws: ``GraphError/cycle(_:)`` for a loop without a feedback wire.
  func order(_ parts: Parts) throws(GraphError) -> Order {
    let group = components(parts)
    let members = Adjacency(of: group, count: (group.max() ?? -1) + 1)

    // All wires count between groups; within a group, all but feedback wires.
    var between = Edges()
    var ownFeedback: Set<Int> = [], ownSources: Set<Int> = []
    for wire in parts.graph.wires.indices {
      let source = parts.source(wire), destination = parts.destination(wire)
      if group[source] != group[destination] {
        between.add(group[source], group[destination])
      } else if source == destination {
        if parts.isFeedback(wire) { ownFeedback.insert(source) } else { ownSources.insert(source) }
      }
    }
    let firsts = (0..<members.count).map { members.item(0, of: $0) }
    let groups = try kahn(first: firsts, between) { _ in [] }

    var order = Order(nodes: [], loops: [])
    order.nodes.reserveCapacity(group.count)
    var local = Array(repeating: 0, count: group.count)
    for index in groups {
      let inside = members[index], lone = members.item(0, of: index)
      guard inside.count > 1 || ownFeedback.contains(lone) else {
        guard !ownSources.contains(lone) else {
          throw .cycle([parts.graph.nodes[lone].name, parts.graph.nodes[lone].name])
        }
        order.nodes.append(lone)
        continue
      }
      for (position, node) in inside.enumerated() { local[node] = position }
      var edges = Edges()
      for node in inside {
        for wire in parts.outgoing[node] where !parts.isFeedback(wire) {
          let destination = parts.destination(wire)
          if group[destination] == index { edges.add(local[node], local[destination]) }
        }
      }
      let sorted = try kahn(first: Array(0..<inside.count), edges) { left in
        ring(left.map { members.item($0, of: index) }, parts)
      }
      let start = order.nodes.count
      order.nodes += sorted.map { members.item($0, of: index) }
      order.loops.append(start..<order.nodes.count)
    }
    return order
  }

  /// A list of edges.
  private struct Edges {
    private(set) var sources: [Int] = [], destinations: [Int] = []

    mutating func add(_ source: Int, _ destination: Int) {
      sources.append(source)
      destinations.append(destination)
    }
  }

  /// Sorts by Kahn's algorithm; of the items that are ready, the one with the lowest `first` comes next.
  private func kahn(
    first: [Int], _ edges: Edges, names: ([Int]) -> [String]
  ) throws(GraphError) -> [Int] {
    let count = first.count, leaving = Adjacency(of: edges.sources, count: count)
    var waiting = Array(repeating: 0, count: count)
    for destination in edges.destinations { waiting[destination] += 1 }
    var ready = Heap(
      (0..<count).lazy.filter { waiting[$0] == 0 }.map { Ready(rank: first[$0], thing: $0) })
    var sorted: [Int] = []
    sorted.reserveCapacity(count)
    while let thing = ready.popMin()?.thing {
      sorted.append(thing)
      for edge in leaving[thing] {
        let follower = edges.destinations[edge]
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(Ready(rank: first[follower], thing: follower)) }
      }
    }
    guard sorted.count == count else {
      throw .cycle(names((0..<count).filter { waiting[$0] > 0 }))
    }
    return sorted
  }

  /// Returns the names of one cycle among nodes that cannot be ordered: echo → gate → echo.
  private func ring(_ nodes: [Int], _ parts: Parts) -> [String] {
    let stuck = Set(nodes)
    // Each of these nodes is fed by another of them, so walking backwards must reach a node again.
    var path: [Int] = []
    var seen: [Int: Int] = [:]
    var node = nodes.first
    while let now = node {
      if let start = seen[now] {
        // In signal direction, starting with the node that was added first.
        var round = Array(path[start...].reversed())
        let first = round.indices.min { round[$0] < round[$1] } ?? 0
        round = Array(round[first...] + round[...first])
        return round.map { parts.graph.nodes[$0].name }
      }
      seen[now] = path.count
      path.append(now)
      node = parts.incoming[now].first { !parts.isFeedback($0) && stuck.contains(parts.source($0)) }
        .map(parts.source)
    }
    return path.map { parts.graph.nodes[$0].name }
  }

  /// Tarjan's strongly connected components over all wires, without recursion; returns the group number of each node.
  private func components(_ parts: Parts) -> [Int] {
    let count = parts.graph.nodes.count
    var group = Array(repeating: -1, count: count), number = group, low = group
    var stack: [Int] = [], onStack = Array(repeating: false, count: count)
    var walk: [(node: Int, edge: Int)] = []
    var counter = 0, groups = 0
    for root in 0..<count where number[root] < 0 {
      walk.append((root, 0))
      while let (node, edge) = walk.popLast() {
        if edge == 0 {
          number[node] = counter
          low[node] = counter
          counter += 1
          stack.append(node)
          onStack[node] = true
        }
        if edge > 0 {
          let child = parts.destination(parts.outgoing.item(edge - 1, of: node))
          if onStack[child] { low[node] = min(low[node], low[child]) }
        }
        guard edge < parts.outgoing.itemCount(of: node) else {
          if low[node] == number[node] {
            while let member = stack.popLast() {
              onStack[member] = false
              group[member] = groups
              if member == node { break }
            }
            groups += 1
          }
          continue
        }
        walk.append((node, edge + 1))
        let child = parts.destination(parts.outgoing.item(edge, of: node))
        if number[child] < 0 { walk.append((child, 0)) }
      }
    }
    return group
  }
}

/// An item that is ready to be sorted, compared by its position in insertion order.
private struct Ready: Comparable {
  let rank: Int, thing: Int

  static func < (a: Ready, b: Ready) -> Bool { (a.rank, a.thing) < (b.rank, b.thing) }
}
