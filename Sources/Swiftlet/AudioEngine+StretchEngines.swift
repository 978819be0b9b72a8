// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletStretch

extension AudioEngine {
  /// Throws what keeps a node from working with an engine.
  func require(_ engine: StretchEngine, for node: String) throws(EngineError) {
    guard engine.isBuilt else { throw .notBuilt(node: node, engine) }
    guard engine.sampleRates.contains(sampleRate) else { throw .engineRate(node: node, engine, sampleRate) }
  }

  /// The place that an engine has in an effect's description; that of the usual one for nil.
  func place(
    of engine: StretchEngine?, in info: ProcessorInfo, for node: String
  ) throws(EngineError) -> Int {
    guard let engine else { return 0 }
    guard let place = info.engines.firstIndex(of: engine.rawValue) else {
      throw .unknownEngine(node: node, engine, known: info.engines)
    }
    try require(engine, for: node)
    return place
  }
}
