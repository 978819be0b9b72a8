// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletLV2
internal import SwiftletSignal
internal import SwiftletStretch
internal import Synchronization

extension AudioEngine {
  /// Adds a node, under a name that is unique in the engine. Without a name, the node is named after its kind.
  ///
  /// All that can fail fails in this call: the plugin is made, the file is opened, the ports are registered.
  /// - Throws: ``EngineError`` from the graph, the JACK server, the plugin, the file or the effect.
  package func attach(_ kind: NodeKind, name: String? = nil) throws(EngineError) -> AudioNode {
    try add(make(kind, name ?? kind.defaultName), isNamed: name != nil)
  }

  /// Makes a node that is not attached yet.
  ///
  /// - Parameter name: the name for error messages.
  func make(_ kind: NodeKind, _ name: String) throws(EngineError) -> NewNode {
    switch kind {
    case .capture(let channels, let rule):
      return .port(.audio(channels: channels), isInput: true, name, rule)
    case .playback(let channels, let rule, let ceiling):
      let limiter = try limiter(channels: channels, ceiling: ceiling, of: name)
      return .port(.audio(channels: channels), isInput: false, name, rule, behind: limiter)
    case .midiInput(let rule): return .port(.events, isInput: true, name, rule)
    case .midiOutput(let rule): return .port(.events, isInput: false, name, rule)
    case .mixer(let channels): return .mixer(channels: channels, name)
    case .effect(let effect, let channels, let bands, let files, let algorithm):
      return try makeEffect(effect, channels: channels, bands: bands, files: files, algorithm, name)
    case .plugin(let uri, let channels): return try makePlugin(uri, channels: channels, name)
    case .player(let path, let loop, let plays, let stretch, let algorithm):
      return try makePlayer(path, loop: loop, plays: plays, stretch, algorithm, name)
    case .track(let track, let mix, let plays): return try makeTrack(track, mix, plays: plays, name)
    case .midiPlayer(let path, let loop, let plays):
      return try makeMIDIPlayer(path, loop: loop, plays: plays, name)
    case .source(let channels, let body):
      return NewNode(
        name, .processor, [], [.audio(channels: channels)],
        .closure(ClosureProcessor(body)))
    case .sink(let channels, let body):
      return NewNode(
        name, .processor, [.audio(channels: channels)], [],
        .closure(ClosureProcessor(body)))
    }
  }

  /// Makes a node with an effect that is not attached yet.
  func make<E: Effect & ~Copyable>(
    _ effect: E.Type, _ algorithm: StretchAlgorithm? = nil, preset: E.Preset? = nil, channels: Int,
    bands: Int?,
    files: [String: String], _ name: String?
  ) throws(EngineError) -> NewNode {
    var own = EffectRegistry()
    own.visit(effect)
    let entry = own.entries[0]
    var new = try makeEffectNode(
      entry, channels: channels, bands: bands, files: files, algorithm, name ?? entry.info.id,
      EffectNode<E>.handle)
    for (number, value) in preset?.describe().values ?? [] {
      new.record.processor?.set(number, to: value, over: 0)
      new.record.values[number] = value
    }
    return new
  }

  /// Removes a node with its wires and taps; its sound fades out. A second call does nothing.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine,
  ///   ``EngineError/mainNode(_:)`` for a main node.
  public func detach(_ node: AudioNode) throws(EngineError) {
    try checkDetachable(node)
    try changeGraph { graph throws(GraphError) in
      if graph.node(node.id) != nil { try graph.remove(node.id) }
    }
  }

  /// Returns the attached node with this name, as the class of its kind: `engine.node("echo") as? EffectNode<Delay>`.
  public func node(_ name: String) -> AudioNode? { handles { [$0.node(named: name)] }.first }

  /// All attached nodes, in the order in which they were attached, each as the class of its kind.
  public var nodes: [AudioNode] { handles { $0.nodes } }

  /// Makes handles of nodes of the graph, each of the class of its kind.
  private func handles(_ chosen: (Graph) -> [Graph.Node?]) -> [AudioNode] {
    let found = core.withLock { core in
      chosen(core.graph).compactMap(\.self).map {
        ($0.name, $0.id, core.records[$0.id]?.makeHandle ?? AudioNode.handle)
      }
    }
    return found.map { name, id, make in make(name, id, self) }
  }

  /// Makes the limiter of an output node; nil for one without a ceiling.
  private func limiter(
    channels: Int, ceiling: Float?, of name: String
  ) throws(EngineError) -> (effect: EngineCore.Record.LoadedEffect, ceiling: Float)? {
    guard let ceiling else { return nil }
    guard let entry = EffectCatalog.builtIn.registry["limiter"] else {
      throw .unknownEffect("limiter", nearest: nil)
    }
    let info = NodeKind.ceiling
    guard !ceiling.isNaN else { throw .notANumber(node: name, parameter: info.symbol) }
    let used = info.clamp(ceiling)
    broadcaster.reportClamped(info.symbol, of: name, from: ceiling, to: used)
    do throws(EffectError) {
      let processor = try entry.make(
        Layout(sampleRate: sampleRate, longestBlock: longestBlock, channels: channels))
      processor.set(info.number, to: used, over: 0)
      return (.init(info: entry.info, processor: processor), used)
    } catch {
      throw .effect(name: entry.info.id, error)
    }
  }

