// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension MixerNode {
  /// The gain in dB, in the graph or when the mixer was last in the graph.
  var lastGain: Float {
    engine.core.withLock { $0.graph.node(id)?.gain ?? $0.lastRecord(of: id)?.mixerGain ?? 0 }
  }

  /// Sets the gain in dB. Never fails: the gain of a mixer that is not in the graph is kept until the mixer is added.
  func keepGain(_ gain: Float) {
    do throws(EngineError) {
      try engine.core.withLock { core throws(EngineError) in
        guard core.graph.node(id) == nil else {
          return try core.edit(.passing) { core throws(EngineError) in
            try graphEdit { () throws(GraphError) in try core.graph.setGain(gain, of: id) }
          }
        }
        core.staged[id]?.mixerGain = gain
        core.detached.nodes[id]?.mixerGain = gain
      }
    } catch {
      engine.broadcaster.send(.warning("\(error)"))
    }
  }
}
