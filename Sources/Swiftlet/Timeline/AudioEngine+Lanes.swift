// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// The timeline's position after the last rendered frame, which lanes follow. With ``TransportRole/own`` it begins
  /// with the engine's first frame and stands still while the engine is paused.
  public var timelineTime: AudioTime {
    AudioTime(frame: core.withLock { $0.timelineFrame }, sampleRate: sampleRate)
  }

  /// Replaces all lanes by those of a mix, as one edit. While the engine plays, values that differ glide over 5 ms.
  ///
  /// The names of the mix's tracks are names of nodes: tracks of a composition, players, or any other node with
  /// sound. The mix applies in addition to the values that the nodes were attached with. Volumes, ducking and pans
  /// are exact on every sample; parameters follow their lanes, as with ``NodeParameter/automate(_:)``. Values out of
  /// range are clamped and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///
  /// - Parameters:
  ///   - mix: the volumes, ducking, pans and lanes.
  ///   - master: the node that ``AudioMix/master`` applies to: a mixer, or a player of a plain file; default: all
  ///     output nodes.
  /// - Throws: ``EngineError/unknownNode(_:nearest:)``, ``EngineError/unknownParameter(node:parameter:nearest:)``,
  ///   ``EngineError/notAttached(_:)`` for a master node that is detached or of another engine,
  ///   ``EngineError/graph(_:)`` for a pan of a node without two channels. If it throws, all lanes are as before.
  public func apply(_ mix: AudioMix, master: AudioNode? = nil) throws(EngineError) {
    if let master { try use([master]) }
    let clamped = try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        let records = core.records
        return try core.graph.apply(mix, master: master) { records[$0]?.parameters ?? [] }
      }
    }
    broadcaster.send(clamped)
  }

  /// Returns the warning for a lane of a bypassed node, used by checks and while playing.
  package static func unheardLane(of parameter: String, node: String) -> String {
    "'\(node)' is bypassed, so the lane of '\(parameter)' has no effect"
  }
}

extension AudioNode {
  /// Automates a parameter with a lane on the timeline, in place of its previous lane; nil removes the lane, and the
  /// parameter keeps its value.
  ///
  /// A step, and the start of a ramp, is exact to the frame. In between, an effect gets the curve's value every 16
  /// frames and glides from one to the next. A plugin gets a value for each 16 frames, or for each block if it
  /// requires blocks of fixed length. Integer and choice parameters step. A value that ``set(_:to:over:at:)`` sets
  /// stays until the next step or the next start of a ramp; a ramp that is under way overrides it. The lane of a
  /// bypassed node advances without effect, which ``AudioEngine/warnings`` reports.
  ///
  /// The `speed`, `varispeed` and `pitch` of players follow only their lanes; values that were set apply again when
  /// the lanes are removed. These lanes are read ahead together with the sound, so that each value is exact to the
  /// frame. The position in a file is the integral of the speed since the file or the item began; with the transport,
  /// since the start of the timeline. Two facts cannot be known in advance and take effect a fifth of a second later:
  /// that a paused player resumes, and the start of an item that waits for a beat or a loop point.
  ///
  /// - Parameters:
  ///   - parameter: the parameter's symbol, as for ``set(_:to:over:at:)``; or `volume` or `pan`, which every node
  ///     with sound has unless it has a parameter of this name. These are exact on every sample of the node's main
  ///     bus.
  ///   - lane: values in the parameter's own unit. A value out of range is clamped and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``; so is a ramp's end, and a Bézier curve that overshoots
  ///     the range is kept between its ends.
  ///   - law: the pan law, which determines how much of the other side remains.
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``, ``EngineError/notAttached(_:)``,
  ///   ``EngineError/graph(_:)`` for a pan of a node without two channels.
  package func automate(
    _ parameter: String, with lane: Automation?, law: PanLaw = .usual
  ) throws(EngineError) {
    let clamped = try engine.core.withLock { core throws(EngineError) in
      guard let node = core.graph.node(id) else { throw .notAttached(name) }
      return try core.edit { core throws(EngineError) in
        let known = core.records[id]?.parameters ?? []
        return try core.graph.automate(node, parameter, of: known, with: lane, law: law)
      }
    }
    engine.broadcaster.send(clamped)
  }
}

extension EngineCore {
  /// Passes the lanes of speed and pitch to the file players, which read them together with the file.
  mutating func passLanesToPlayers() {
    var found: [NodeID: StreamSource.Lanes] = [:]
    for lane in graph.lanes {
      guard case .node(let node) = lane.target.owner, case .parameter(let number) = lane.target.value,
        records[node]?.streamPlayer != nil || records[node]?.scheduler != nil
      else { continue }
      switch number {
      case StreamSource.speed.number: found[node, default: .init()].speed = lane.automation
      case StreamSource.varispeed.number: found[node, default: .init()].varispeed = lane.automation
      case StreamSource.pitch.number: found[node, default: .init()].pitch = lane.automation
      default: continue
      }
    }
    let loop = controller.renderer.localTransport.loop
    for node in found.keys { found[node]?.loop = loop }
    for (node, player) in roster.streams where player.stream.lanes != found[node] {
      player.stream.lanes = found[node]
    }
    for (node, scheduler) in roster.schedulers { scheduler.follow(found[node]) }
  }

  /// Passes the engine's position to the file players.
  mutating func keepTime() {
    let frame = controller.renderer.position.load(ordering: .acquiring)
    let timeline = controller.renderer.timelinePosition.load(ordering: .acquiring)
    let roster = roster
    for (_, player) in roster.streams { player.stream.keepTime(frame, timeline: timeline) }
    for (_, scheduler) in roster.schedulers { scheduler.keepTime(frame, timeline: timeline) }
  }

  /// The warnings about lanes of bypassed nodes.
  var unheardLanes: [String] {
    graph.lanes.compactMap { lane in
      guard case .node(let id) = lane.target.owner, case .parameter(let number) = lane.target.value,
        let node = graph.node(id), node.isBypassed,
        let info = records[id]?.parameters.first(where: { $0.number == number })
      else { return nil }
      return AudioEngine.unheardLane(of: info.symbol, node: node.name)
    }
  }

  /// Returns the present value of a parameter's lane; nil if it has none.
  func laneValue(of number: Int, of node: NodeID) -> Float? {
    graph.lane(of: Lane.Target(.node(node), .parameter(number)))?.automation.value(
      at: MediaTime(frames: timelineFrame, at: controller.renderer.sampleRate))
  }
}

extension ParameterCurve {
  /// Whether the parameter takes only whole numbers.
  var isWhole: Bool {
    switch self {
    case .linear, .logarithmic: false
    case .integer, .toggle, .choice: true
    }
  }
}