  private func makeEffect(
    _ effect: String, channels: Int, bands: Int?, files: [String: String], _ algorithm: StretchAlgorithm?,
    _ name: String
  ) throws(EngineError) -> NewNode {
    guard let entry = catalog.registry[effect] else {
      throw .unknownEffect(effect, nearest: NearestName.nearest(to: effect, among: catalog.infos.map(\.id)))
    }
    return try makeEffectNode(
      entry, channels: channels, bands: bands, files: files, algorithm, name,
      catalog.handles[effect] ?? AudioNode.handle)
  }

  private func makeEffectNode(
    _ entry: EffectRegistry.Entry, channels: Int, bands: Int?, files: [String: String],
    _ algorithm: StretchAlgorithm?,
    _ name: String, _ makeHandle: @escaping AudioNode.Maker
  ) throws(EngineError) -> NewNode {
    let info = entry.info
    if let bands, let range = info.bands?.count(channels: channels), !range.contains(bands) {
      throw .bands(node: name, count: bands, range: range)
    }
    let index = try algorithmIndex(of: algorithm, in: info, for: name)
    let inputs = info.inputs.map { BusFormat($0.content, channels: channels) }
    let outputs = info.outputs.map { BusFormat($0.content, channels: channels) }
    let count = info.bands.map { bands ?? ($0.followsChannels ? channels : $0.defaultCount) } ?? 0
    let opened = try EffectFiles(files, for: info, sampleRate: sampleRate)
    // The longest delay line of an effect has 5 s; 2^n frames are at most 8 s.
    let longest = 8 * sampleRate * Double(max(1, inputs.map(\.channelCount).reduce(0, +)))
    guard MemoryBudget.grants(Int(longest) * MemoryLayout<Float>.size) else {
      throw .effect(name: name, .resources)
    }
    let processor: Processor
    do throws(EffectError) {
      processor = try entry.make(
        Layout(
          sampleRate: sampleRate, longestBlock: longestBlock, inputs: inputs.map(\.channelCount),
          outputs: outputs.map(\.channelCount), bandCount: count, files: opened.files, engine: index))
    } catch {
      throw opened.meaning(of: error)
    }
    return NewNode(
      name, .processor, inputs, outputs,
      .effect(
        .init(
          info: info, processor: processor, bandCount: count, files: Array(files.values),
          makeHandle: makeHandle)))
  }

  /// Attaches a node, as an edit of its own.
  ///
  /// - Parameter isNamed: whether the name is required. Otherwise a number is appended to a name that is taken.
  func add(_ new: NewNode, isNamed: Bool) throws(EngineError) -> AudioNode {
    let node = try core.withLock { core throws(EngineError) in
      let name = isNamed ? new.name : core.freeName(for: new.name)
      let id = try graphEdit { () throws(GraphError) in try core.graph.reserveNode() }
      let node = new.node(id, named: name)
      core.staged[id] = new.record
      defer { core.staged[id] = nil }
      try core.edit { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.check(node) }
        try core.perform(GraphDelta(adding: node), isReturn: false)
      }
      return node
    }
    if new.record.plugin != nil { fitNewPlugins() }
    return new.record.makeHandle(node.name, node.id, self)
  }
}

extension EngineCore {
  /// Returns `delay`, or `delay-2` if that name is taken.
  func freeName(for base: String, besides isTaken: (String) -> Bool = { _ in false }) -> String {
    var name = base, number = 1
    while graph.node(named: name) != nil || stagedNames.contains(name) || isTaken(name) {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }
}

extension BusFormat {
  /// The format of an effect's bus if its main input has `channels` channels.
  init(_ content: EffectBus.Content, channels: Int) {
    self =
      switch content {
      case .matching: .audio(channels: channels)
      case .atLeast(let fewest): .audio(channels: max(channels, fewest))
      case .channels(let count): .audio(channels: count)
      case .events: .events
      }
  }
}

extension NodeKind {
  /// The name of a node if none is given.
  var defaultName: String {
    switch self {
    case .capture: "capture"
    case .playback: "playback"
    case .midiInput: "midi-in"
    case .midiOutput: "midi-out"
    case .mixer: "mixer"
    case .effect(let name, _, _, _, _): name
    case .plugin: "plugin"
    case .player: "player"
    case .track: "track"
    case .midiPlayer: "midi-player"
    case .source: "source"
    case .sink: "sink"
    }
  }
}
