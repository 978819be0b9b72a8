// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import Synchronization

extension AudioEngine {
  func attachPlugin(_ uri: String, channels: Int, _ name: String) throws(EngineError) -> AudioNode {
    throw .notAttached(name)
  }

  func loadPlugin(_ preset: String, on node: AudioNode) throws(EngineError) {
  }
}
