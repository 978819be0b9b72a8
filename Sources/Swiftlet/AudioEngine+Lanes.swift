// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
internal import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// The moment of the timeline behind the last frame that was rendered: what lanes follow. It begins with the
  /// first frame of the engine and stands still while the engine is paused.
  public var timelineTime: AudioTime {
    AudioTime(frame: renderer.timelinePosition.load(ordering: .acquiring), sampleRate: sampleRate)
  }

  /// Has everything move as a mix says, in place of all lanes that were there, as one edit. While sound runs,
  /// what was elsewhere glides there in 5 ms.
  ///
  /// Tracks of the mix are nodes of these names: tracks of a composition, players, or anything else with sound.
  /// What the mix says of them comes on top of what they were attached with. Volumes, ducking and pans are exact
  /// on every sample; parameters move as ``AudioNode/automate(_:with:)`` says.
  ///
  /// - Parameter master: the node that ``AudioMix/master`` is of: a mixer, or a player of a plain file. Nil is all
  ///   playback nodes.
  /// - Throws: ``EngineError/unknownNode(_:nearest:)``,
  ///   ``EngineError/unknownParameter(node:parameter:nearest:)``,
  ///   ``EngineError/laneOutOfRange(node:parameter:value:range:)``, ``EngineError/notAttached(_:)``,
  ///   ``EngineError/graph(_:)`` for a pan where there are not two channels. Then all lanes are as before.
  public func apply(_ mix: AudioMix, master: AudioNode? = nil) throws(EngineError) {
    try changeCore { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        core.removeLanes(at: timelineTime)
        try core.automate(mix.lanes, at: timelineTime)
        for (track, said) in mix.tracks.sorted(by: { $0.key < $1.key }) {
          try core.follow(said, try core.node(named: track.name))
        }
        guard mix.master != TrackMix() else { return }
        let masters = if let master { [try core.node(master.id)] } else { core.graph.playbacks }
        for node in masters { try core.follow(mix.master, node) }
      }
    }
  }

  /// Has the volume or the pan of a wire follow a lane; nil lets it go back to where it was. The wire's own gain
  /// stays, as a trim; a pan takes the place of the wire's own, by the law of the wire.
  ///
  /// - Parameter value: ``Lane/Value/volume``, ``Lane/Value/ducking`` or ``Lane/Value/pan``, exact on every sample.
  /// - Throws: ``EngineError/graph(_:)``.
  public func automate(
    _ wire: Wire.ID, _ value: Lane.Value, with lane: Automation?
  ) throws(EngineError) {
    try changeCore { core throws(EngineError) in
      try core.edit(isAtomic: true) { core throws(EngineError) in
        try graphEdit { () throws(GraphError) in
          try core.graph.automate(Lane.Target(.wire(wire), value), with: lane)
        }
      }
    }
  }
}

extension AudioEngine {
  /// What is said of a lane whose node is bypassed, when it is checked and when it plays.
  package static func unheardLane(of parameter: String, node: String) -> String {
    "'\(node)' is bypassed: nobody hears how '\(parameter)' moves"
  }
}

extension AudioNode {
  /// Has a parameter follow a lane over the timeline, in place of the one it followed; nil lets it stay where it is.
  ///
  /// A step, and the start of a ramp, is heard on its very frame. In between, an effect is told the curve's value
  /// every 16 frames and glides from one to the next; a plugin gets a value for each 16 frames, or, where it wants
  /// blocks of fixed length, for each block. Parameters that count or choose step. What is
  /// ``set(_:to:over:at:)`` by hand stays until the lane next begins a step or a ramp; a ramp that is under way
  /// passes over it. A node that is bypassed moves on, unheard, of which ``AudioEngine/warnings`` tells.
  ///
  /// The `speed`, `varispeed` and `pitch` of players move by their lanes alone, and a hand's values count again when those
  /// are gone. They are read ahead of the sound, so that each is heard on its frame, and the place in a file is the
  /// integral of the speed since the file or the item began; under the transport, over the song. What cannot be known
  /// when it is read ahead is followed a fifth of a second later: that a player was paused and goes on, and when an item
  /// begins that waits for a beat or a loop point.
  ///
  /// - Parameters:
  ///   - parameter: its symbol, as for ``set(_:to:over:at:)``; or `volume` or `pan`, which every node with sound
  ///     has where it has no parameter of this name: exact on every sample of its main bus.
  ///   - lane: values in the parameter's own unit, all within its range.
  ///   - law: of a pan, how much of the other side is left.
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``,
  ///   ``EngineError/laneOutOfRange(node:parameter:value:range:)``, ``EngineError/notAttached(_:)``,
  ///   ``EngineError/graph(_:)`` for a pan where there are not two channels.
  public func automate(
    _ parameter: String, with lane: Automation?, law: PanLaw = .usual
  ) throws(EngineError) {
    try engine.changeCore { core throws(EngineError) in
      guard let node = core.graph.node(id) else { throw .notAttached(name) }
      try core.edit(isAtomic: true) { core throws(EngineError) in
        try core.automate(node, parameter, with: lane, law: law, at: engine.timelineTime)
      }
    }
  }
}

extension EngineCore {
  func node(named name: String) throws(EngineError) -> Graph.Node {
    if let node = graph.node(named: name) { return node }
    throw .unknownNode(name, nearest: NearestName.nearest(to: name, among: graph.nodes.map(\.name)))
  }

