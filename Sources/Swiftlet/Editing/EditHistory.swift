// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The edits that can be undone, and the undone edits that can be redone.
struct EditHistory {
  /// The role of an edit in the history.
  enum Kind {
    /// An edit that can be undone.
    case edit
    /// An edit of levels, taps or meters. It cannot be undone, and keeps the edits that can be redone.
    case passing
    /// An edit that adds nodes that every engine has. It cannot be undone, and no other edit conflicts with it.
    case admission
    /// The reversal or repetition of the last edit.
    case undo, redo
  }

  /// The maximum number of edits that can be undone.
  static let limit = 100

  private(set) var past: [GraphDelta] = [], future: [GraphDelta] = []

  /// Records a committed edit.
  ///
  /// - Returns: the deltas that no undo or redo can reach any more.
  mutating func note(_ delta: GraphDelta, as kind: Kind) -> [GraphDelta] {
    switch kind {
    case .edit:
      guard !delta.isEmpty else { return [] }
      defer { future = [] }
      past.append(delta)
      guard past.count > Self.limit else { return future }
      return future + [past.removeFirst()]
    case .passing: return [delta]
    case .admission: return []
    case .undo:
      past.removeLast()
      future.append(delta)
    case .redo:
      future.removeLast()
      past.append(delta)
    }
    return []
  }

  /// Forgets all edits.
  ///
  /// - Returns: the deltas that no undo or redo can reach any more.
  mutating func forget() -> [GraphDelta] {
    defer { (past, future) = ([], []) }
    return past + future
  }
}

/// The engine's parts of nodes, taps and wires that were removed and that an undo can bring back.
struct DetachedParts {
  /// A tap's part for the audio thread, and its meter.
  struct DetachedTap {
    let sink: TapSink, meter: MeterMemory?
    /// Whether the tap fed a sequence of buffers. If so, it comes back only if that sequence has not ended.
    let hasFeed: Bool
  }

  /// A wire, with the levels that were set since its removal. Its serial number in the graph's list tells it from a
  /// later wire with the same ends.
  struct DetachedWire {
    var wire: Graph.Wire
    let serial: Int
  }

  var nodes: [NodeID: EngineCore.Record] = [:], taps: [TapID: DetachedTap] = [:]
  var wires: [Graph.Wire.ID: DetachedWire] = [:]

  /// Frees the parts of what a delta removed.
  mutating func free(_ delta: GraphDelta) {
    for change in delta.changes {
      switch change {
      case .node(let node): if node.after == nil, let before = node.before { nodes[before.id] = nil }
      case .tap(let tap): if tap.after == nil, let before = tap.before { taps[before.id] = nil }
      case .wire(let wire):
        if wire.after == nil, let before = wire.before, wires[before.id]?.serial == wire.serial {
          wires[before.id] = nil
        }
      case .lane: continue
      }
    }
  }
}
