// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
package import SwiftletJack
internal import SwiftletSignal
internal import Synchronization

/// Hosts a graph of nodes and plays it: as a client of a JACK server, or offline without a server.
///
/// ```swift
/// let engine = try AudioEngine(client: "ear")
/// let echo = try engine.attach(Delay.self)
/// try engine.connect(engine.mainInput, echo, engine.mainOutput)
/// try engine.start()
/// ```
///
/// Every function may be called from any task or thread, also from an observer of `events`, while the engine plays:
/// edits fade in and out without a click. If a function throws, nothing has changed.
public final class AudioEngine: Sendable {
  /// The caller of the renderer.
  package enum Backend: Sendable {
    /// A JACK server: a client with this name on the named server, otherwise on `JACK_DEFAULT_SERVER`, otherwise on the
    /// default one.
    case jack(name: String, server: String? = nil)
    /// The program, by calls of `render`, as fast as frames can be rendered. If `fadesIn` is true, the first sound
    /// fades in as it does in JACK.
    case offline(sampleRate: Double = 48_000, longestBlock: Int = 4096, fadesIn: Bool = false)
  }

  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The longest block that is rendered at once, in frames.
  public let longestBlock: Int
  /// The engine's JACK client; nil offline.
  package let jackClient: JackClient?
  /// The period in frames that an engine without a server simulates: it renders in real time, as if JACK called it.
  /// Otherwise nil.
  let simulatedPeriod: Int?
  let renderer: Renderer
  let core: Mutex<EngineCore>
  let broadcaster = EventBroadcaster()
  let writers = TakeWriters()
  let closed = Atomic(false)
  /// Whether a thread is rendering or exporting.
  let isClaimed = Atomic(false)
  let catalog: EffectCatalog

  /// Creates an engine that is a client of a JACK server, with nothing attached. The client exists from now on. It
  /// gets ports as nodes are attached, and when the main input and output are first used.
  ///
  /// - Parameters:
  ///   - client: the client's name.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - inputs: the channels of ``mainInput``, 1 to 64; default: 1.
  ///   - outputs: the channels of ``mainOutput`` and ``mainMixer``, 1 to 64; default: 2.
  ///   - effects: the effects that manifests find by name; default: the built-in ones.
  /// - Throws: ``EngineError/jack(_:)``, ``EngineError/graph(_:)`` for other numbers of channels.
  public convenience init(
    client: String, server: String? = nil, inputs: Int = 1, outputs: Int = 2,
    effects: EffectCatalog = .builtIn
  ) throws(EngineError) {
    let main = try MainNodes(inputs: inputs, outputs: outputs)
    try self.init(.jack(name: client, server: server), effects: effects, simulatedPeriod: nil, main)
  }

  /// Creates an engine without a server, with nothing attached. ``render(_:from:)`` renders frames, as fast as the
  /// machine can.
  ///
  /// - Parameters:
  ///   - sampleRate: the sample rate in Hz, from 1,000 to 1,536,000; default: 48,000.
  ///   - longestBlock: the maximum number of frames of a call of `render`, from 1 to 1,048,576; default: 4096. Other
  ///     values are clamped.
  ///   - fadesIn: whether the first sound fades in, as it does in JACK; default: false.
  ///   - inputs: the channels of ``mainInput``, 1 to 64; default: 1.
  ///   - outputs: the channels of ``mainOutput`` and ``mainMixer``, 1 to 64; default: 2.
  ///   - effects: the effects that manifests find by name; default: the built-in ones.
  /// - Throws: ``EngineError/sampleRate(_:)``, ``EngineError/graph(_:)`` for other numbers of channels.
  public static func offline(
    sampleRate: Double = 48_000, longestBlock: Int = 4096, fadesIn: Bool = false, inputs: Int = 1,
    outputs: Int = 2, effects: EffectCatalog = .builtIn
  ) throws(EngineError) -> AudioEngine {
    let main = try MainNodes(inputs: inputs, outputs: outputs)
    let backend = Backend.offline(sampleRate: sampleRate, longestBlock: longestBlock, fadesIn: fadesIn)
    return try AudioEngine(backend, effects: effects, simulatedPeriod: nil, main)
  }

