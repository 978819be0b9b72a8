// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Returns for each node, by node index, whether its output reaches an output node, a tap, or a node without outputs.
  ///
  /// Changes of other nodes need no fades, since they are inaudible.
  func heard(_ indices: NodeIndices) -> [Bool] {
    var heard = Array(repeating: false, count: nodes.count), waiting: [Int] = []
    func reach(_ index: Int?) {
      guard let index, !heard[index] else { return }
      heard[index] = true
      waiting.append(index)
    }
    for index in nodes.indices where nodes[index].outputs.isEmpty { reach(index) }
    for tap in taps { reach(indices[tap.node]) }
    let wires = wires
    let feeds = Adjacency(
      of: wires.map { indices[$0.destination.node] ?? nodes.count }, count: nodes.count + 1)
    while let next = waiting.popLast() {
      for wire in feeds[next] { reach(indices[wires[wire].source.node]) }
    }
    return heard
  }
}
