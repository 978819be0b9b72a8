// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletGraph
package import SwiftletJack
internal import SwiftletSignal
internal import Synchronization

/// Hosts a graph of nodes and plays it: as a client of a JACK server, or offline with no server at all.
///
/// ```swift
/// let engine = try AudioEngine(.jack(name: "ear"))
/// let voice = try engine.attach(.capture()), echo = try engine.attach(.effect("delay"))
/// let desk = try engine.attach(.playback())
/// try engine.connect(voice, echo, desk)
/// try engine.start()
/// ```
///
/// Every function may be called from any task or thread, also from a listener to `events`, while sound runs:
/// edits fade in and out without a click. Errors are thrown before anything has changed.
public final class AudioEngine: Sendable {
  /// Where an engine plays.
  public enum Host: Sendable {
    /// In the studio: a client of this name, on the named server, else
    /// `JACK_DEFAULT_SERVER`, else the default one.
    case jack(name: String, server: String? = nil)
    /// Nowhere: frames are asked for with `render`, as fast as they can be made. `fadesIn` lets the
    /// first sound fade in as it does live.
    case offline(sampleRate: Double = 48_000, longestBlock: Int = 4096, fadesIn: Bool = false)
  }

  /// Frames a second.
  public let sampleRate: Double
  /// The longest block that is rendered at once, in frames.
  public let longestBlock: Int
  /// The engine's place in the studio; nil offline.
  package let studio: JackClient?
  /// The period in frames of an engine without a server that renders in time, as if JACK called it; else nil.
  let simulatedPeriod: Int?
  let renderer: Renderer
  let core: Mutex<EngineCore>
  let hub = EventHub()
  let writers = TakeWriters()
  let closed = Atomic(false)
  /// Held by whoever edits the graph, for all of an edit. Taken before `core`, never after it.
  let editing = NSRecursiveLock()
  /// Whether somebody renders or exports.
  let isClaimed = Atomic(false)
  let catalog: EffectCatalog

  /// An engine with nothing attached. In the studio the client is there from now
  /// on, and gets ports as nodes come.
  ///
  /// - Parameter effects: what `.effect` knows by name; the built-in effects unless told otherwise.
  /// - Throws: ``EngineError/jack(_:)``.
  public convenience init(_ host: Host, effects: EffectCatalog = .builtIn) throws(EngineError) {
    try self.init(host, effects: effects, simulatedPeriod: nil)
  }

  /// As the public one.
  ///
  /// - Parameter simulatedPeriod: the period of JACK, in frames, that an offline engine behaves for: its plugins, players
  ///   and effects do what they do live, and ``estimateLoad(seconds:)`` can be called.
  package init(
    _ host: Host, effects: EffectCatalog = .builtIn, simulatedPeriod: Int?
  ) throws(EngineError) {
    catalog = effects
    let graphHost: GraphHost
    switch host {
    case .jack(let name, let server):
      do throws(JackError) {
        let client = try JackClient(
          name: name, server: server, onEvent: { [hub] in hub.leave($0) })
        studio = client
        sampleRate = client.sampleRate
      } catch {
        throw .jack(error)
      }
      longestBlock = JackClient.longestBlock
      self.simulatedPeriod = nil
      graphHost = GraphHost(sampleRate: sampleRate, longestBlock: longestBlock)
    case .offline(let rate, let block, let fadesIn):
      studio = nil
      guard 1000...1_536_000 ~= rate else { throw .sampleRate(rate) }
      sampleRate = rate
      longestBlock = min(max(block, 1), 1 << 20)
      self.simulatedPeriod = simulatedPeriod.map { [longestBlock] in min(max($0, 1), longestBlock) }
      graphHost = GraphHost(sampleRate: sampleRate, longestBlock: longestBlock, fadesIn: fadesIn)
    }
    renderer = graphHost.renderer
    core = Mutex(EngineCore(host: graphHost))
    if !isOffline { Housekeeper.start(for: self) }
  }

  deinit {
    studio?.close()
    hub.finish()
  }

  /// The longest block that an engine in JACK renders at once, in frames.
  package static let longestLiveBlock = JackClient.longestBlock

  /// Whether blocks are rendered as fast as they can be, and nobody waits for their sound.
  var isOffline: Bool { studio == nil && simulatedPeriod == nil }

  /// The period in frames that the engine renders for; nil where blocks may have any length.
  var expectedPeriod: Int? { studio?.blockLength ?? simulatedPeriod }

  /// A new stream of the events from now on: xruns, clamped values, the server, takes. The stream keeps at most 1,000
  /// unread events and drops the oldest.
  ///
  /// The stream does not keep the engine alive, and ends when the engine is closed or released. Capture the stream in
  /// the task that reads it; a task that names the engine keeps the engine alive:
  ///
  /// ```swift
  /// Task { [events = engine.events] in
  ///   for await event in events { print(event) }
  /// }
  /// ```
  public var events: AsyncStream<EngineEvent> { hub.stream() }

  /// Calls `body` with each event from now on, at once and on the thread that found it: offline the one that calls
  /// `render`, else mostly one of the engine's own. `body` may call the engine, its players and recorders, also to stop
  /// and close them.
  ///
  /// The observation ends when the token is released; keep it as long as you want to be told. Until then a `body` that
  /// captures the engine keeps the engine alive; the token itself does not.
  ///
  /// - Returns: the token of the observation.
  public func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EventObservation {
    EventObservation(hub.observe(body), hub)
  }

  /// The moment behind the last frame that was rendered.
  public var currentTime: AudioTime {
    AudioTime(frame: renderer.position.load(ordering: .acquiring), sampleRate: sampleRate)
  }

  /// Whether the engine plays.
  public var isRunning: Bool { core.withLock { $0.isRunning } }

  /// What is connected to what, as a value.
  public var graph: Graph { core.withLock { $0.graph } }

  /// The steps that the audio thread takes in a cycle, as text.
  package var planText: String { core.withLock { $0.host.planText } }

  /// Runs several edits as one: what is heard changes once, and if one of them fails, none is made. Edits of other
  /// threads wait until it has ended.
  ///
  /// - Throws: what `body` throws, as ``EngineError/closure(_:)`` where that is no ``EngineError``;
  ///   ``EngineError/graph(_:)`` where the edits together cannot be played.
  public func edit(_ body: () throws -> Void) throws(EngineError) {
    editing.lock()
    defer { editing.unlock() }
    let before = core.withLock { core in
      defer { core.isEditing = true }
      return (snapshot: core.snapshot, isEditing: core.isEditing)
    }
    do {
      try body()
      try core.withLock { core throws(EngineError) in
        core.isEditing = before.isEditing
        try core.commit()
        core.endRemovedTaps()
      }
    } catch {
      core.withLock { core in
        core.isEditing = before.isEditing
        // No plan knows the ways in and out that came meanwhile.
        for name in core.ways(since: before.snapshot) { try? studio?.remove(node: name) }
        core.snapshot = before.snapshot
        core.tellStreams()
      }
      throw (error as? EngineError) ?? .closure(error)
    }
  }
}
