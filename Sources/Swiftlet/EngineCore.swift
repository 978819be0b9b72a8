// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletLV2
internal import SwiftletPlayback
internal import SwiftletSignal

/// The engine's state under its lock.
struct EngineCore {
  let controller: GraphController
  /// The JACK client; nil offline.
  let client: JackClient?
  /// The edited graph. The controller's graph lags behind it while edits are collected.
  var graph = Graph() { didSet { knownIONodes = nil } }
  var records: [NodeID: Record] = [:] { didSet { knownRoster = nil } }
  private var knownRoster: Roster?
  private var knownIONodes: [IONode]?
  /// Processors and taps that the controller has not received yet.
  var newProcessors: [NodeID: Processor] = [:], newTaps: [TapID: Processor] = [:]
  /// Processors of restored nodes, which the audio thread may still run.
  var returning: [NodeID: Processor] = [:]
  /// The nodes that uncommitted edits have made, and the names of those nodes.
  var staged: [NodeID: Record] = [:], stagedNames: Set<String> = []
  /// The wires that uncommitted edits have made, with the levels that were set on their handles.
  var stagedWires: [Graph.Wire.ID: Graph.Wire] = [:]
  /// The parts that undo can restore, and the edits that can be undone and redone.
  var detached = DetachedParts(), history = EditHistory()
  /// The edits that were committed since the graph copies that are being edited were taken.
  var log = EditLog()
  /// The names of the nodes whose ports the present edit has registered.
  var openedPorts: [String] = []
  /// The processors of all taps and meters.
  var sinks: [TapID: TapSink] = [:]
  var taps: [TapID: Tap.Feed] = [:]
  /// Meters that measure on a control thread.
  var meters: [TapID: MeterMemory] = [:]
  /// Players with a schedule. A removed player stays here until it has been ended.
  var schedulers: [NodeID: any SchedulePlayer] = [:]
  /// The observers of parameters.
  var observers = ParameterObservers()
  /// Parameters whose target values did not fit into the audio thread's queue. The housekeeping thread sends them
  /// again.
  var unsent: [NodeID: Set<Int>] = [:]
  /// The wires to an output that players have made themselves.
  var directWires = DirectWires()
  /// The nodes that every engine has.
  var main: MainNodes
  /// Nodes whose ports are removed once the renderer has released them.
  var nodesLosingPorts: [(name: String, id: NodeID)] = []
  var inputCount = 0, outputCount = 0
  var state = RunState.idle, connection = ServerConnection()
  /// The players that the engine has paused.
  var held = HeldPlayers()
  /// The state of the session; nil without a session.
  var life: SessionLife?
  /// The voice processors in the mode `voice-chat`.
  var voices = Voices()
  /// The state of the load measurement.
  var loads = LoadState()
  /// Reads files ahead for players.
  var prefetchThread: PrefetchThread?
  var offline = OfflineRendering()
  /// The files that an export reads and writes, with their use.
  var exported: [(path: String, use: FileUse)] = []
  /// Whether another program was the timebase source before.
  var hasReplacedTimebase = false
  /// The files that are played outside this engine, and the names of their players.
  var playedElsewhere: [(path: String, player: String)] = []
  var fitting = PluginFitting()
  var programs = ProgramLoading()
  /// Muted playback nodes for which the cause is not known yet.
  var inquiries: [MuteInquiry] = []
  /// The transport that the timeline follows; the offline transport, and the engine's own.
  var role = TransportRole.own
  var offlineTransport = OfflineTransport(), localTransportState = LocalTransportState.stopped(frame: nil)

  init(controller: GraphController, client: JackClient?, main: MainNodes) {
    self.controller = controller
    self.client = client
    self.main = main
  }

  var isRunning: Bool { state.isRunning }

  /// Whether JACK calls the renderer.
  var isActive: Bool { client != nil && state.isActive }

  /// Passes the edited graph to the controller if the engine is running; otherwise `prepare` does that later.
  mutating func commit() throws(EngineError) {
    if isRunning { try apply() }
  }

  /// Passes the edited graph to the controller.
  mutating func apply() throws(EngineError) {
    // First pass the lanes to the players that read them, so that the audio thread does not send the values as well.
    passLanesToPlayers()
    try fitVoices()
    let played = try processingVoices(shaped)
    do throws(GraphError) {
      let processors = newProcessors.merging(returning) { new, _ in new }
        .merging(voices.processors.mapValues(\.processor)) { own, _ in own }
      try controller.apply(played, processors: processors, taps: newTaps)
    } catch {
      throw .graph(error)
    }
    (newProcessors, returning, newTaps) = ([:], [:], [:])
  }

  /// The players and plugins that the engine calls many times a second. Cached, since searching the records copies
  /// them.
  struct Roster {
    var plugins: [(node: NodeID, plugin: PluginProcessor)] = []
    /// Players of files, and players with a schedule.
    var streams: [(node: NodeID, player: StreamPlayer)] = [],
      schedulers: [(node: NodeID, scheduler: PlayerSchedule)] = []
  }

  var roster: Roster {
    mutating get {
      if let knownRoster { return knownRoster }
      var found = Roster()
      for (id, record) in records {
        if let plugin = record.plugin { found.plugins.append((id, plugin)) }
        if let player = record.streamPlayer {
          found.streams.append((id, player))
        } else if let scheduler = record.scheduler as? PlayerSchedule {
          found.schedulers.append((id, scheduler))
        }
      }
      knownRoster = found
      return found
    }
  }

  /// An input or output node of the graph. Offline rendering fills or reads its bus in each block.
  struct IONode {
    var name: String, id: NodeID
    /// The number of the input or output bus.
    var number: Int
    var isInput: Bool
  }

  /// All input and output nodes, in the order of the graph's nodes.
  var ioNodes: [IONode] {
    mutating get {
      if let knownIONodes { return knownIONodes }
      let found = graph.nodes.compactMap { node -> IONode? in
        switch node.role {
        case .input(let number): IONode(name: node.name, id: node.id, number: number, isInput: true)
        case .output(let number): IONode(name: node.name, id: node.id, number: number, isInput: false)
        case .mixer, .processor: nil
        }
      }
      knownIONodes = found
      return found
    }
  }

  func node(_ id: NodeID) throws(EngineError) -> Graph.Node {
    guard let node = graph.node(id) else { throw .notAttached("the node") }
    return node
  }
}

/// Converts graph errors into the engine's errors.
func graphEdit<Result>(_ body: () throws(GraphError) -> Result) throws(EngineError) -> Result {
  do throws(GraphError) { return try body() } catch { throw .graph(error) }
}
