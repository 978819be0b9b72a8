// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletPlayback

extension ResolvedManifest {
  /// Configures an engine's session, attaches all nodes and wires in one edit, and sets presets and values.
  ///
  /// Taps are not installed; the caller finds their nodes by index in the result. The engine is not started.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - connects: Whether ports are connected as the manifest describes; if false, they stay unconnected.
  /// - Returns: The nodes, in the order of ``nodes``.
  /// - Throws: Errors that checking cannot detect: a plugin that cannot be created, a file that no longer exists, a
  ///   port that JACK refuses. The engine is then unchanged.
  @discardableResult
  public func attach(to engine: AudioEngine, connects: Bool = true) throws(EngineError) -> [AudioNode] {
    let (before, role) = (engine.session, engine.transportRole)
    do throws(EngineError) {
      // The session comes first, because it determines which ports exist.
      if let session { try engine.setSession(session) }
      return try attachAll(to: engine, connects: connects)
    } catch {
      if session != nil { try? engine.setSession(before) }
      if engine.transportRole != role { try? engine.setTransportRole(role) }
      throw error
    }
  }

  private func attachAll(to engine: AudioEngine, connects: Bool) throws(EngineError) -> [AudioNode] {
    try engine.edit { edit in
      var attached: [AudioNode] = []
      let processes = sharedProcesses()
      for (index, var node) in nodes.enumerated() {
        node.isolation?.process = processes[index]
        let handle = try node.attach(to: &edit, connects: connects)
        attached.append(handle)
        try node.settle(handle, in: &edit)
      }
      var ids: [Graph.Wire.ID] = []
      for wire in wires {
        let made = wire.engineWire(attached)
        try edit.connect(made)
        ids.append(made.id)
      }
      try follow(attached, ids, in: &edit)
      if transport != .own { try engine.setTransportRole(transport) }
      if let tempo { engine.showTempo(tempo) }
      return attached
    }
  }
}

extension ResolvedManifest {
  /// Applies the automation of nodes and wires.
  private func follow(
    _ nodes: [AudioNode], _ wires: [Graph.Wire.ID], in edit: inout GraphEdit
  ) throws(EngineError) {
    var mix = AudioMix()
    mix.master = master
    for lane in lanes {
      guard case .node(let index, let parameter) = lane.target else { continue }
      let node = nodes[index]
      // The initial value is the current value of a parameter, 1 for volumes, and 0 for pans.
      let initial = node[parameter] ?? (parameter == Checker.volume ? 1 : 0)
      mix[lane: ParameterPath(node: node.name, parameter: parameter)] = try automation(lane, from: initial)
    }
    if mix != AudioMix() { try edit.apply(mix) }
    for lane in lanes {
      guard case .wire(let index, let value) = lane.target else { continue }
      try edit.automate(wires[index], value, with: automation(lane, from: value == .pan ? 0 : 1))
    }
  }

  private func automation(_ lane: Lane, from initial: Float) throws(EngineError) -> Automation {
    do throws(AutomationError) { return try lane.automation(from: initial) } catch {
      throw .automation(error)
    }
  }
}

extension ResolvedManifest.Wire {
  /// Returns the graph's wire between these nodes.
  func engineWire(_ nodes: [AudioNode]) -> Graph.Wire {
    let source = from.endpoint(nodes), destination = to.endpoint(nodes)
    var wire = Graph.Wire(from: source, to: destination)
    if let strip {
      let whole = Graph.Wire(from: source, to: strip.endpoint(nodes))
      wire = Graph.Wire(sendOf: whole, to: destination, isPreFader: isPreFader)
    }
    (wire.gain, wire.trim, wire.feedback) = (Float(gain), Float(trim), feedback)
    (wire.pan, wire.panLaw) = (pan.map { Float($0) }, panLaw)
    (wire.isInverted, wire.isMuted, wire.isSolo, wire.isSoloSafe) = (isInverted, isMuted, isSolo, isSoloSafe)
    return wire
  }
}

extension ResolvedManifest.End {
  fileprivate func endpoint(_ nodes: [AudioNode]) -> Endpoint {
    Endpoint(nodes[node].id, bus: SwiftletGraph.Bus(index: bus), channel: channel)
  }
}

extension ResolvedManifest.Node {
  fileprivate func attach(to edit: inout GraphEdit, connects: Bool) throws(EngineError) -> AudioNode {
    guard case .plugin(let info) = kind else {
      return try edit.attach(engineKind(connects: connects), name: name)
    }
    return try edit.attach(
      plugin: info.id, channels: width, in: isolation, programChange: programChange, name: name)
  }

  /// Returns the node kind for the engine.
  func engineKind(connects: Bool) -> NodeKind {
    let rule = connects ? rule : .none
    return switch kind {
    case .capture: .capture(channels: outputs.first?.format.channelCount ?? 1, connect: rule)
    case .playback:
      .playback(
        channels: inputs.first?.format.channelCount ?? 2, connect: rule, ceiling: ceiling.map { Float($0) })
    case .midiIn: .midiInput(connect: rule)
    case .midiOut: .midiOutput(connect: rule)
    case .mixer: .mixer(channels: inputs.first?.format.channelCount ?? 2)
    case .effect(let info):
      .effect(
        info.id, channels: width, bands: info.bands == nil ? nil : bandCount, files: files,
        algorithm: algorithm)
    case .plugin(let info): .plugin(info.id, channels: width)
    case .player(let path, let loop):
      .player(path, loop: loop, stretch: stretch, algorithm: algorithm ?? .fast)
    case .track(let track, let mix): .track(track, mix: mix)
    }
  }

  /// The number of channels of the buses that adapt to their wires.
  private var width: Int {
    guard let info = Widths.info(kind) else { return Widths.usual }
    let buses = zip(info.inputs, inputs).map { ($0, $1) } + zip(info.outputs, outputs).map { ($0, $1) }
    return buses.first { $0.0.content == .matching }?.1.format.channelCount ?? Widths.usual
  }

  private var rule: ConnectionRule { connection?.rule ?? .automatic }

  /// Sets state, preset, properties, parameters, gain and bypass of a node before it becomes audible.
  fileprivate func settle(_ node: AudioNode, in edit: inout GraphEdit) throws(EngineError) {
    if let state { try node.engine.loadState(from: state, on: node) }
    if let preset { try node.load(preset: preset) }
    for setting in properties {
      guard let property = node.info?.properties.first(where: { $0.number == setting.number }) else {
        continue
      }
      try node.set(property, to: setting.value)
    }
    let parameters = node.parameterInfos
    for value in values {
      guard let parameter = parameters.first(where: { $0.number == value.parameter }) else { continue }
      try node.set(parameter.symbol, to: value.value)
    }
    if case .player = kind, gain != 0 { try node.set(StreamSource.gain.symbol, to: Float(gain)) }
    if kind == .mixer, gain != 0 { try edit.setGain(Float(gain), of: node) }
    if isBypassed { try edit.setBypassed(true, of: node) }
  }
}

extension Manifest.Connection {
  fileprivate var rule: ConnectionRule {
    switch self {
    case .nowhere: .none
    case .physical(let first): .physical(from: first)
    case .pattern(let pattern): .pattern(pattern)
    case .ports(let names): .ports(names)
    case .firstOf(let connections): .firstOf(connections.map(\.rule))
    }
  }
}
