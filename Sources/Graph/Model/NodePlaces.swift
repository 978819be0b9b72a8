// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The index of each node in an array, found by its identity in constant time.
struct NodePlaces {
  /// By slot; −1 where no node has it.
  private var places: [Int32]

  /// The indices of nodes with different identities.
  init(_ nodes: [Graph.Node]) {
    // By index: to copy a node is to retain all that it holds.
    var most = -1
    for place in nodes.indices { most = max(most, nodes[place].id.slot) }
    places = Array(repeating: -1, count: most + 1)
    for place in nodes.indices { places[nodes[place].id.slot] = Int32(truncatingIfNeeded: place) }
  }

  /// The index of a node; nil where the array has none with this identity.
  subscript(id: NodeID) -> Int? {
    guard places.indices.contains(id.slot), places[id.slot] >= 0 else { return nil }
    return Int(places[id.slot])
  }
}
