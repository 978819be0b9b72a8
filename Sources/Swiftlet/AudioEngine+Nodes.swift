// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletLV2
public import SwiftletSignal
internal import SwiftletStretch
internal import Synchronization

extension AudioEngine {
  /// Adds a node, under a name that is unique in the engine; without one it is named after its kind.
  ///
  /// All that can fail fails now: the plugin is made, the file is opened, the ports are registered.
  /// - Throws: ``EngineError``: the graph, the studio, the plugin, the file or the effect refuses.
  public func attach(_ kind: NodeKind, name: String? = nil) throws(EngineError) -> AudioNode {
    // A free name is free until the node has it.
    editing.lock()
    defer { editing.unlock() }
    let name = name ?? freeName(for: kind.defaultName)
    switch kind {
    case .capture(let channels, let rule):
      return try attachWay(.audio(channels: channels), isInput: true, name, rule)
    case .playback(let channels, let rule, let ceiling):
      guard let ceiling else { return try attachWay(.audio(channels: channels), isInput: false, name, rule) }
      let limiter = try limiter(channels: channels)
      let node = try attachWay(.audio(channels: channels), isInput: false, name, rule, behind: limiter)
      try node.set("ceiling", to: ceiling)
      return node
    case .midiInput(let rule): return try attachWay(.events, isInput: true, name, rule)
    case .midiOutput(let rule): return try attachWay(.events, isInput: false, name, rule)
    case .mixer(let channels):
      let format = [BusFormat.audio(channels: channels)]
      return try add(name, .mixer, format, format, .init(inputNames: ["in"], outputNames: ["out"]))
    case .effect(let effect, let channels, let bands, let files, let engine):
      return try attachEffect(effect, channels: channels, bands: bands, files: files, engine, name)
    case .plugin(let uri, let channels): return try attachPlugin(uri, channels: channels, name)
    case .player(let path, let loop, let plays, let stretch, let engine):
      return try attachPlayer(path, loop: loop, plays: plays, stretch, engine, name)
    case .track(let track, let mix, let plays): return try attachTrack(track, mix, plays: plays, name)
    case .midiPlayer(let path, let loop): return try attachMIDIPlayer(path, loop: loop, name)
    case .source(let channels, let body):
      return try add(
        name, .processor, [], [.audio(channels: channels)],
        .init(processor: ClosureProcessor(body), outputNames: ["out"]))
    case .sink(let channels, let body):
      return try add(
        name, .processor, [.audio(channels: channels)], [],
        .init(processor: ClosureProcessor(body), inputNames: ["in"]))
    }
  }

  /// Adds an effect of the program's own, without its being in the catalogue.
  ///
  /// - Throws: ``EngineError/effect(name:_:)``, ``EngineError/graph(_:)``, ``EngineError/file(_:)``.
  public func attach<Unit: EffectUnit & ~Copyable>(
    _ unit: Unit.Type, channels: Int = 2, bands: Int? = nil, files: [String: String] = [:],
    name: String? = nil
  ) throws(EngineError) -> AudioNode {
    var own = UnitCatalog()
    own.visit(unit)
    return try attachUnit(
      own.entries[0], channels: channels, bands: bands, files: files, nil,
      name ?? freeName(for: own.entries[0].info.id))
  }

