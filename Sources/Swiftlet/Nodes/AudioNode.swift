// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// A node of an engine: a handle that is cheap to keep. Each kind of node has a class of its own, with what only that kind
/// can do: ``EffectNode``, ``PluginNode``, ``MixerNode``, ``InputNode``, ``OutputNode``, ``PlayerNode`` and others.
///
/// A handle keeps its engine alive. Two handles of one node are equal. Once the node is detached, functions that need it
/// throw ``EngineError/notAttached(_:)``.
///
/// @unchecked: all stored properties of this class and of its subclasses are constants of sendable types.
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

  /// Another handle of a node, of this class.
  convenience init(_ node: AudioNode) { self.init(name: node.name, id: node.id, engine: node.engine) }

  public static func == (a: AudioNode, b: AudioNode) -> Bool { a.id == b.id && a.engine === b.engine }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(engine))
  }

  /// The node's latency in frames.
  public var latency: Int { (try? record { $0.processor?.latency.load(ordering: .relaxed) }) ?? 0 }

  /// Has what plays, or plays next, loop otherwise.
  func setLoop(_ loop: PlayerItem.Loop) throws(EngineError) { throw .notAPlayer(name) }
}

extension AudioNode {
  /// What the effect or plugin is: parameters, presets, buses. Nil for other nodes.
  package var info: ProcessorInfo? { try? record { $0.info } }

  /// All parameters, those of bands under names like `bands[1].frequency`.
  package var parameterInfos: [ParameterInfo] { (try? record { $0.parameters }) ?? [] }

  /// Moves a parameter.
  ///
  /// - Parameters:
  ///   - parameter: its symbol; in a band, `bands[1].frequency`, counted from 1.
  ///   - value: in the parameter's own unit; what lies outside its range is moved to the edge and told as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: how long it glides; nil is the parameter's own time.
  ///   - time: when; nil is as soon as possible. Exact to the frame for effects, to 16 frames for plugins.
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``,
  ///   ``EngineError/notANumber(node:parameter:)``, ``EngineError/notAttached(_:)``,
  ///   ``EngineError/graph(_:)`` when too many changes wait.
  package func set(
    _ parameter: String, to value: Float, over duration: Duration? = nil, at time: AudioTime? = nil
  ) throws(EngineError) {
    let info = try self.parameter(parameter)
    guard !value.isNaN else { throw .notANumber(node: name, parameter: parameter) }
    let glide =
      duration.map { Int($0.frames(at: engine.sampleRate)) } ?? info.glideFrames(at: engine.sampleRate)
    try engine.send(
      clamped(value, to: info), to: info.number, of: id, over: glide, at: time?.frame(at: engine.sampleRate))
  }

  /// Sets a parameter that takes named values, by one of the names.
  ///
  /// - Throws: ``EngineError/unknownChoice(node:parameter:choice:known:)``, and as `set(_:to:over:at:)`.
  package func set(_ parameter: String, to choice: String, at time: AudioTime? = nil) throws(EngineError) {
    let info = try self.parameter(parameter)
    guard let value = info.choices.first(where: { $0.name == choice })?.value else {
      throw .unknownChoice(node: name, parameter: parameter, choice: choice, known: info.choices.map(\.name))
    }
    try set(parameter, to: value, over: .zero, at: time)
  }

  /// Where a parameter was last sent, or where the lane is that it follows; its initial value until then. Nil for
  /// one that is not there.
  package subscript(parameter: String) -> Float? {
    guard let info = try? self.parameter(parameter) else { return nil }
    return engine.destination(of: info.number, of: id) ?? info.initial
  }

  /// What the node shows on a meter now, such as gain reduction; nil for a meter it does not have.
  package func meter(_ symbol: String) -> Float? {
    try? record { record in
      guard let index = record.info?.meters.firstIndex(where: { $0.symbol == symbol }) else { return nil }
      return record.processor?.meter(index)
    }
  }

  /// What the node's effect does to sines at `frequencies` in hertz, as its parameters were sent last: for
  /// drawing. Nil for a node that does more than filter, and for plugins.
  ///
  /// The picture is of where glides lead, and of a node that is not bypassed.
  package func response(at frequencies: [Double]) -> FrequencyResponse? {
    guard let node = engine.graph.node(id) else { return nil }
    return try? record { record in
      guard let info = record.info, let unit = engine.catalog.units[info.id] else { return nil }
      let layout = Layout(
        sampleRate: engine.sampleRate, longestBlock: 1, inputs: node.inputs.map(\.channelCount),
        outputs: node.outputs.map(\.channelCount), bandCount: record.bandCount)
      return unit.response(at: frequencies, values: record.values, layout: layout)
    }
  }

  /// Whether the node's main input goes around it.
  package var isBypassed: Bool { engine.graph.node(id)?.isBypassed ?? false }

  /// Sends the node's main input around it, or through it again, crossfading over
  /// 5 ms. The node runs on meanwhile.
  ///
  /// - Throws: ``EngineError/notAttached(_:)``.
  package func setBypassed(_ isBypassed: Bool) throws(EngineError) {
    try engine.changeGraph { graph throws(GraphError) in try graph.setBypass(isBypassed, of: id) }
  }

  /// Moves all parameters that a preset names.
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
  /// Plain parameters, then those of each band under names of their own.
  var parameters: [ParameterInfo] {
    guard let info else { return player == nil || player is EventSource ? [] : StreamSource.parameters }
    guard let bands = info.bands else { return info.parameters }
    return info.parameters + (0..<bandCount).flatMap { bands.named($0) }
  }
}
