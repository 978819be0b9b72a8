// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal
internal import Synchronization

/// A node of an engine: a handle that is cheap to copy. Each kind of node has a class of its own, with what only that
/// kind can do: ``EffectNode``, ``PluginNode``, ``MixerNode``, ``InputNode``, ``OutputNode``, ``PlayerNode`` and
/// others.
///
/// A handle keeps its engine alive. Two handles of one node are equal. Once the node is detached, functions that need
/// it throw ``EngineError/notAttached(_:)``.
///
/// @unchecked: all stored properties of this class and of its subclasses are constants of sendable types.
///
/// Any thread may use a node but the audio thread; calls from several threads are safe.
public class AudioNode: Hashable, @unchecked Sendable {
  /// The node's name, unique in its engine; with a JACK server, the name of its ports.
  public let name: String
  /// The node's identity in `AudioEngine.graph`.
  public let id: NodeID
  /// The engine that the node is attached to.
  public let engine: AudioEngine

  /// Makes a handle from a name, an identity and an engine.
  typealias Maker = @Sendable (String, NodeID, AudioEngine) -> AudioNode
  /// Makes a handle of this class.
  class var handle: Maker { { AudioNode(name: $0, id: $1, engine: $2) } }

  package init(name: String, id: NodeID, engine: AudioEngine) {
    self.name = name
    self.id = id
    self.engine = engine
  }

  /// Creates another handle of a node, of this class.
  convenience init(_ node: AudioNode) { self.init(name: node.name, id: node.id, engine: node.engine) }

  public static func == (a: AudioNode, b: AudioNode) -> Bool { a.id == b.id && a.engine === b.engine }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(engine))
  }

  /// The node's latency in frames.
  public var latency: Int { (try? record { $0.processor?.latency.load(ordering: .relaxed) }) ?? 0 }

  /// Sets the loop of the current item, or of the next one if none plays.
  func setLoop(_ loop: PlayerItem.Loop) throws(EngineError) { throw .notAPlayer(name) }
}

extension AudioNode {
  /// The description of the effect or plugin: parameters, presets, buses. Nil for other nodes.
  package var info: ProcessorInfo? { try? record { $0.info } }

  /// The descriptions of all parameters. Those of bands have names like `bands[1].frequency`.
  package var parameterInfos: [ParameterInfo] { (try? record { $0.parameters }) ?? [] }

  /// The latency from a playback node's sources to the node, in frames; 0 for other nodes, and before the graph is
  /// prepared.
  package var arrivalLatency: Int { engine.core.withLock { $0.controller.latency(of: id) } }

  /// Moves a parameter to a value.
  ///
  /// - Parameters:
  ///   - parameter: its symbol; in a band, `bands[1].frequency`, counted from 1.
  ///   - value: in the parameter's unit. A value out of range is clamped and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: the duration of the glide; nil, the default, is the parameter's own.
  ///   - time: the time of the change; nil, the default, is as soon as possible. Exact to the frame for effects, to
  ///     16 frames for plugins.
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``,
  ///   ``EngineError/notANumber(node:parameter:)``, ``EngineError/notAttached(_:)``, ``EngineError/graph(_:)`` if too
  ///   many changes wait.
  package func set(
    _ parameter: String, to value: Float, over duration: Duration? = nil, at time: AudioTime? = nil
  ) throws(EngineError) {
    let info = try self.parameter(parameter)
    guard !value.isNaN else { throw .notANumber(node: name, parameter: parameter) }
    let glide =
      duration.map { Int($0.frames(at: engine.sampleRate)) } ?? -info.glideFrames(at: engine.sampleRate)
    try engine.send(
      clamped(value, to: info), to: info.number, of: id, over: glide, at: time?.frame(at: engine.sampleRate))
  }

  /// Sets a parameter to one of its named values.
  ///
  /// - Throws: ``EngineError/unknownChoice(node:parameter:choice:known:)``, and as `set(_:to:over:at:)`.
  package func set(_ parameter: String, to choice: String, at time: AudioTime? = nil) throws(EngineError) {
    let info = try self.parameter(parameter)
    guard let value = info.choices.first(where: { $0.name == choice })?.value else {
      throw .unknownChoice(node: name, parameter: parameter, choice: choice, known: info.choices.map(\.name))
    }
    try set(parameter, to: value, over: .zero, at: time)
  }

  /// The parameter's target value, or the automation lane's current value; the initial value if it was never set. Nil
  /// for an unknown parameter.
  package subscript(parameter: String) -> Float? {
    guard let info = try? self.parameter(parameter) else { return nil }
    return engine.destination(of: info.number, of: id) ?? info.initial
  }

  /// Returns the node's current value on a meter, such as gain reduction; nil for a meter that it does not have.
  package func meter(_ symbol: String) -> Float? {
    try? record { record in
      guard let index = record.info?.meters.firstIndex(where: { $0.symbol == symbol }) else { return nil }
      return record.processor?.meter(index)
    }
  }

  /// Returns the frequency response of the node's effect at `frequencies` in hertz, for drawing. Nil for an effect
  /// that does more than filter, and for plugins.
  ///
  /// Uses the target values of the parameters, and ignores a bypass.
  package func response(at frequencies: [Double]) -> FrequencyResponse? {
    guard let node = engine.graph.node(id) else { return nil }
    return try? record { record in
      guard let info = record.info, let entry = engine.catalog.registry[info.id] else { return nil }
      let layout = Layout(
        sampleRate: engine.sampleRate, longestBlock: 1, inputs: node.inputs.map(\.channelCount),
        outputs: node.outputs.map(\.channelCount), bandCount: record.bandCount)
      return entry.response(at: frequencies, values: record.values, layout: layout)
    }
  }

  /// Whether the node is bypassed.
  package var isBypassed: Bool { engine.graph.node(id)?.isBypassed ?? false }

  /// Bypasses the node's main input, or ends the bypass, with a crossfade of 5 ms. The node runs on while it is
  /// bypassed.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
  package func setBypassed(_ isBypassed: Bool) throws(EngineError) {
    try engine.changeGraph { graph throws(GraphError) in try graph.setBypass(isBypassed, of: id) }
  }

  /// Unmutes a playback node that was muted to protect ears and loudspeakers; it fades in.
  package func unmute() { engine.core.withLock { $0.controller.open(id) } }

  /// Sets all parameters of a preset.
  ///
  /// - Throws: ``EngineError/unknownPreset(node:preset:known:)``, ``EngineError/plugin(_:)``.
  package func load(preset: String) throws(EngineError) { try engine.load(preset, on: self) }

  func parameter(_ symbol: String) throws(EngineError) -> ParameterInfo {
    let all = try record { $0.parameters }
    if let found = all.first(where: { $0.symbol == symbol }) { return found }
    throw .unknownParameter(
      node: name, parameter: symbol, nearest: NearestName.nearest(to: symbol, among: all.map(\.symbol)))
  }

  func record<Result: Sendable>(_ body: (EngineCore.Record) -> Result) throws(EngineError) -> Result {
    try engine.core.withLock { core throws(EngineError) in
      guard let record = core.record(of: id) else { throw .notAttached(name) }
      return body(record)
    }
  }
}

extension EngineCore.Record {
  /// The plain parameters, then those of each band.
  var parameters: [ParameterInfo] {
    guard let info else { return player == nil || player is EventSource ? [] : StreamSource.parameters }
    guard let bands = info.bands else { return info.parameters }
    return info.parameters + (0..<bandCount).flatMap { bands.named($0) }
  }
}
