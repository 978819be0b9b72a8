// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// The moment of the timeline behind the last frame that was rendered: what lanes follow. It begins with the
  /// first frame of the engine and stands still while the engine is paused.
  public var timelineTime: AudioTime {
    AudioTime(frame: core.withLock { $0.timelineFrame }, sampleRate: sampleRate)
  }

  /// Applies a mix, in place of all lanes that there were, as one edit. While sound plays, values that differ glide
  /// over 5 ms.
  ///
  /// The names of the mix's tracks are names of nodes: tracks of a composition, players, or any other node with
  /// sound. The mix applies in addition to the values that the nodes were attached with. Volumes, ducking and pans
  /// are exact on every sample; parameters follow their lanes, as with ``NodeParameter/automate(_:)``. Values out of
  /// range are moved to the edge and reported as ``EngineEvent/clamped(node:parameter:asked:used:)``.
  ///
  /// - Parameters:
  ///   - mix: the volumes, ducking, pans and lanes.
  ///   - master: the node that ``AudioMix/master`` applies to: a mixer, or a player of a plain file; default: all output
  ///     nodes.
  /// - Throws: ``EngineError/unknownNode(_:nearest:)``,
  ///   ``EngineError/unknownParameter(node:parameter:nearest:)``, ``EngineError/notAttached(_:)`` for a master node
  ///   that is detached or of another engine, ``EngineError/graph(_:)`` for a pan where there are not two channels.
  ///   Then all lanes are as before.
  public func apply(_ mix: AudioMix, master: AudioNode? = nil) throws(EngineError) {
    if let master { try use([master]) }
    let clamped = try core.withLock { core throws(EngineError) in
      try core.edit { core throws(EngineError) in
        let records = core.records
        return try core.graph.apply(mix, master: master) { records[$0]?.parameters ?? [] }
      }
    }
    hub.send(clamped)
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
  ///   - lane: values in the parameter's own unit. A value out of range is moved to the edge and reported as
  ///     ``EngineEvent/clamped(node:parameter:asked:used:)``; so is a ramp's end, and a Bézier curve that overshoots the
  ///     range is kept between its ends.
  ///   - law: of a pan, how much of the other side is left.
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``, ``EngineError/notAttached(_:)``,
  ///   ``EngineError/graph(_:)`` for a pan where there are not two channels.
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
    engine.hub.send(clamped)
  }
}

extension EngineCore {
  /// Gives players of files the lanes of their speeds and pitches: those are read where the file is.
  mutating func tellStreams() {
    var found: [NodeID: StreamSource.Lanes] = [:]
    for lane in graph.lanes {
      guard case .node(let node) = lane.target.place, case .parameter(let number) = lane.target.value,
        records[node]?.streamPlayer != nil || records[node]?.scheduler != nil
      else { continue }
      switch number {
      case StreamSource.speed.number: found[node, default: .init()].speed = lane.automation
      case StreamSource.varispeed.number: found[node, default: .init()].varispeed = lane.automation
      case StreamSource.pitch.number: found[node, default: .init()].pitch = lane.automation
      default: continue
      }
    }
    let loop = host.renderer.localTransport.loop
    for node in found.keys { found[node]?.loop = loop }
    for (node, player) in roster.streams where player.stream.lanes != found[node] {
      player.stream.lanes = found[node]
    }
    for (node, scheduler) in roster.schedulers { scheduler.follow(found[node]) }
  }

  /// Tells players of files where the engine is.
  mutating func keepTime() {
    let frame = host.renderer.position.load(ordering: .acquiring)
    let timeline = host.renderer.timelinePosition.load(ordering: .acquiring)
    let roster = roster
    for (_, player) in roster.streams { player.stream.keepTime(frame, timeline: timeline) }
    for (_, scheduler) in roster.schedulers { scheduler.keepTime(frame, timeline: timeline) }
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

  /// The value of a parameter's lane now; nil if it follows none.
  func laneValue(of number: Int, of node: NodeID) -> Float? {
    graph.lane(of: Lane.Target(.node(node), .parameter(number)))?.automation.value(
      at: MediaTime(frames: timelineFrame, at: host.renderer.sampleRate))
  }
}

extension ParameterCurve {
  /// Whether only whole numbers count.
  var isWhole: Bool {
    switch self {
    case .linear, .logarithmic: false
    case .integer, .toggle, .choice: true
    }
  }
}