  /// Removes a node with its wires and taps; its sound fades out. Twice is fine.
  ///
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/notAttached(_:)`` for a node of another engine.
  public func detach(_ node: AudioNode) throws(EngineError) {
    try checkOwner(of: [node])
    try changeCore { core throws(EngineError) in
      guard core.records[node.id] != nil else { return }
      try core.edit(isAtomic: true) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in try core.graph.remove(node.id) }
        if core.records[node.id]?.external != nil { core.retiring.append(node.name) }
        core.records[node.id] = nil
        core.newProcessors[node.id] = nil
      }
    }
  }

  /// The node of this name, if it is attached.
  public func node(_ name: String) -> AudioNode? {
    core.withLock { $0.graph.node(named: name)?.id }.map { AudioNode(name: name, id: $0, engine: self) }
  }

  /// All nodes, in the order they were attached.
  public var nodes: [AudioNode] { graph.nodes.map { AudioNode(name: $0.name, id: $0.id, engine: self) } }

  /// What holds a playback node down.
  private func limiter(channels: Int) throws(EngineError) -> EngineCore.Record {
    guard let entry = EffectCatalog.builtIn.units["limiter"] else {
      throw .unknownEffect("limiter", nearest: nil)
    }
    do throws(UnitError) {
      return .init(
        info: entry.info,
        processor: try entry.make(
          Layout(sampleRate: sampleRate, longestBlock: longestBlock, channels: channels)))
    } catch {
      throw .effect(name: entry.info.id, error)
    }
  }

  private func attachWay(
    _ format: BusFormat, isInput: Bool, _ name: String, _ rule: ConnectionRule,
    behind limiter: EngineCore.Record? = nil
  ) throws(EngineError) -> AudioNode {
    let number: Int
    if let studio {
      do throws(JackError) {
        number =
          switch (format, isInput) {
          case (.audio(let channels), true): try studio.addCapture(node: name, channels: channels, rule: rule)
          case (.audio(let channels), false):
            try studio.addPlayback(node: name, channels: channels, rule: rule)
          case (.events, true): try studio.addMIDIIn(node: name, rule: rule)
          case (.events, false): try studio.addMIDIOut(node: name, rule: rule)
          }
      } catch {
        throw .jack(error)
      }
    } else {
      number = core.withLock { core in
        if isInput { core.inputCount += 1 } else { core.outputCount += 1 }
        core.offline = nil
        return (isInput ? core.inputCount : core.outputCount) - 1
      }
    }
    do throws(EngineError) {
      return try add(
        name, isInput ? .input(number) : .output(number), isInput ? [] : [format], isInput ? [format] : [],
        .init(
          info: limiter?.info, processor: limiter?.processor, external: number, inputNames: ["in"],
          outputNames: ["out"]))
    } catch {
      try? studio?.remove(node: name)
      throw error
    }
  }

  private func attachEffect(
    _ effect: String, channels: Int, bands: Int?, files: [String: String], _ engine: StretchEngine?,
    _ name: String
  ) throws(EngineError) -> AudioNode {
    guard let entry = catalog.units[effect] else {
      throw .unknownEffect(effect, nearest: NearestName.nearest(to: effect, among: catalog.infos.map(\.id)))
    }
    return try attachUnit(entry, channels: channels, bands: bands, files: files, engine, name)
  }

  private func attachUnit(
    _ entry: UnitCatalog.Entry, channels: Int, bands: Int?, files: [String: String], _ engine: StretchEngine?,
    _ name: String
  ) throws(EngineError) -> AudioNode {
    let info = entry.info
    if let bands, let range = info.bands?.count(channels: channels), !range.contains(bands) {
      throw .bands(node: name, count: bands, range: range)
    }
    let place = try place(of: engine, in: info, for: name)
    let inputs = info.inputs.map { BusFormat($0.content, channels: channels) }
    let outputs = info.outputs.map { BusFormat($0.content, channels: channels) }
    let count = info.bands.map { bands ?? ($0.followsChannels ? channels : $0.initialCount) } ?? 0
    let opened = try EffectFiles(files, for: info, sampleRate: sampleRate)
    // The longest delay line of an effect has 5 s, in a power of two of frames.
    let longest = 8 * sampleRate * Double(max(1, inputs.map(\.channelCount).reduce(0, +)))
    guard MemoryBudget.grants(Int(longest) * MemoryLayout<Float>.size) else {
      throw .effect(name: name, .resources)
    }
    let processor: Processor
    do throws(UnitError) {
      processor = try entry.make(
        Layout(
          sampleRate: sampleRate, longestBlock: longestBlock, inputs: inputs.map(\.channelCount),
          outputs: outputs.map(\.channelCount), bandCount: count, files: opened.files, engine: place))
    } catch {
      throw opened.meaning(of: error)
    }
    return try add(
      name, .processor, inputs, outputs,
      .init(
        info: info, bandCount: count, processor: processor, inputNames: info.inputs.map(\.symbol),
        outputNames: info.outputs.map(\.symbol), assets: Array(files.values)))
  }

  func add(
    _ name: String, _ role: Graph.Role, _ inputs: [BusFormat], _ outputs: [BusFormat],
    _ record: EngineCore.Record
  ) throws(EngineError) -> AudioNode {
    let id = try changeCore { core throws(EngineError) in
      try core.edit(isAtomic: true) { core throws(EngineError) in
        let id = try graphEdit { () throws(GraphError) in
          try core.graph.add(name, role, inputs: inputs, outputs: outputs)
        }
        core.records[id] = record
        if let processor = record.processor {
          core.newProcessors[id] = processor
          // A plugin may have said something while it was made.
          core.host.listen(to: processor, as: id)
        }
        return id
      }
    }
    return AudioNode(name: name, id: id, engine: self)
  }

  /// `delay`, or `delay-2` where that is taken.
  func freeName(for base: String) -> String {
    core.withLock { core in
      var name = base, number = 1
      while core.graph.node(named: name) != nil {
        number += 1
        name = "\(base)-\(number)"
      }
      return name
    }
  }
}

extension BusFormat {
  /// What a bus of an effect carries where its main input has so many channels.
  init(_ content: UnitBus.Content, channels: Int) {
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
  /// What a node is called where nobody says.
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
