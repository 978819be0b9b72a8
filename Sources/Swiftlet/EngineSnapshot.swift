// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// All that an edit changes in an engine: kept before it, and put back where it fails.
// @unchecked: it is only carried past the engine's lock; what it holds is touched under that alone.
struct EngineSnapshot: @unchecked Sendable {
  fileprivate let graph: Graph
  fileprivate let records: [NodeID: EngineCore.Record]
  fileprivate let newProcessors: [NodeID: Processor], newTaps: [TapID: Processor]
  fileprivate let taps: [TapID: Tap.Feed], removedTaps: [Tap.Feed]
  fileprivate let retiring: [String]
}

extension EngineCore {
  /// The state that edits change.
  var snapshot: EngineSnapshot {
    get {
      EngineSnapshot(
        graph: graph, records: records, newProcessors: newProcessors, newTaps: newTaps, taps: taps,
        removedTaps: removedTaps, retiring: retiring)
    }
    set {
      (graph, records) = (newValue.graph, newValue.records)
      (newProcessors, newTaps) = (newValue.newProcessors, newValue.newTaps)
      (taps, removedTaps, retiring) = (newValue.taps, newValue.removedTaps, newValue.retiring)
    }
  }

  /// The names of the ways in and out that came since then, those that went again among them.
  func ways(since before: EngineSnapshot) -> [String] {
    let there = graph.nodes.filter { before.records[$0.id] == nil && records[$0.id]?.external != nil }
    let known = Set(before.graph.nodes.map(\.name) + before.retiring)
    return there.map(\.name) + retiring.filter { !known.contains($0) }
  }
}
