// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The links between the blank nodes of a Turtle file. lilv follows each link by a recursive call, except links along
/// a list.
struct BlankLinks {
  private struct Link {
    let target: Int
    /// Whether the link is an `rdf:rest`.
    let isRest: Bool
  }

  private var numbers: [String: Int] = [:]
  private var links: [[Link]] = []
  private var arrivals: [Int] = []

  /// Adds a link from one node to another.
  mutating func add(from source: String, to target: String, isRest: Bool) {
    let (source, target) = (number(of: source), number(of: target))
    links[source].append(Link(target: target, isRest: isRest))
    arrivals[target] += 1
  }

  private mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = links.count
    links.append([])
    arrivals.append(0)
    return links.count - 1
  }

  /// Whether the links form a cycle, or a path with more than `deepest` links outside lists.
  func isDangerous(deepest: Int) -> Bool {
    // Topological sort: a node is visited after all nodes that link to it. Nodes of a cycle are never visited.
    var waiting = arrivals, depths = [Int](repeating: 0, count: links.count), passed = 0
    var ready = waiting.indices.filter { waiting[$0] == 0 }
    while let node = ready.popLast() {
      passed += 1
      for link in links[node] {
        depths[link.target] = max(depths[link.target], depths[node] + (link.isRest ? 0 : 1))
        waiting[link.target] -= 1
        if waiting[link.target] == 0 { ready.append(link.target) }
      }
    }
    return passed < links.count || depths.contains { $0 > deepest }
  }
}
