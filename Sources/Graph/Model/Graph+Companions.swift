// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension NodeID {
  /// The companion of a node: a node that stands beside it in a graph made from that of the user. Its number is
  /// none that a graph gives out, and the same for ever.
  package var companion: NodeID { NodeID(slot: slot + Graph.mostNodes) }

  /// The node whose companion this is; itself where it is none.
  package var principal: NodeID { slot < Graph.mostNodes ? self : NodeID(slot: slot - Graph.mostNodes) }
}

extension Graph.Node {
  /// Whether a processor may work for it.
  var mayHaveProcessor: Bool {
    switch role {
    case .processor, .output: true
    case .input, .mixer: false
    }
  }
}

extension Graph {
  /// The nodes that bring sound in.
  package var captures: [Node] {
    nodes.filter { node in
      if case .input = node.role { node.outputs.first != .events } else { false }
    }
  }

  /// The graph in which all sound that comes in passes a processor before anybody hears it, one for each way in, whose
  /// second input hears what the ways out play.
  ///
  /// A way in keeps its identity, and with that its wires, taps and lanes, and becomes the processor; its companion is
  /// the way in. The companion of a way out is a mixer that gets what the way out gets. What a way out gets of one way
  /// in alone is kept from the processor of that: it would take a voice for its own echo.
  ///
  /// - Parameters:
  ///   - reference: how many channels the second input has.
  ///   - late: by how many frames it hears what is played: it may be played of what comes in.
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
    // In the order of identities, as in every graph.
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

  /// Has a wire lead to another end, too, as loud, and moving alike; with a lateness as a reference. Solo has no say
  /// in it: what is not heard of the wire is not heard of its twin.
  private mutating func copy(
    _ wire: Wire, to end: Endpoint, late: Int? = nil, isSilenced: Bool
  ) throws(GraphError) {
    var twin = wire
    twin.id.destination = end
    (twin.isSolo, twin.isSoloSafe, twin.isMuted) = (false, true, wire.isMuted || isSilenced)
    if let late {
      twin.feedback = late
      // Only two channels can be panned.
      if end.channel != nil { twin.pan = nil }
      try refer(twin)
    } else {
      try connect(twin)
    }
    copyLanes(of: .wire(wire.id), to: .wire(twin.id))
  }

  /// Adds a wire that only lets its end know. Where the same sound is played twice, once is enough.
  private mutating func refer(_ wire: Wire) throws(GraphError) {
    var wire = wire
    wire.isReference = true
    if !wireList.contains(wire.id) { try connect(wire) }
  }

  /// Has levels move as they do elsewhere.
  private mutating func copyLanes(of place: Lane.Place, to twin: Lane.Place) {
    for lane in lanes where lane.target.place == place {
      if case .parameter = lane.target.value { continue }
      let target = Lane.Target(twin, lane.target.value)
      guard self.lane(of: target) == nil else { continue }
      laneList.append(
        Lane(
          target: target, automation: lane.automation, isWhole: lane.isWhole, panLaw: lane.panLaw))
    }
  }
}
