// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Names a node of one graph, for as long as the graph and its copies live. Never given out twice.
public struct NodeID: Hashable, Sendable, Comparable {
  private let number: Int32

  package init(slot: Int) { number = Int32(clamping: slot) }

  /// Dense numbers from 0: also the node's slot in parameter events.
  package var slot: Int { Int(number) }

  public static func < (a: NodeID, b: NodeID) -> Bool { a.number < b.number }
}

/// Names a tap of one graph.
public struct TapID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}
