// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The index of each node in an array, looked up by identifier in constant time.
struct NodeIndices {
  /// The indices by slot; −1 for unused slots.
  private var indices: [Int32]

  /// Creates the lookup table for nodes with different identifiers.
  init(_ nodes: [Graph.Node]) {
    // Iterate by index: copying a node retains all its references.
    var most = -1
    for index in nodes.indices { most = max(most, nodes[index].id.slot) }
    indices = Array(repeating: -1, count: most + 1)
    for index in nodes.indices { indices[nodes[index].id.slot] = Int32(truncatingIfNeeded: index) }
  }

  /// Returns the index of a node; nil if the array has no node with this identifier.
  subscript(id: NodeID) -> Int? {
    guard indices.indices.contains(id.slot), indices[id.slot] >= 0 else { return nil }
    return Int(indices[id.slot])
  }
}
