// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import Synchronization

extension AudioEngine {
  func attachPlugin(_ uri: String, channels: Int, _ name: String) throws(EngineError) -> AudioNode {
    let info: ProcessorInfo, processor: PluginProcessor
    let period = studio?.blockLength
    do throws(PluginError) {
      info = try PluginWorld.shared.info(uri: uri, sampleRate: sampleRate)
      // JACK's period may change at any time: then the plugin is made anew.
      processor = try PluginWorld.shared.makeProcessor(
        uri: uri,
        layout: PluginLayout(
          sampleRate: sampleRate, longestBlock: longestBlock, period: period, channels: channels,
          isOffline: studio == nil))
    } catch {
      throw .plugin(error)
    }
    let node = try add(
      name, .processor, info.inputs.map { BusFormat($0.content, channels: channels) },
      info.outputs.map { BusFormat($0.content, channels: channels) },
      .init(
        info: info, processor: processor, plugin: processor, inputNames: info.inputs.map(\.symbol),
        outputNames: info.outputs.map(\.symbol)))
    // It may have changed while the plugin was made.
    if let now = studio?.blockLength, now != period { fitPlugins(to: now) }
    return node
  }

  func loadPlugin(_ preset: String, on node: AudioNode) throws(EngineError) {
    guard let processor = try node.record({ $0.plugin }) else {
      throw .notAttached(node.name)
    }
    do throws(PluginError) {
      for value in try processor.load(preset: preset, isPlaying: { mayBePlaying(node.id) }) {
        try? send(value.value, to: value.number, of: node.id, over: 0, at: nil)
      }
    } catch {
      throw .plugin(error)
    }
  }

  private func mayBePlaying(_ id: NodeID) -> Bool { core.withLock { $0.mayBePlaying(id) } }
}
