// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
internal import SwiftletGraph

extension ResolvedManifest {
  /// Attaches all nodes and wires to an engine, as one edit, and sets their presets and values.
  ///
  /// Taps are left to whoever records; their nodes are found by their place in the
  /// result. The engine is not started.
  /// - Parameter connects: whether ports are connected as the manifest says; else they stand free.
  /// - Returns: the nodes, in the order of ``nodes``.
  /// - Throws: what cannot be known before: a plugin that cannot be made, a file that has gone, a port that
  ///   JACK refuses. The engine is then as it was.
  @discardableResult
  public func attach(to engine: AudioEngine, connects: Bool = true) throws(EngineError) -> [AudioNode] {
    var attached: [AudioNode] = []
    try engine.edit { () throws(EngineError) in
      for node in nodes {
        let handle = try engine.attach(node.engineKind(connects: connects), name: node.name)
        attached.append(handle)
        try node.settle(handle)
      }
      for wire in wires {
        // A mixer's own gain lies on what comes in, so that a tap behind it hears it.
        let more = nodes[wire.to.node].kind == .mixer ? nodes[wire.to.node].gain : 0
        try engine.connect(
          attached[wire.from.node], bus: SwiftletGraph.Bus(index: wire.from.bus), channel: wire.from.channel,
          to: attached[wire.to.node], bus: SwiftletGraph.Bus(index: wire.to.bus), channel: wire.to.channel,
          gain: Float(wire.gain + more), pan: Float(wire.pan), feedback: wire.feedback)
      }
    }
    return attached
  }
}

extension ResolvedManifest.Node {
  /// What the engine is asked for.
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
        info.id, channels: width, bands: info.bands == nil ? nil : bandCount, files: files, engine: engine)
    case .plugin(let info): .plugin(info.id, channels: width)
    case .player(let path, let loop): .player(path, loop: loop, stretch: stretch, engine: engine ?? .fast)
    case .track(let track, let mix): .track(track, mix: mix)
    }
  }

  /// The channels of the buses that match what is wired to them.
  private var width: Int {
    guard let info = Widths.info(kind) else { return Widths.usual }
    let buses = zip(info.inputs, inputs).map { ($0, $1) } + zip(info.outputs, outputs).map { ($0, $1) }
    return buses.first { $0.0.content == .matching }?.1.format.channelCount ?? Widths.usual
  }

  private var rule: ConnectionRule {
    switch connection {
    case nil: .automatic
    case .nowhere: .none
    case .physical(let first): .physical(from: first)
    case .pattern(let pattern): .pattern(pattern)
    case .ports(let names): .ports(names)
    }
  }

  /// Sets what is said of the node, before anybody hears it.
  fileprivate func settle(_ node: AudioNode) throws(EngineError) {
    if let preset { try node.load(preset: preset) }
    let parameters = node.parameters
    for value in values {
      guard let parameter = parameters.first(where: { $0.number == value.parameter }) else { continue }
      try node.set(parameter.symbol, to: value.value)
    }
    if case .player = kind, gain != 0 { try node.set(StreamSource.gain.symbol, to: Float(gain)) }
    if isBypassed { try node.setBypassed(true) }
  }
}
