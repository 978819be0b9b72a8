// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The index of each node in an array, looked up by identifier in constant time.
struct NodePlaces {
  /// The indices by slot; −1 for unused slots.
  private var places: [Int32]

  /// Creates the lookup table for nodes with different identifiers.
  init(_ nodes: [Graph.Node]) {
    // Iterate by index: copying a node retains all its references.
    var most = -1
    for place in nodes.indices { most = max(most, nodes[place].id.slot) }
    places = Array(repeating: -1, count: most + 1)
    for place in nodes.indices { places[nodes[place].id.slot] = Int32(truncatingIfNeeded: place) }
  }

  /// Returns the index of a node; nil if the array has no node with this identifier.
  subscript(id: NodeID) -> Int? {
    guard places.indices.contains(id.slot), places[id.slot] >= 0 else { return nil }
    return Int(places[id.slot])
  }
}
