// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletStretch

extension AudioEngine {
  /// Checks that a node can use a stretch algorithm.
  ///
  /// - Throws: ``EngineError/notBuilt(node:_:)``, ``EngineError/algorithmRate(node:_:_:)``.
  func require(_ algorithm: StretchAlgorithm, for node: String) throws(EngineError) {
    guard algorithm.isBuilt else { throw .notBuilt(node: node, algorithm) }
    guard algorithm.sampleRates.contains(sampleRate) else {
      throw .algorithmRate(node: node, algorithm, sampleRate)
    }
  }

  /// Returns the index of a stretch algorithm in an effect's description; 0, the default, for nil.
  ///
  /// - Throws: ``EngineError/unknownAlgorithm(node:_:known:)``, and the errors of ``require(_:for:)``.
  func algorithmIndex(
    of algorithm: StretchAlgorithm?, in info: ProcessorInfo, for node: String
  ) throws(EngineError) -> Int {
    guard let algorithm else { return 0 }
    guard let index = info.algorithms.firstIndex(of: algorithm.rawValue) else {
      throw .unknownAlgorithm(node: node, algorithm, known: info.algorithms)
    }
    try require(algorithm, for: node)
    return index
  }
}
