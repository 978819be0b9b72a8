// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Returns for each node, by node index, whether its output reaches an output node, a tap, or a node without outputs.
  ///
  /// Changes of other nodes need no fades, since they are inaudible.
  func heard(_ places: NodePlaces) -> [Bool] {
    var heard = Array(repeating: false, count: nodes.count), waiting: [Int] = []
    func reach(_ place: Int?) {
      guard let place, !heard[place] else { return }
      heard[place] = true
      waiting.append(place)
    }
    for place in nodes.indices where nodes[place].outputs.isEmpty { reach(place) }
    for tap in taps { reach(places[tap.node]) }
    let wires = wires
    let feeds = Adjacency(
      of: wires.map { places[$0.destination.node] ?? nodes.count }, count: nodes.count + 1)
    while let next = waiting.popLast() {
      for wire in feeds[next] { reach(places[wires[wire].source.node]) }
    }
    return heard
  }
}
