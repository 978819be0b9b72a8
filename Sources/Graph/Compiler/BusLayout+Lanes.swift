// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension BusLayout {
  /// Returns the lanes that a node's parameters follow.
  func followed(_ node: Graph.Node) -> [Schedule.FollowedLane] {
    guard !lanes.isEmpty else { return [] }
    let isFresh = transition.freshNodes.contains(node.id)
    return (lanes[.node(node.id)] ?? []).compactMap { lane in
      guard case .parameter(let number) = lane.target.value else { return nil }
      return .init(
        track: track(lane, isFresh: isFresh), parameter: number, isWhole: lane.isWhole)
    }
  }

  /// Adds a fader after a node's main output if the node has lanes. If the lanes were removed, the fader stays until
  /// it is back at unity.
  mutating func fade(_ nodeIndex: Int, _ node: Graph.Node) {
    guard hasFaders, case .audio(let channels)? = node.outputs.first,
      let fader = fader(.node(node.id), isFresh: transition.freshNodes.contains(node.id))
    else { return }
    let faded = fade(
      output(0, of: nodeIndex), by: fader, channels, "fade \(node.name)", .node(node.id),
      latency.arrival[nodeIndex] + latency.own[nodeIndex])
    setOutput(0, of: nodeIndex, to: faded)
  }

  /// Returns an output node's input, after the node's fader if it has one.
  mutating func fadeOut(_ input: Schedule.Ref, _ nodeIndex: Int, _ node: Graph.Node) -> Schedule.Ref {
    guard hasFaders, case .audio(let channels)? = node.inputs.first,
      let fader = fader(.node(node.id), isFresh: transition.freshNodes.contains(node.id))
    else { return input }
    return fade(input, by: fader, channels, "fade \(node.name)", .node(node.id), latency.arrival[nodeIndex])
  }

  /// Adds a fader before a wire that has lanes.
  mutating func fade(_ index: Int) {
    guard hasFaders else { return }
    let wire = wires[index], source = source(of: index), from = parts.source(index)
    let isFresh =
      transition.fresh.contains(wire.id) || transition.entering.contains(wire.id)
      || transition.held.contains(wire.id)
    guard let fader = fader(.wire(wire.id), isFresh: isFresh) else { return }
    let end = nodes[parts.destination(index)]
    // The output of a pan has the width of its destination.
    let isPanned = followed(.wire(wire.id)).contains { $0.target.value == .pan }
    let width = isPanned || fader.isWide ? 2 : schedule.width(source)
    fader.isWide = width == 2 && schedule.width(source) != 2
    let late = latency.arrival[from] + latency.own[from]
    keep(
      fade(
        source, by: fader, width, "fade \(nodes[from].name) -> \(end.name)", .wire(wire.id), late),
      for: index)
  }

  /// Appends the step of a fader, and returns its output.
  mutating func fade(
    _ source: Schedule.Ref, by fader: Fader, _ channels: Int, _ label: String, _ owner: Lane.Owner,
    _ late: Int
  ) -> Schedule.Ref {
    let bus = schedule.audio(channels)
    let values = followed(owner).compactMap { lane -> Schedule.FollowedLane? in
      let value: Fader.Value
      switch lane.target.value {
      case .parameter: return nil
      case .volume: value = .volume
      case .ducking: value = .ducking
      case .pan: value = .pan
      }
      return .init(track: track(lane, isFresh: true), parameter: Int(value.rawValue))
    }
    schedule.append(
      .init(
        kind: .fade, label: .text(label), processor: fader, latency: late,
        lanes: values.sorted { $0.parameter < $1.parameter }),
      inputs: CollectionOfOne(source), outputs: CollectionOfOne(bus),
      strip: (.faded(owner), stripLevels.targets(of: owner)))
    return bus
  }

  /// Returns the lanes of a node or wire; for a post-fader send, including the volume and ducking lanes of its strip.
  private func followed(_ owner: Lane.Owner) -> [Lane] {
    var all = lanes[owner] ?? []
    guard case .wire(let id) = owner, let strip = id.stripID, let ridden = lanes[.wire(strip)],
      parts.graph.wire(id)?.isPreFader == false
    else { return all }
    all += ridden.filter { $0.target.value == .volume || $0.target.value == .ducking }
    return all
  }

  /// Returns the fader of a node or wire that has lanes, or whose previous fader has not yet returned to unity;
  /// otherwise nil.
  func fader(_ owner: Lane.Owner, isFresh: Bool) -> Fader? {
    let isWanted = followed(owner).contains {
      if case .parameter = $0.target.value { false } else { true }
    }
    let running = compiler.store.faders[owner]
    running?.request.ask(isWanted, generation: compiler.generation)
    let isNeeded = running.map { !$0.isOpen || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard isWanted || (isNeeded && transition.isLive) else {
      compiler.store.faders.drop(owner)
      return nil
    }
    if let running { return running }
    let fader = Fader(
      fadeFrames: compiler.fadeFrames, isHeard: transition.isLive && !isFresh, generation: compiler.generation
    )
    compiler.store.faders[owner] = fader
    return fader
  }

  /// Returns a lane's table: the one in use if the automation is unchanged, otherwise a new one.
  private func track(_ lane: Lane, isFresh: Bool) -> LaneTrack {
    let running = compiler.store.lanes[lane.target]
    if let running, running.automation == lane.automation, running.declick == lane.declick { return running }
    let new = LaneTrack(
      lane.automation, sampleRate: compiler.sampleRate, declick: lane.declick,
      isHeard: transition.isLive && !isFresh,
      inPlaceOf: running)
    compiler.store.lanes[lane.target] = new
    return new
  }
}

extension Schedule {
  /// The number of lanes that move parameters.
  var parameterLaneCount: Int {
    entries.indices.reduce(0) { $0 + (entries[$1].kind == .node ? entries[$1].lanes.count : 0) }
  }

  /// All lanes, those of parameters first; the groups of lanes of the steps; and the group of each step that has one:
  /// of nodes with lanes, and of all faders.
  var orderedLanes: (lanes: [LaneMemory], groups: [LaneGroup], groupOf: [Int: Int32]) {
    var lanes: [LaneMemory] = unsafe [], groups: [LaneGroup] = [], groupOf: [Int: Int32] = [:]
    for kind in [Step.Kind.node, .fade] {
      for index in entries.indices where entries[index].kind == kind {
        let followed = entries[index].lanes
        guard kind == .fade || !followed.isEmpty else { continue }
        groupOf[index] = Int32(groups.count)
        unsafe groups.append(LaneGroup(first: Int32(lanes.count), count: Int32(followed.count)))
        for lane in followed {
          unsafe lanes.append(lane.track.memory(parameter: lane.parameter, isWhole: lane.isWhole))
        }
      }
    }
    return unsafe (lanes, groups, groupOf)
  }
}
