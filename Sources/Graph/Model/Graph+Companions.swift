// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension NodeID {
  /// The identifier of a node's companion, which a graph derived from the user's graph may contain. It is outside the
  /// range of identifiers that a graph assigns, and always the same.
  package var companion: NodeID { NodeID(slot: slot + Graph.mostNodes) }

  /// The node whose companion this is; the node itself if it is not a companion.
  package var principal: NodeID { slot < Graph.mostNodes ? self : NodeID(slot: slot - Graph.mostNodes) }
}

extension Graph.Node {
  /// Whether the node can have a processor.
  var mayHaveProcessor: Bool {
    switch role {
    case .processor, .output: true
    case .input, .mixer: false
    }
  }
}

extension Graph {
  /// The audio input nodes.
  package var captures: [Node] {
    nodes.filter { node in
      if case .input = node.role { node.outputs.first != .events } else { false }
    }
  }

  /// Returns a graph in which the audio of each input node passes through a processor first; the second input of that
  /// processor receives what the output nodes play.
  ///
  /// An input node keeps its identifier, and therefore its wires, taps and lanes, and becomes the processor; its
  /// companion is the input node. The companion of an output node is a mixer with the same inputs as the output node.
  /// Sound that an output node receives from one input node alone is not sent to that node's processor, which would
  /// treat a voice as its own echo.
  ///
  /// - Parameters:
  ///   - reference: the number of channels of the second input.
  ///   - late: the delay of that input in frames, since the output may depend on the input.
  package func processingCaptures(reference: Int, late: Int) throws(GraphError) -> Graph {
    var graph = self
    let ways = captures, silenced = silenced
    var companions: [Node] = []
    for way in ways {
      companions.append(
        Node(
          id: way.id.companion, name: "\(way.name) (port)", role: way.role, inputs: [], outputs: way.outputs))
      guard let place = graph.place(of: way.id) else { continue }
      graph.nodes[place] = Node(
        id: way.id, name: way.name, role: .processor, inputs: way.outputs + [.audio(channels: reference)],
        outputs: way.outputs, isBypassed: way.isBypassed)
    }
    let played = ways.isEmpty ? [] : self.played
    let playbacks = nodes.filter { node in played.contains { $0.owner == nil && $0.playback == node.id } }
    for playback in playbacks {
      companions.append(
        Node(
          id: playback.id.companion, name: "\(playback.name) (heard)", role: .mixer, inputs: playback.inputs,
          outputs: playback.inputs))
    }
    // In the order of identifiers, as in every graph.
    graph.nodes += companions.sorted { $0.id < $1.id }

    for way in ways { try graph.connect(Wire(from: Endpoint(way.id.companion), to: Endpoint(way.id))) }
    for sound in played where sound.owner == nil {
      let end = Endpoint(sound.playback.companion, channel: sound.wire.destination.channel)
      try graph.copy(sound.wire, to: end, isSilenced: silenced.contains(sound.wire.id))
    }
    for playback in playbacks {
      graph.copyLanes(of: .node(playback.id), to: .node(playback.id.companion))
      for way in ways {
        let wire = Wire(from: Endpoint(playback.id.companion), to: Endpoint(way.id, bus: 1), feedback: late)
        try graph.refer(wire)
      }
    }
    for sound in played {
      guard let owner = sound.owner else { continue }
      let channel = sound.wire.destination.channel.flatMap { $0 < reference ? $0 : nil }
      for way in ways where way.id != owner {
        try graph.copy(
          sound.wire, to: Endpoint(way.id, bus: 1, channel: channel), late: late,
          isSilenced: silenced.contains(sound.wire.id))
      }
    }
    return graph
  }

  /// Connects a wire's source to another destination, too, with the same levels and lanes; if `late` is given, as a
  /// reference. Solo does not affect the copy: it is muted if the original wire is silenced.
  private mutating func copy(
    _ wire: Wire, to end: Endpoint, late: Int? = nil, isSilenced: Bool
  ) throws(GraphError) {
    var twin = wire
    twin.id.destination = end
    (twin.isSolo, twin.isSoloSafe, twin.isMuted) = (false, true, wire.isMuted || isSilenced)
    if let late {
      twin.feedback = late
      // Only stereo destinations can be panned.
      if end.channel != nil { twin.pan = nil }
      try refer(twin)
    } else {
      try connect(twin)
    }
    copyLanes(of: .wire(wire.id), to: .wire(twin.id))
  }

  /// Adds a reference wire, which carries sound for analysis only. A source that is played twice is added once.
  private mutating func refer(_ wire: Wire) throws(GraphError) {
    var wire = wire
    wire.isReference = true
    if !wireList.contains(wire.id) { try connect(wire) }
  }

  /// Copies the level lanes of a node or wire to another.
  private mutating func copyLanes(of place: Lane.Place, to twin: Lane.Place) {
    for lane in lanes where lane.target.place == place {
      if case .parameter = lane.target.value { continue }
      let target = Lane.Target(twin, lane.target.value)
      guard self.lane(of: target) == nil else { continue }
      laneList.append(
        Lane(
          target: target, automation: lane.automation, isWhole: lane.isWhole, declick: lane.declick,
          panLaw: lane.panLaw))
    }
  }
}