  /// Creates an engine with nothing attached.
  package convenience init(_ backend: Backend, effects: EffectCatalog = .builtIn) throws(EngineError) {
    try self.init(backend, effects: effects, simulatedPeriod: nil)
  }

  /// Creates an engine with nothing attached.
  ///
  /// - Parameters:
  ///   - backend: the caller of the renderer.
  ///   - effects: the effects that manifests find by name; default: the built-in ones.
  ///   - simulatedPeriod: JACK's period in frames that an offline engine simulates; nil for none. Its plugins,
  ///     players and effects then behave as in JACK, and ``estimateLoad(seconds:)`` can be called.
  package convenience init(
    _ backend: Backend, effects: EffectCatalog = .builtIn, simulatedPeriod: Int?
  ) throws(EngineError) {
    try self.init(backend, effects: effects, simulatedPeriod: simulatedPeriod, MainNodes())
  }

  private init(
    _ backend: Backend, effects: EffectCatalog, simulatedPeriod: Int?, _ main: MainNodes
  ) throws(EngineError) {
    catalog = effects
    let graphController: GraphController
    switch backend {
    case .jack(let name, let server):
      do throws(JackError) {
        let client = try JackClient(
          name: name, server: server, onEvent: { [broadcaster] in broadcaster.leave($0) })
        jackClient = client
        sampleRate = client.sampleRate
      } catch {
        throw .jack(error)
      }
      longestBlock = JackClient.longestBlock
      self.simulatedPeriod = nil
      graphController = GraphController(sampleRate: sampleRate, longestBlock: longestBlock)
    case .offline(let rate, let block, let fadesIn):
      jackClient = nil
      guard 1000...1_536_000 ~= rate else { throw .sampleRate(rate) }
      sampleRate = rate
      longestBlock = min(max(block, 1), 1 << 20)
      self.simulatedPeriod = simulatedPeriod.map { [longestBlock] in min(max($0, 1), longestBlock) }
      graphController = GraphController(sampleRate: sampleRate, longestBlock: longestBlock, fadesIn: fadesIn)
    }
    renderer = graphController.renderer
    core = Mutex(EngineCore(controller: graphController, client: jackClient, main: main))
    if !isOffline { Housekeeper.start(for: self) }
  }

  deinit {
    for end in core.withLock({ $0.observers.endAll() }) { end() }
    jackClient?.close()
    broadcaster.finish()
  }

  /// The longest block that an engine in JACK renders at once, in frames.
  package static let longestLiveBlock = JackClient.longestBlock

  /// Whether blocks are rendered as fast as possible, without a listener.
  var isOffline: Bool { jackClient == nil && simulatedPeriod == nil }

  /// The period in frames that the engine renders for; nil if blocks may have any length.
  var expectedPeriod: Int? { jackClient?.blockLength ?? simulatedPeriod }

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
  public var events: AsyncStream<EngineEvent> { broadcaster.stream() }

  /// Calls `body` with each event from now on, immediately and on the thread that finds the event: offline the one
  /// that calls `render`, otherwise usually a thread of the engine. `body` may call the engine, its players and
  /// recorders, also to stop and close them.
  ///
  /// The observation ends when the token is released: keep the token for as long as the observation should last.
  /// Until then a `body` that captures the engine keeps the engine alive; the token itself does not.
  ///
  /// - Returns: the token of the observation.
  public func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EventObservation {
    EventObservation(broadcaster.observe(body), broadcaster)
  }

  /// The time after the last rendered frame, with its host time in JACK.
  public var now: AudioTime {
    let frame = renderer.position.load(ordering: .acquiring)
    return AudioTime(frame: frame, sampleRate: sampleRate, hostTime: hostClock?.time(of: frame))
  }

  /// Whether the engine plays.
  public var isRunning: Bool { core.withLock { $0.isRunning } }

  /// The nodes and wires of the engine, as a value.
  public var graph: Graph { core.withLock { $0.graph } }

  /// The steps of the audio thread in a cycle, as text.
  package var planText: String { core.withLock { $0.controller.planText } }

  /// The warnings about the graph that plays, such as a feedback wire that is shorter than its loop's latency, or a
  /// lane of a bypassed node.
  package var warnings: [String] { core.withLock { $0.controller.warnings + $0.unheardLanes } }
}
