// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

/// A wire of an engine; into a mixer, what consoles call a strip. A handle that is cheap to copy and keep.
///
/// ```swift
/// let voice = try engine.connect(microphone, to: main, gain: -3, pan: -0.3)
/// let echo = try voice.send(to: reverb, gain: -12)
/// try voice.setGain(-20, over: .seconds(4))
/// try voice.setSolo(true)
/// ```
///
/// Nothing that is changed while sound runs clicks: mute, solo and phase fade over 5 ms, gain, trim and pan
/// over as long as is said, and 5 ms at least. It keeps its engine alive. Once the wire is gone, or one of its nodes
/// is, its functions throw ``EngineError/graph(_:)``. Any thread.
public struct AudioWire: Sendable, Hashable {
  /// The wire's identity in `AudioEngine.graph`: its two ends, and for a send its strip's.
  public let id: Wire.ID
  /// The engine it is in.
  public var engine: AudioEngine { owner.engine }
  private let owner: EngineIdentity

  /// The wire of this identity, whether it is there or not.
  package init(_ id: Wire.ID, in engine: AudioEngine) {
    self.id = id
    owner = EngineIdentity(engine: engine)
  }

  /// All that is said of the wire, with where glides lead; nil once it is gone.
  public var wire: Wire? { engine.graph.wire(id) }
  /// The fader, in dB; silence once the wire is gone.
  public var gain: Float { wire?.gain ?? Wire.silence }
  /// The fader as a factor, from 0 on; 0 once the wire is gone.
  public var volume: Float { wire?.volume ?? 0 }
  /// From −1 (left) to 1 (right); nil where the sound is not panned.
  public var pan: Float? { wire?.pan }
  /// Whether nothing passes because it says so itself.
  public var isMuted: Bool { wire?.isMuted ?? false }
  /// Whether what its sound is mixed with is silent for its sake.
  public var isSolo: Bool { wire?.isSolo ?? false }
  /// Whether it is silent because others are soloed.
  public var isSilenced: Bool { engine.graph.silenced.contains(id) }
  /// Its sends, in the order they were made.
  public var sends: [AudioWire] {
    engine.graph.wires.filter { $0.id.stripID == id }.map { AudioWire($0.id, in: engine) }
  }

  /// Moves the fader.
  ///
  /// - Parameters:
  ///   - gain: in dB, up to +60; −120 and less is silence. More than +60 is clamped, and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: how long it takes, up to an hour.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/graph(_:)``.
  public func setGain(_ gain: Float, over duration: Duration = .zero) throws(EngineError) {
    try set("gain", to: gain, in: Wire.gains, over: duration) { $0.gain = $1 }
  }

  /// Moves the fader, given as a factor. All glides of the fader are straight lines of factors.
  ///
  /// - Parameters:
  ///   - volume: a factor, 0 to 1000: 0 is silence, 1 leaves the sound as it is. A value outside is clamped, and
  ///     reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: how long it takes, up to an hour.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/graph(_:)``.
  public func setVolume(_ volume: Float, over duration: Duration = .zero) throws(EngineError) {
    try set("volume", to: volume, in: Lane.volumes, over: duration) { wire, volume in
      wire.volume = volume
      wire.gain = min(wire.gain, Wire.gains.upperBound)
    }
  }

  /// Changes how loud the sound is before the fader and all sends.
  ///
  /// - Parameters:
  ///   - trim: in dB, up to +60; more is clamped, and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - duration: how long it takes, up to an hour.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/graph(_:)``.
  public func setTrim(_ trim: Float, over duration: Duration = .zero) throws(EngineError) {
    try set("trim", to: trim, in: Wire.gains, over: duration) { $0.trim = $1 }
  }

  /// Places the sound between left and right.
  ///
  /// - Parameters:
  ///   - pan: from −1 (left) to 1 (right); nil leaves it where the channel rule puts it. A value outside is clamped, and
  ///     reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///   - law: how both sides share it; nil is as before, and at first ``PanLaw/usual``.
  ///   - duration: how long it takes, up to an hour.
  /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/graph(_:)``, also where it does not lead into
  ///   two channels.
  public func setPan(
    _ pan: Float?, law: PanLaw? = nil, over duration: Duration = .zero
  ) throws(EngineError) {
    try set("pan", to: pan ?? 0, in: Wire.pans, over: duration) { wire, value in
      wire.pan = pan == nil ? nil : value
      if let law { wire.panLaw = law }
    }
  }

