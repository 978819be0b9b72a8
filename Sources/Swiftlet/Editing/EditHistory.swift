// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The edits that can be undone, and those that were undone and can be made again.
struct EditHistory {
  /// How an edit is remembered.
  enum Kind {
    /// It can be undone.
    case edit
    /// It changes levels, or what listens: it cannot be undone, nor does it end what can be redone.
    case passing
    /// The edit adds nodes that every engine has. It cannot be undone, and no other edit conflicts with it.
    case admission
    /// It undoes the last edit, or makes it again.
    case undo, redo
  }

  /// The number of edits that can be undone.
  static let limit = 100

  private(set) var past: [GraphDelta] = [], future: [GraphDelta] = []

  /// Remembers a committed edit.
  ///
  /// - Returns: the deltas that nothing leads back over any more.
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
}

/// What belongs to nodes and taps that were removed and that an undo can bring back.
struct DetachedParts {
  /// A tap's audio-thread half, and the work that is done for it elsewhere.
  struct DetachedTap {
    let sink: TapSink, meter: MeterMemory?
    /// Whether it fed a sequence of buffers. It does not come back once that has ended.
    let hasFeed: Bool
  }

  /// A wire, with the levels that were set since it was removed, and its serial number in the graph's list, which tells it
  /// from a later wire with the same ends.
  struct DetachedWire {
    var wire: Graph.Wire
    let serial: Int
  }

  var nodes: [NodeID: EngineCore.Record] = [:], taps: [TapID: DetachedTap] = [:]
  var wires: [Graph.Wire.ID: DetachedWire] = [:]

  /// Frees what a delta removed.
  mutating func forget(_ delta: GraphDelta) {
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
