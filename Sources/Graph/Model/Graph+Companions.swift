// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension NodeID {
  /// The identifier of a node's companion, which a graph derived from the user's graph may contain. It is outside the
  /// range of identifiers that a graph assigns, and always the same.
  package var companion: NodeID { NodeID(slot: slot + Graph.mostNodes) }

  /// The node whose companion this is; the node itself if it is not a companion.
  package var principal: NodeID { slot < Graph.mostNodes ? self : NodeID(slot: slot - Graph.mostNodes) }
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
    let captures = captures, silenced = silenced
    var companions: [Node] = []
    for capture in captures {
      companions.append(
        Node(
          id: capture.id.companion, name: "\(capture.name) (port)", role: capture.role, inputs: [],
          outputs: capture.outputs))
      guard let index = graph.index(of: capture.id) else { continue }
      graph.nodes[index] = Node(
        id: capture.id, name: capture.name, role: .processor,
        inputs: capture.outputs + [.audio(channels: reference)],
        outputs: capture.outputs, isBypassed: capture.isBypassed)
    }
    let played = captures.isEmpty ? [] : self.played
    let playbacks = nodes.filter { node in played.contains { $0.owner == nil && $0.playback == node.id } }
    for playback in playbacks {
      companions.append(
        Node(
          id: playback.id.companion, name: "\(playback.name) (heard)", role: .mixer, inputs: playback.inputs,
          outputs: playback.inputs))
    }
    // In the order of identifiers, as in every graph.
    graph.nodes += companions.sorted { $0.id < $1.id }

    for capture in captures {
      try graph.connect(Wire(from: Endpoint(capture.id.companion), to: Endpoint(capture.id)))
    }
    for sound in played where sound.owner == nil {
      let end = Endpoint(sound.playback.companion, channel: sound.wire.destination.channel)
      try graph.copy(sound.wire, to: end, isSilenced: silenced.contains(sound.wire.id))
    }
    for playback in playbacks {
      graph.copyLanes(of: .node(playback.id), to: .node(playback.id.companion))
      for capture in captures {
        let wire = Wire(
          from: Endpoint(playback.id.companion), to: Endpoint(capture.id, bus: 1), feedback: late)
        try graph.addReference(wire)
      }
    }
    for sound in played {
      guard let owner = sound.owner else { continue }
      let channel = sound.wire.destination.channel.flatMap { $0 < reference ? $0 : nil }
      for capture in captures where capture.id != owner {
        try graph.copy(
          sound.wire, to: Endpoint(capture.id, bus: 1, channel: channel), late: late,
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
      try addReference(twin)
    } else {
      try connect(twin)
    }
    copyLanes(of: .wire(wire.id), to: .wire(twin.id))
  }

  /// Adds a reference wire, which carries sound for analysis only. A source that is played twice is added once.
  private mutating func addReference(_ wire: Wire) throws(GraphError) {
    var wire = wire
    wire.isReference = true
    if !wireList.contains(wire.id) { try connect(wire) }
  }

  /// Copies the level lanes of a node or wire to another.
  private mutating func copyLanes(of owner: Lane.Owner, to twin: Lane.Owner) {
    for lane in lanes where lane.target.owner == owner {
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
