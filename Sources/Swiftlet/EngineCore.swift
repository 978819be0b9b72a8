// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletLV2
internal import SwiftletSignal

/// All that an engine's lock guards.
struct EngineCore {
  let host: GraphHost
  /// The JACK client; nil offline.
  let client: JackClient?
  /// What is asked for; the host's graph lags behind it while edits are collected.
  var graph = Graph() { didSet { knownWays = nil } }
  var records: [NodeID: Record] = [:] { didSet { knownRoster = nil } }
  private var knownRoster: Roster?
  private var knownWays: [Way]?
  /// Processors and taps that the host has not been given yet.
  var newProcessors: [NodeID: Processor] = [:], newTaps: [TapID: Processor] = [:]
  /// Processors of nodes that came back, which the audio thread may still run.
  var returning: [NodeID: Processor] = [:]
  /// What edits of copies have made and not yet committed, and the names of those nodes.
  var staged: [NodeID: Record] = [:], stagedNames: Set<String> = []
  /// Wires of those edits, with the levels that were set by their handles.
  var stagedWires: [Graph.Wire.ID: Graph.Wire] = [:]
  /// What undo can bring back, and the edits that lead there.
  var detached = DetachedParts(), history = EditHistory()
  /// What was committed since the copies that are edited were taken.
  var log = EditLog()
  /// The names of the nodes whose ports the edit under way has registered.
  var openedPorts: [String] = []
  /// The audio-thread halves of all taps and meters.
  var sinks: [TapID: TapSink] = [:]
  var taps: [TapID: Tap.Feed] = [:]
  /// Meters with work to do aside.
  var meters: [TapID: MeterMemory] = [:]
  /// Players with a schedule, until they have been told that they are no more.
  var schedulers: [NodeID: any SchedulePlayer] = [:]
  /// What observes parameters.
  var observers = ParameterObservers()
  /// Target values that the audio thread's queue had no room for: sent again by the housekeeping thread.
  var unsent: [NodeID: Set<Int>] = [:]
  /// What players wired to an output themselves.
  var directWires = DirectWires()
  /// The nodes that every engine has.
  var main: MainNodes
  /// Nodes whose ports are removed once the renderer has released them.
  var retiring: [(name: String, id: NodeID)] = []
  var inputCount = 0, outputCount = 0
  var state = RunState.idle, connection = ServerConnection()
  /// The players that the engine has paused.
  var held = HeldPlayers()
  /// How the engine lives with others; nil where it does not look at them.
  var life: SessionLife?
  /// What works on voices while the mode is `voice-chat`.
  var voices = Voices()
  /// How much of its time the audio thread takes.
  var loads = LoadState()
  /// Reads files ahead for players.
  var filler: StreamFiller?
  var offline = OfflineRendering()
  /// The files that an export reads and writes, and for which node.
  var exported: [(path: String, use: FileUse)] = []
  /// Whether another program led the transport before.
  var hasTakenTransport = false
  /// What is played beside the engine, and by whom.
  var playedElsewhere: [(path: String, player: String)] = []
  var fitting = PluginFitting()
  var programs = ProgramLoading()
  /// Playback nodes that were muted and whose culprit is not known.
  var inquiries: [MuteInquiry] = []
  /// What the timeline follows, and, offline, the song that it follows.
  var role = TransportRole.own
  var song = OfflineSong(), localSong = LocalSong.stopped(frame: nil)

  init(host: GraphHost, client: JackClient?, main: MainNodes) {
    self.host = host
    self.client = client
    self.main = main
  }

  var isRunning: Bool { state.isRunning }

  /// Whether JACK calls the renderer.
  var isActive: Bool { client != nil && state.isActive }

  /// Gives the host what was asked for, if sound runs; else it waits for `prepare`.
  mutating func commit() throws(EngineError) {
    if isRunning { try apply() }
  }

  /// Gives the host what was asked for.
  mutating func apply() throws(EngineError) {
    // Before the audio thread sends them what they read themselves.
    tellStreams()
    try fitVoices()
    let played = try chatting(shaped)
    do throws(GraphError) {
      let processors = newProcessors.merging(returning) { new, _ in new }
        .merging(voices.processors.mapValues(\.processor)) { own, _ in own }
      try host.apply(played, processors: processors, taps: newTaps)
    } catch {
      throw .graph(error)
    }
    (newProcessors, returning, newTaps) = ([:], [:], [:])
  }

  /// Whom the engine turns to many times a second, so does not search for each time: records are costly to copy.
  struct Roster {
    var plugins: [(node: NodeID, plugin: PluginProcessor)] = []
    /// Players of files, and those with a schedule.
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

  /// A way in or out of the graph: what renders offline fills and reads one in each block.
  struct Way {
    var name: String, id: NodeID
    /// The number of the way in, or of the way out.
    var number: Int
    var isInput: Bool
  }

  /// All ways in and out, in the order of the graph's nodes.
  var ways: [Way] {
    mutating get {
      if let knownWays { return knownWays }
      let found = graph.nodes.compactMap { node -> Way? in
        switch node.role {
        case .input(let number): Way(name: node.name, id: node.id, number: number, isInput: true)
        case .output(let number): Way(name: node.name, id: node.id, number: number, isInput: false)
        case .mixer, .processor: nil
        }
      }
      knownWays = found
      return found
    }
  }

  func node(_ id: NodeID) throws(EngineError) -> Graph.Node {
    guard let node = graph.node(id) else { throw .notAttached("the node") }
    return node
  }
}

/// Turns the graph's own errors into the engine's.
func graphEdit<Result>(_ body: () throws(GraphError) -> Result) throws(EngineError) -> Result {
  do throws(GraphError) { return try body() } catch { throw .graph(error) }
}
