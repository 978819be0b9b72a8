// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The identifier of a node in one graph and its copies. It is never reused.
public struct NodeID: Hashable, Sendable, Comparable {
  private let number: Int32

  package init(slot: Int) { number = Int32(clamping: slot) }

  /// The node's slot in parameter events; slots are numbered from 0 without gaps.
  package var slot: Int { Int(number) }

  public static func < (a: NodeID, b: NodeID) -> Bool { a.number < b.number }
}

/// The identifier of a tap in one graph.
public struct TapID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}
