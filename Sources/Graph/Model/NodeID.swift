// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Names a node of one graph, for as long as the graph and its copies live. Never given out twice.
public struct NodeID: Hashable, Sendable, Comparable {
  /// Dense numbers from 0: also the node's slot in parameter events.
  package let slot: Int

  package init(slot: Int) { self.slot = slot }

  public static func < (a: NodeID, b: NodeID) -> Bool { a.slot < b.slot }
}

/// Names a tap of one graph.
public struct TapID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}
