// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletStretch

extension AudioEngine {
  /// Checks that a node can use a stretch algorithm.
  ///
  /// - Throws: ``EngineError/notBuilt(node:_:)``, ``EngineError/algorithmRate(node:_:_:)``.
  func require(_ engine: StretchAlgorithm, for node: String) throws(EngineError) {
    guard engine.isBuilt else { throw .notBuilt(node: node, engine) }
    guard engine.sampleRates.contains(sampleRate) else {
      throw .algorithmRate(node: node, engine, sampleRate)
    }
  }

  /// Returns the index of a stretch algorithm in an effect's description; 0, the default, for nil.
  ///
  /// - Throws: ``EngineError/unknownAlgorithm(node:_:known:)``, and the errors of ``require(_:for:)``.
  func algorithmIndex(
    of engine: StretchAlgorithm?, in info: ProcessorInfo, for node: String
  ) throws(EngineError) -> Int {
    guard let engine else { return 0 }
    guard let index = info.algorithms.firstIndex(of: engine.rawValue) else {
      throw .unknownAlgorithm(node: node, engine, known: info.algorithms)
    }
    try require(engine, for: node)
    return index
  }
}
