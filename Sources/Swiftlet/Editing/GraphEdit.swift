// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletGraph
package import SwiftletLV2
public import SwiftletSignal
internal import SwiftletTimeline
internal import Synchronization

/// A group of edits, made in a copy of the graph: see the function `edit(_:)` of ``AudioEngine``.
///
/// A node that is attached in the edit can be connected in the edit, and its parameters can be set. It is played, and
/// known to the engine's other functions, once the edit is committed.
///
/// It is valid during the closure of `edit`, on the thread that called `edit`.
public struct GraphEdit: ~Copyable, Sendable {
  /// The copy of the graph, with the edits so far.
  public internal(set) var graph: Graph
  let engine: AudioEngine
  /// The revision of the copy in the engine's edit log.
  private let revision: Int
  private(set) var staged: [(id: NodeID, name: String)] = []
  /// The wires that the edit has made.
  var stagedWires: Set<Graph.Wire.ID> = []

  /// Takes a copy of the engine's graph.
  init(_ engine: AudioEngine) {
    self.engine = engine
    (graph, revision) = engine.core.withLock { ($0.graph, $0.log.open()) }
    graph.beginDelta()
  }

  /// Commits the edits, unless they conflict with edits that were committed since the copy was taken. Ends the edit.
  ///
  /// - Parameter then: called after the commit, before any other edit is committed.
  /// - Throws: ``EngineError/conflict(_:)``, ``EngineError/graph(_:)``, ``EngineError/jack(_:)``. If it throws,
  ///   nothing has changed.
  consuming func commit(then: @Sendable () -> Void = {}) throws(EngineError) {
    takeStagedLevels()
    engine.rehearsePlugins(of: staged.map(\.id))
    let delta = graph.endDelta()
    var copy = graph
    graph = Graph()
    let result = engine.core.withLock { core in
      let result = Result { () throws(EngineError) in
        if let part = core.log.conflict(of: delta, since: revision) {
          throw .conflict(core.text(of: part, in: copy))
        }
        // Release the copy first: storage with two owners would be copied by the edit.
        copy = Graph()
        try core.edit { core throws(EngineError) in try core.perform(delta, isReturn: false) }
        then()
      }
      close(&core)
      return result
    }
    try result.get()
    engine.reportDoubledPlayers()
    engine.fitNewPlugins()
  }

  /// Discards the edits. Ends the edit.
  consuming func discard() { engine.core.withLock { close(&$0) } }

  private func close(_ core: inout EngineCore) {
    core.log.close(revision)
    for wire in stagedWires { core.stagedWires[wire] = nil }
    for (id, name) in staged {
      core.staged[id] = nil
      core.stagedNames.remove(name)
    }
  }

  /// Adds a node, under a name that is unique in the engine. Default name: the node's kind, with a number if that is
  /// taken.
  ///
  /// - Throws: ``EngineError`` if the plugin, the file or the effect cannot be used, or the name is taken.
  package mutating func attach(_ kind: NodeKind, name: String? = nil) throws(EngineError) -> AudioNode {
    try add(engine.make(kind, name ?? kind.defaultName), isNamed: name != nil)
  }

  /// Adds an effect: see ``AudioEngine/attach(_:preset:channels:bands:files:name:)``.
  ///
  /// - Throws: ``EngineError/effect(name:_:)``, ``EngineError/graph(_:)``, ``EngineError/file(_:)``,
  ///   ``EngineError/bands(node:count:range:)``.
  public mutating func attach<E: Effect & ~Copyable>(
    _ effect: E.Type, preset: E.Preset? = nil, channels: Int = 2, bands: Int? = nil,
    files: [String: any FileLocation] = [:], name: String? = nil
  ) throws(EngineError) -> EffectNode<E> {
    let new = try engine.make(
      effect, preset: preset, channels: channels, bands: bands, files: files.enginePaths, name)
    return EffectNode(try add(new, isNamed: name != nil))
  }

