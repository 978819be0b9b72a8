// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import Synchronization

extension AudioEngine {
  /// Sends a value on its way, or straight to a processor that no plan has met yet.
  func send(
    _ value: Float, to number: Int, of id: NodeID, over frames: Int, at frame: Int64?
  ) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      guard core.records[id] != nil else { throw .notAttached("the node") }
      if let new = core.newProcessors[id], frame == nil {
        // Nobody hears it yet: no reason to glide.
        new.set(number, to: value, over: 0)
      } else {
        try graphEdit { () throws(GraphError) in
          try core.host.set(number, of: id, to: value, over: frames, at: frame)
        }
      }
      core.records[id]?.values[number] = value
    }
  }

  func load(_ preset: String, on node: AudioNode) throws(EngineError) {
    guard let info = node.info else { throw .unknownPreset(node: node.name, preset: preset, known: []) }
    guard info.origin == .builtIn else { return try loadPlugin(preset, on: node) }
    guard let found = catalog.units[info.id]?.presets.first(where: { $0.id == preset }) else {
      throw .unknownPreset(node: node.name, preset: preset, known: info.presets.map(\.id))
    }
    for value in found.values {
      let glide = node.parameters.first { $0.number == value.number }?.glide ?? 0
      try send(value.value, to: value.number, of: node.id, over: Int(Double(glide) * sampleRate), at: nil)
    }
  }
}
