// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

/// A connection between two nodes of an engine; into a mixer, a ``ChannelStrip``. A handle that is cheap to copy.
///
/// ```swift
/// let wire = try engine.connect(delay, to: reverb)
/// wire.gain.value = .decibels(-3)
/// let send = try wire.send(to: hall, gain: .decibels(-12))
/// ```
///
/// Changes do not click: mute fades over 5 ms, gain over 5 ms or over the duration of a ramp. Setting a property
/// never fails; on a wire that has been removed, the value is kept in case an undo restores the wire. Functions throw
/// ``EngineError/graph(_:)`` once the wire or one of its nodes has been removed. A handle keeps its engine alive. Two
/// handles of one wire are equal. Any thread.
///
/// @unchecked: all stored properties of this class and of its subclass are constants of sendable types.
public class Wire: Hashable, @unchecked Sendable {
  /// The wire's identity in `AudioEngine.graph`: its two ends, and for a send the connection that it sends.
  public let id: Graph.Wire.ID
  /// The engine that the wire is in.
  package let engine: AudioEngine

  /// Makes a handle of a wire, which need not be in the graph.
  package init(_ id: Graph.Wire.ID, in engine: AudioEngine) {
    self.id = id
    self.engine = engine
  }

  /// Makes a handle of a wire of a graph: a channel strip if the wire leads into a mixer.
  package static func handle(_ id: Graph.Wire.ID, of graph: Graph, in engine: AudioEngine) -> Wire {
    graph.node(id.destination.node)?.role == .mixer ? ChannelStrip(id, in: engine) : Wire(id, in: engine)
  }

  public static func == (a: Wire, b: Wire) -> Bool { a.id == b.id && a.engine === b.engine }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(engine))
  }

  /// The gain of the wire's fader, up to +60 dB; −120 dB and less is silence. Default: 0 dB.
  public var gain: MixParameter<Level> { MixParameter(.wire(self, .gain)) }

  /// Whether the wire is muted: nothing reaches its end or its sends. Default: false.
  public var isMuted: Bool {
    get { last?.isMuted ?? false }
    set { keep { $0.isMuted = newValue } }
  }

  /// The sends of the wire, in the order in which they were made.
  public var sends: [Wire] {
    let graph = engine.graph
    return graph.wires.filter { $0.id.stripID == id }.map { Wire.handle($0.id, of: graph, in: engine) }
  }

  /// Sends the wire's sound to another node, too. The send fades in over 5 ms, is removed with the wire, and is
  /// delayed to be in time with all other sound there.
  ///
  /// - Parameters:
  ///   - destination: the node that gets the sound.
  ///   - bus: the input bus of `destination`; default: 0.
  ///   - channel: the channel of `destination` that gets the sound, from 0; default: all of them.
  ///   - gain: the gain of the send, up to +60 dB; −120 dB and less is silence. Default: 0 dB.
  ///   - isPreFader: whether the send ignores the wire's fader. Trim, phase and mute always apply. Default: false.
  /// - Returns: the send, which is a wire itself.
  /// - Throws: ``EngineError/graph(_:)``, also for a send of a send; ``EngineError/notAttached(_:)`` for a node of
  ///   another engine.
  @discardableResult
  public func send(
    to destination: AudioNode, bus: Bus = 0, channel: Int? = nil, gain: Level = .decibels(0),
    isPreFader: Bool = false
  ) throws(EngineError) -> Wire {
    try engine.use([destination])
    let end = Endpoint(destination.id, bus: bus, channel: channel)
    let added = try engine.changeGraph { graph throws(GraphError) in
      try send(to: end, gain: gain.decibels, isPreFader: isPreFader, in: &graph)
    }
    return Wire.handle(added, of: engine.graph, in: engine)
  }

  /// Removes the wire and its sends; their sound fades out over 5 ms. Does nothing if the wire has been removed.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func disconnect() throws(EngineError) {
    try engine.changeGraph { graph throws(GraphError) in
      if graph.wire(id) != nil { try graph.disconnect(id) }
    }
  }

  /// A value of a wire that can follow an automation lane.
  public enum Parameter: Sendable {
    /// The factor that multiplies the sound, in addition to the fader.
    case volume
    /// A second factor, which lowers the sound to make room for other sound.
    case ducking
    /// The pan, from −1 (left) to 1 (right), for a wire that leads into two channels.
    case pan

    /// The value that the graph's lane controls.
    var value: Lane.Value {
      switch self {
      case .volume: .volume
      case .ducking: .ducking
      case .pan: .pan
      }
    }
  }

  /// Makes the volume or the pan of the wire follow an automation lane over the timeline, sample-accurately. The
  /// fader multiplies the volume lane; a pan lane replaces the wire's pan, and uses its pan law.
  ///
  /// - Parameters:
  ///   - parameter: the value that follows the lane.
  ///   - lane: nil ends the automation, and the value returns to the one that was set. A value out of range is
  ///     clamped, from 0 to 1,000 or, for the pan, from −1 to 1, and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
  /// - Throws: ``EngineError/graph(_:)``.
  public func automate(_ parameter: Parameter, with lane: Automation?) throws(EngineError) {
    engine.broadcaster.send(
      try engine.changeGraph { graph throws(GraphError) in try graph.automate(id, parameter, with: lane) })
  }
}