  /// Adds an LV2 plugin.
  ///
  /// - Parameters:
  ///   - uri: the plugin's URI.
  ///   - channels: the channels of its main buses, if the plugin leaves a choice; default: 2.
  ///   - isolation: the process that the plugin runs in; default: that of the program.
  ///   - name: the node's name; default: a free name.
  /// - Throws: ``EngineError/plugin(_:)``, ``EngineError/graph(_:)``.
  public mutating func attach(
    plugin uri: String, channels: Int = 2, isolation: PluginNode.Isolation = .none, name: String? = nil
  ) throws(EngineError) -> PluginNode {
    guard let settings = isolation.settings else {
      return PluginNode(try attach(.plugin(uri, channels: channels), name: name))
    }
    return PluginNode(try attach(plugin: uri, channels: channels, in: settings, name: name))
  }

  /// Adds an LV2 plugin.
  ///
  /// - Parameters:
  ///   - uri: the plugin's URI.
  ///   - channels: the channels of its main buses, if the plugin leaves a choice.
  ///   - isolation: the settings for a plugin that runs in another process; nil for one that runs in this process.
  ///   - programChange: the effect of a MIDI program change; default: the plugin receives it.
  ///   - name: the node's name; nil for a free name.
  package mutating func attach(
    plugin uri: String, channels: Int, in isolation: PluginIsolation?,
    programChange: ProgramChangeUse = .plugin, name: String?
  ) throws(EngineError) -> AudioNode {
    let made = try engine.makePlugin(
      uri, channels: channels, isolation: isolation, programChange: programChange, name ?? "plugin")
    return try add(made, isNamed: name != nil)
  }

  /// Adds a mixer.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public mutating func attachMixer(channels: Int = 2, name: String? = nil) throws(EngineError) -> MixerNode {
    MixerNode(try attach(.mixer(channels: channels), name: name))
  }

  /// Adds a new node.
  mutating func add(_ new: NewNode, isNamed: Bool) throws(EngineError) -> AudioNode {
    let node = try engine.core.withLock { core throws(EngineError) in
      let name =
        isNamed ? new.name : core.freeName(for: new.name, besides: { graph.node(named: $0) != nil })
      let id = try graphEdit { () throws(GraphError) in try core.graph.reserveNode() }
      let node = new.node(id, named: name)
      try graphEdit { () throws(GraphError) in try graph.check(node) }
      core.staged[id] = new.record
      core.stagedNames.insert(name)
      return node
    }
    staged.append((node.id, node.name))
    try change { graph throws(GraphError) in try graph.add(node) }
    return new.record.makeHandle(node.name, node.id, engine)
  }

  /// Removes a node with its wires, taps and lanes. May be called again for a removed node.
  ///
  /// - Throws: ``EngineError/notAttached(_:)`` for a node of another engine, ``EngineError/mainNode(_:)`` for a node
  ///   that every engine has.
  public mutating func detach(_ node: AudioNode) throws(EngineError) {
    try engine.checkDetachable(node)
    try change { graph throws(GraphError) in if graph.node(node.id) != nil { try graph.remove(node.id) } }
  }

  /// Sets whether a node's main input bypasses it.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  public mutating func setBypassed(_ isBypassed: Bool, of node: AudioNode) throws(EngineError) {
    try engine.checkOwner(of: [node])
    try change { graph throws(GraphError) in try graph.setBypass(isBypassed, of: node.id) }
  }

  /// Sets the gain of a mixer in dB, as a part of the edit, so that it can be undone.
  ///
  /// - Throws: ``EngineError/graph(_:)``, also for a node that is no mixer.
  package mutating func setGain(_ gain: Float, of mixer: AudioNode) throws(EngineError) {
    try engine.checkOwner(of: [mixer])
    try change { graph throws(GraphError) in try graph.setGain(gain, of: mixer.id) }
    engine.core.withLock { $0.staged[mixer.id]?.mixerGain = gain }
  }

  /// Changes the graph copy.
  mutating func change<Result>(
    _ body: (inout Graph) throws(GraphError) -> Result
  ) throws(EngineError) -> Result {
    try graphEdit { () throws(GraphError) in try body(&graph) }
  }

  /// Changes the lanes of the graph copy. `body` gets the parameters of nodes, and returns the events that report
  /// clamped values.
  mutating func changeLanes(
    _ body: (inout Graph, Graph.Parameters) throws(EngineError) -> [EngineEvent]
  ) throws(EngineError) {
    let engine = engine
    engine.broadcaster.send(
      try body(&graph) { id in engine.core.withLock { $0.record(of: id)?.parameters ?? [] } })
  }
}