  /// Turns the wave over, or back.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func setInverted(_ isInverted: Bool) throws(EngineError) {
    try change { $0.isInverted = isInverted }
  }

  /// Lets nothing pass, neither to the mixer nor to any send, or all again.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func setMuted(_ isMuted: Bool) throws(EngineError) { try change { $0.isMuted = isMuted } }

  /// Silences all that its sound is mixed with, in its own bus and in those behind, but for wires that are soloed,
  /// too, or solo-safe, and those that carry its sound on; or lets all be heard again.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func setSolo(_ isSolo: Bool) throws(EngineError) { try change { $0.isSolo = isSolo } }

  /// Lets it be heard while others are soloed, or no longer.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func setSoloSafe(_ isSoloSafe: Bool) throws(EngineError) {
    try change { $0.isSoloSafe = isSoloSafe }
  }

  /// Sends the strip's sound to another bus, too: as loud as the fader makes it, or as it is before that.
  ///
  /// It fades in over 5 ms, goes with the strip, and arrives in time with all else there.
  ///
  /// - Parameters:
  ///   - gain: how loud the send is, in dB, up to +60.
  ///   - isPreFader: whether the strip's fader does not count. Its trim, phase and mute always do.
  /// - Returns: the send, which is a wire itself.
  /// - Throws: ``EngineError/graph(_:)``, also for a send of a send.
  @discardableResult
  public func send(
    to destination: AudioNode, bus: Bus = 0, channel: Int? = nil, gain: Float = 0, isPreFader: Bool = false
  ) throws(EngineError) -> AudioWire {
    try engine.checkOwner(of: [destination])
    let end = Endpoint(destination.id, bus: bus, channel: channel)
    return try engine.changeGraph { graph throws(GraphError) in
      try send(to: end, gain: gain, isPreFader: isPreFader, in: &graph)
    }
  }

  /// Takes the wire out, and its sends; their sound fades out over 5 ms. Twice is fine.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func disconnect() throws(EngineError) {
    try engine.changeGraph { graph throws(GraphError) in
      if graph.wire(id) != nil { try graph.disconnect(id) }
    }
  }

  /// Changes the wire by a value, which is clamped to `range`. What was clamped is reported once the wire has changed.
  private func set(
    _ parameter: String, to value: Float, in range: ClosedRange<Float>, over duration: Duration,
    _ body: @Sendable (inout Wire, Float) -> Void
  ) throws(EngineError) {
    guard !value.isNaN else { throw .notANumber(node: ends, parameter: parameter) }
    let used = min(max(value, range.lowerBound), range.upperBound)
    try change(over: duration) { body(&$0, used) }
    guard used != value else { return }
    engine.hub.send(.clamped(node: ends, parameter: parameter, asked: value, used: used))
  }

  /// The names of both ends: `voice → main`.
  private var ends: String {
    let graph = engine.graph
    return [id.source, id.destination].map { graph.node($0.node)?.name ?? "?" }.joined(separator: " → ")
  }

  private func change(
    over duration: Duration = .zero, _ body: @Sendable (inout Wire) -> Void
  ) throws(EngineError) {
    try engine.changeGraph(.passing) { graph throws(GraphError) in
      try change(in: &graph, over: duration, body)
    }
  }

  /// Adds a send of the strip in a graph: the engine's, or a copy of it.
  func send(
    to end: Endpoint, gain: Float, isPreFader: Bool, in graph: inout Graph
  ) throws(GraphError) -> AudioWire {
    let send = Wire(sendOf: try found(in: graph), to: end, gain: gain, isPreFader: isPreFader)
    try graph.connect(send)
    return AudioWire(send.id, in: engine)
  }

  /// Changes the wire in a graph: the engine's, or a copy of it.
  func change(in graph: inout Graph, over duration: Duration, _ body: (inout Wire) -> Void) throws(GraphError)
  {
    var wire = try found(in: graph)
    body(&wire)
    wire.id = id
    wire.glide = max(duration / .seconds(1), Wire.shortestGlide)
    try graph.update(wire)
  }

  private func found(in graph: Graph) throws(GraphError) -> Wire {
    if let wire = graph.wire(id) { return wire }
    func name(_ end: Endpoint) throws(GraphError) -> String {
      guard let node = graph.node(end.node) else { throw .unknownNode(end.node) }
      return node.name
    }
    throw .unknownWire(source: try name(id.source), destination: try name(id.destination))
  }
}

/// An engine, compared by identity.
private struct EngineIdentity: Hashable {
  let engine: AudioEngine

  static func == (a: EngineIdentity, b: EngineIdentity) -> Bool { a.engine === b.engine }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(engine)) }
}
