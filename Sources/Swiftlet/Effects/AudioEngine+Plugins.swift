// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
package import SwiftletLV2
internal import Synchronization

extension AudioEngine {
  func makePlugin(
    _ uri: String, channels: Int, isolation: PluginIsolation? = nil,
    programChange: ProgramChangeUse = .plugin, _ name: String,
    of world: PluginWorld = .shared
  ) throws(EngineError) -> NewNode {
    let info: ProcessorInfo, processor: PluginProcessor
    var isolation = isolation
    // The wait for an isolated plugin is short only between real-time threads.
    isolation?.isOneBlockLate = jackClient.map { !$0.isRealtime } ?? false
    let period = expectedPeriod
    do throws(PluginError) {
      info = try world.info(uri: uri, sampleRate: sampleRate)
      // JACK's period may change at any time; then the plugin is made again.
      var layout = PluginLayout(
        sampleRate: sampleRate, longestBlock: longestBlock, period: period, channels: channels,
        isOffline: isOffline, isolation: isolation)
      layout.programChange = programChange
      processor = try PluginOutput.attributed(to: name) { () throws(PluginError) in
        try world.makeProcessor(uri: uri, layout: layout)
      }
    } catch {
      throw .plugin(error)
    }
    return NewNode(
      name, .processor, info.inputs.map { BusFormat($0.content, channels: channels) },
      info.outputs.map { BusFormat($0.content, channels: channels) },
      .plugin(processor, info, BlockLengthFit(made: period)))
  }

  func loadPlugin(_ preset: String, on node: AudioNode) throws(EngineError) {
    guard let processor = try node.record({ $0.plugin }) else { throw .notAttached(node.name) }
    do throws(PluginError) { try load(preset, into: processor, of: node.id) } catch { throw .plugin(error) }
  }

  /// Loads a preset into a plugin.
  func load(_ preset: String, into plugin: PluginProcessor, of id: NodeID) throws(PluginError) {
    try restore(plugin, of: id) { isPlaying throws(PluginError) in
      try plugin.load(preset: preset, isPlaying: isPlaying)
    }
  }

  /// Selects a program of a plugin.
  func select(_ change: ProgramChange, in plugin: PluginProcessor, of id: NodeID) throws(PluginError) {
    try restore(plugin, of: id) { isPlaying throws(PluginError) in
      try plugin.select(change, isPlaying: isPlaying)
    }
  }

  /// Loads the state in a folder into a plugin.
  package func loadState(from folder: String, on node: AudioNode) throws(EngineError) {
    guard let processor = try node.record({ $0.plugin }) else { throw .notAttached(node.name) }
    do throws(PluginError) {
      try restore(processor, of: node.id) { isPlaying throws(PluginError) in
        try processor.load(stateFrom: folder, isPlaying: isPlaying)
      }
    } catch {
      throw .plugin(error)
    }
  }

  /// Restores a plugin, and sends the resulting parameter values to the engine.
  private func restore(
    _ plugin: PluginProcessor, of id: NodeID,
    _ load: (_ isPlaying: () -> Bool) throws(PluginError) -> [(number: Int, value: Float)]
  ) throws(PluginError) {
    let name = core.withLock { $0.name(id) }
    let values = try PluginOutput.attributed(to: name) { () throws(PluginError) in
      try load { mayBePlaying(id) }
    }
    for value in values { try? send(value.value, to: value.number, of: id, over: 0, at: nil) }
  }

  /// Saves the state of a plugin in a folder while the plugin plays.
  ///
  /// - Parameter title: The title of a state that is saved as a preset.
  package func saveState(to folder: String, title: StateTitle?, of node: AudioNode) throws(EngineError) {
    guard let processor = try node.record({ $0.plugin }) else { throw .notAttached(node.name) }
    do throws(PluginError) {
      try PluginOutput.attributed(to: node.name) { () throws(PluginError) in
        try processor.save(stateTo: folder, title: title) { mayBePlaying(node.id) }
      }
    } catch {
      throw .plugin(error)
    }
  }

  /// Reads the latency of plugins that have not played yet, if parameters or presets may have changed it. That may
  /// take seconds, so the engine's lock is not held.
  ///
  /// - Parameter nodes: the nodes that an edit has made; nil for all nodes that the graph controller has not received
  ///   yet.
  func rehearsePlugins(of nodes: [NodeID]? = nil) {
    let plugins = core.withLock { core in
      let new = nodes.map { $0.compactMap { core.staged[$0]?.processor } } ?? Array(core.newProcessors.values)
      return new.compactMap { $0 as? PluginProcessor }
    }
    for plugin in plugins { plugin.rehearse() }
  }

  /// Resets the sound of plugins, such as their tails. This is done neither on the audio thread nor under the
  /// engine's lock: the audio thread must first leave all the plugins, in the same cycle. A plugin that another thread is
  /// changing is reset after the others, and not silenced before.
  func restart(_ plugins: [(node: NodeID, plugin: PluginProcessor)]) {
    // The time limit in milliseconds applies to all plugins together, so that a JACK server that has stopped delays
    // the call only once.
    var timeout = 3000
    let isFree = plugins.map { $0.plugin.reserve() }
    for (index, some) in plugins.enumerated() where isFree[index] { some.plugin.prepareRestart() }
    for (index, some) in plugins.enumerated() where isFree[index] {
      restart(some.plugin, of: some.node, within: &timeout)
      some.plugin.release()
    }
    for (index, some) in plugins.enumerated() where !isFree[index] {
      restart(some.plugin, of: some.node, within: &timeout)
    }
  }

  private func restart(_ plugin: PluginProcessor, of id: NodeID, within timeout: inout Int) {
    do throws(PluginError) {
      let name = core.withLock { $0.name(id) }
      try PluginOutput.attributed(to: name) { () throws(PluginError) in
        try plugin.restart(within: &timeout) { mayBePlaying(id) }
      }
    } catch {
      report(id, keepsItsSound: error)
    }
  }

  private func report(_ id: NodeID, keepsItsSound error: PluginError) {
    broadcaster.send(.warning("'\(core.withLock { $0.name(id) })' was not reset: \(error.reason)"))
  }

  func mayBePlaying(_ id: NodeID) -> Bool { core.withLock { $0.mayBePlaying(id) } }
}