  /// What a node calls a value that may move.
  private func target(_ parameter: String, of node: Graph.Node) throws(EngineError) -> (
    Lane.Target, ParameterInfo?
  ) {
    let known = records[node.id]?.parameters ?? []
    if let info = known.first(where: { $0.symbol == parameter }) {
      return (Lane.Target(.node(node.id), .parameter(info.number)), info)
    }
    switch parameter {
    case "volume": return (Lane.Target(.node(node.id), .volume), nil)
    case "pan": return (Lane.Target(.node(node.id), .pan), nil)
    default:
      throw .unknownParameter(
        node: node.name, parameter: parameter,
        nearest: NearestName.nearest(to: parameter, among: known.map(\.symbol) + ["volume", "pan"]))
    }
  }

  /// Has parameters follow lanes, in the order of their names.
  mutating func automate(_ lanes: [ParameterPath: Automation], at time: AudioTime) throws(EngineError) {
    for (path, lane) in lanes.sorted(by: { $0.key.description < $1.key.description }) {
      try automate(try node(named: path.node), path.parameter, with: lane, at: time)
    }
  }

  mutating func automate(
    _ node: Graph.Node, _ parameter: String, with lane: Automation?, law: PanLaw = .usual, at time: AudioTime
  ) throws(EngineError) {
    let (target, info) = try target(parameter, of: node)
    if let info, lane == nil, let value = laneValue(of: info.number, of: node.id, at: time) {
      // It stays where the lane left it.
      records[node.id]?.values[info.number] = value
    }
    if let info, let bounds = lane?.bounds {
      for value in [bounds.lowerBound, bounds.upperBound] where !info.range.contains(value) {
        throw .laneOutOfRange(node: node.name, parameter: parameter, value: value, range: info.range)
      }
    }
    try graphEdit { () throws(GraphError) in
      try graph.automate(target, with: lane, isWhole: info?.curve.isWhole ?? false, law: law)
    }
  }

  /// Gives players of files the lanes of their speeds and pitches: those are read where the file is.
  mutating func tellStreams() {
    var found: [NodeID: StreamSource.Lanes] = [:]
    for lane in graph.lanes {
      guard case .node(let node) = lane.target.place, case .parameter(let number) = lane.target.value,
        records[node]?.stream != nil || records[node]?.desk != nil
      else { continue }
      switch number {
      case StreamSource.speed.number: found[node, default: .init()].speed = lane.automation
      case StreamSource.varispeed.number: found[node, default: .init()].varispeed = lane.automation
      case StreamSource.pitch.number: found[node, default: .init()].pitch = lane.automation
      default: continue
      }
    }
    for (node, stream) in roster.streams where stream.lanes != found[node] { stream.lanes = found[node] }
    for (node, desk) in roster.desks { desk.follow(found[node]) }
  }

  /// Tells players of files where the engine is.
  mutating func keepTime() {
    let frame = host.renderer.position.load(ordering: .acquiring)
    let timeline = host.renderer.timelinePosition.load(ordering: .acquiring)
    let roster = roster
    for (_, stream) in roster.streams { stream.keepTime(frame, timeline: timeline) }
    for (_, desk) in roster.desks { desk.keepTime(frame, timeline: timeline) }
  }

  /// Has a node's sound move as a mix says of a track.
  mutating func follow(_ mix: TrackMix, _ node: Graph.Node) throws(EngineError) {
    let plain = TrackMix()
    try graphEdit { () throws(GraphError) in
      for (value, lane) in [
        (.volume, mix.volume == plain.volume ? nil : mix.volume), (.ducking, mix.ducking),
        (.pan, mix.pan == plain.pan ? nil : mix.pan),
      ] as [(Lane.Value, Automation?)] {
        if let lane { try graph.automate(Lane.Target(.node(node.id), value), with: lane, law: mix.panLaw) }
      }
    }
  }

  /// What is to be said of lanes that nobody hears.
  var unheardLanes: [String] {
    graph.lanes.compactMap { lane in
      guard case .node(let id) = lane.target.place, case .parameter(let number) = lane.target.value,
        let node = graph.node(id), node.isBypassed,
        let info = records[id]?.parameters.first(where: { $0.number == number })
      else { return nil }
      return AudioEngine.unheardLane(of: info.symbol, node: node.name)
    }
  }

  /// Where a parameter's lane is; nil where it follows none.
  func laneValue(of number: Int, of node: NodeID, at time: AudioTime) -> Float? {
    graph.lane(of: Lane.Target(.node(node), .parameter(number)))?.automation.value(
      at: MediaTime(frames: time.frame, at: time.sampleRate))
  }

  /// Takes lanes away; their parameters stay where they are.
  mutating func removeLanes(at time: AudioTime) {
    for lane in graph.lanes {
      guard case .node(let node) = lane.target.place, case .parameter(let number) = lane.target.value else {
        continue
      }
      let value = laneValue(of: number, of: node, at: time)
      records[node]?.values[number] = value
    }
    graph.removeLanes()
  }
}

extension Graph {
  /// The ways out for sound.
  fileprivate var playbacks: [Node] {
    nodes.filter { node in
      guard case .output = node.role, case .audio? = node.inputs.first else { return false }
      return true
    }
  }
}

extension ParameterCurve {
  /// Whether only whole numbers count.
  fileprivate var isWhole: Bool {
    switch self {
    case .linear, .logarithmic: false
    case .integer, .toggle, .choice: true
    }
  }
}
