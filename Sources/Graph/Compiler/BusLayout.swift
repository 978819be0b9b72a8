// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Works its way through the ordered nodes and writes down the steps that each needs.
struct BusLayout {
  let compiler: Compiler
  let parts: Compiler.Parts
  let latency: Compiler.Latency
  let transition: Compiler.Transition
  /// What all wires come to.
  let board: StripBoard
  /// Where each node's output buses are, by place.
  var outputs: [[Schedule.Ref]]
  var schedule = Schedule()
  /// The near ends of feedback wires, by wire.
  private var returns: [Int: Schedule.Ref] = [:]
  /// Event wires that are no longer in the graph, by where they ended: they may have notes to release.
  let vanished: [Endpoint: [Wire.ID]]
  /// Where the sound of wires with lanes is, by wire.
  private var faded: [Int: Schedule.Ref] = [:]
  /// The lanes, by what they move.
  let lanes: [Lane.Place: [Lane]]
  /// How long a slice may be while they are read, by wire.
  private(set) var slices: [Int: Int] = [:]

  init(
    compiler: Compiler, parts: Compiler.Parts, latency: Compiler.Latency, transition: Compiler.Transition,
    outputs: [[Schedule.Ref]]
  ) {
    self.compiler = compiler
    self.parts = parts
    self.latency = latency
    self.transition = transition
    board = StripBoard(parts.graph, sampleRate: compiler.sampleRate)
    self.outputs = outputs
    lanes = Dictionary(grouping: parts.graph.lanes, by: \.target.place)
    let wired = Set(parts.graph.wires.map(\.id))
    let gone = compiler.store.eventWires.keys.filter { !wired.contains($0) }
    vanished = Dictionary(
      grouping: gone.sorted {
        ($0.source.node, $0.source.bus.index) < ($1.source.node, $1.source.bus.index)
      }, by: \.destination)
    for node in parts.graph.nodes { schedule.names[node.id.slot] = node.name }
  }

  /// Reads what the feedback wires into a loop carried a while ago.
  mutating func openFeedback(into nodes: ArraySlice<Int>) {
    for node in nodes {
      for wire in parts.incoming[node] where parts.isFeedback(wire) {
        let id = parts.graph.wires[wire].id
        let source = parts.graph.nodes[parts.source(wire)]
        let channels = source.outputs[id.source.bus.index].channelCount
        let delay = latency.wire[wire]
        let line = feedbackLine(id, channels: channels, delay: delay)
        let bus = schedule.audio(channels)
        returns[wire] = bus
        slices[wire] = line.slice(for: delay, generation: compiler.generation, adopted: compiler.adopted)
        schedule.entries.append(
          .init(
            kind: .giveBack, label: "return \(source.name) \(delay) late", processor: line, inputs: [],
            outputs: [bus], delay: delay))
      }
    }
  }

  /// Writes down all steps of one node: what mixes its inputs, its own, its taps, and what it feeds back.
  mutating func add(_ place: Int) {
    let node = parts.graph.nodes[place]
    var inputs = node.inputs.indices.map { mix(place, bus: $0) }
    // Nothing listens behind a way out: so its fader stands before all that listen before it.
    if case .output = node.role { inputs = inputs.map { fadeOut($0, place, node) } }
    for tap in parts.taps[place] where tap.side == .before {
      listen(tap, inputs[tap.bus.index], lateBy: latency.arrival[place], "before \(node.name)")
    }
    run(place, node, inputs)
    fade(place, node)
    for tap in parts.taps[place] where tap.side == .after {
      listen(
        tap, outputs[place][tap.bus.index], lateBy: latency.arrival[place] + latency.own[place],
        "after \(node.name)")
    }
    for wire in parts.outgoing[place] where parts.isFeedback(wire) {
      let id = parts.graph.wires[wire].id
      let bus = outputs[place][id.source.bus.index]
      let line = feedbackLine(id, channels: schedule.width(bus), delay: latency.wire[wire])
      schedule.entries.append(
        .init(
          kind: .sendBack, label: "send back \(node.name)", processor: line, inputs: [bus], outputs: []))
    }
  }

  private mutating func run(_ place: Int, _ node: Graph.Node, _ inputs: [Schedule.Ref]) {
    let slot = node.id.slot
    switch node.role {
    case .mixer: outputs[place] = inputs.map { master(node, $0) }
    case .input(let number):
      schedule.inputCount += 1
      switch node.outputs[0] {
      case .audio(let channels):
        schedule.memories.append(.init(place: .external(number), channels: channels))
        outputs[place] = [.init(memory: schedule.memories.count - 1)]
      case .events:
        let bus = schedule.events()
        outputs[place] = [bus]
        schedule.entries.append(
          .init(kind: .eventsIn, label: "take in \(node.name)", inputs: [], outputs: [bus], external: number))
      }
    case .output(let number):
      schedule.outputLatency[node.id] = latency.arrival[place] + latency.own[place]
      guard case .audio(let channels) = node.inputs[0] else {
        schedule.entries.append(
          .init(
            kind: .eventsOut, label: "send out \(node.name)", inputs: inputs, outputs: [], external: number))
        return
      }
      var sent = inputs
      if let processor = parts.processors[place] {
        let held = [schedule.audio(channels)]
        schedule.ownLatency.append((processor, latency.own[place]))
        schedule.entries.append(
          .init(
            kind: .node, label: "hold down \(node.name)", processor: processor, inputs: inputs, outputs: held,
            slot: slot, latency: latency.arrival[place], lanes: followed(node)))
        sent = held
      }
      schedule.memories.append(.init(place: .externalOut(number), channels: channels))
      schedule.entries.append(
        .init(
          kind: .output, label: "send out \(node.name)", processor: outputGuard(node.id, channels),
          inputs: sent, outputs: [.init(memory: schedule.memories.count - 1)], slot: slot))
    case .processor:
      guard let processor = parts.processors[place] else { return }
      outputs[place] = node.outputs.map { schedule.bus($0) }
      schedule.ownLatency.append((processor, latency.own[place]))
      schedule.entries.append(
        .init(
          kind: .node, label: node.name, processor: processor, inputs: inputs, outputs: outputs[place],
          slot: slot, latency: latency.arrival[place], lanes: followed(node)))
      bypass(place, node, inputs)
    }
  }

  private mutating func bypass(_ place: Int, _ node: Graph.Node, _ inputs: [Schedule.Ref]) {
    guard let wet = outputs[place].first, schedule.memories[wet.memory].channels > 0 else { return }
    let delay = latency.own[place]
    let running = compiler.store.bypasses[node.id]
    running?.request.ask(node.isBypassed, generation: compiler.generation)
    let isNeeded = running.map { !$0.isOpen || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard node.isBypassed || (isNeeded && transition.isLive) else {
      compiler.store.bypasses[node.id] = nil
      return
    }
    // An instrument has no sound to send around it: bypassed, it is silent.
    let hasInput = node.inputs.first.map { $0 != .events } ?? false
    let dry = hasInput ? inputs[0] : Schedule.Ref(memory: Schedule.silence, channel: 0)
    let isFresh = !transition.isLive || transition.freshNodes.contains(node.id)
    let fader =
      running.flatMap { $0.longestDelay >= delay ? $0 : nil }
      ?? BypassFader(
        channels: schedule.width(dry), isBypassed: isFresh && node.isBypassed, delay: delay,
        longestDelay: max(2 * delay, 4096), fadeFrames: compiler.fadeFrames,
        longestBlock: compiler.longestBlock, generation: compiler.generation, continuing: running)
    fader.request.ask(node.isBypassed, generation: compiler.generation)
    if fader !== running { compiler.store.keep(fader) }
    compiler.store.bypasses[node.id] = fader
    schedule.entries.append(
      .init(
        kind: .bypass, label: node.isBypassed ? "bypass \(node.name)" : "leave bypass \(node.name)",
        processor: fader, inputs: [dry, wet], outputs: [wet], level: node.isBypassed ? 1 : 0,
        delay: delay))
  }

  /// Has a tap listen to a bus.
  mutating func listen(_ tap: Graph.Tap, _ bus: Schedule.Ref, lateBy frames: Int, _ what: String) {
    schedule.tapLatency[tap.id] = frames
    guard let sink = compiler.store.taps[tap.id] else { return }
    schedule.entries.append(
      .init(kind: .tap, label: "tap \(what)", processor: sink, inputs: [bus], outputs: []))
  }

  private func outputGuard(_ id: NodeID, _ channels: Int) -> OutputGuard {
    if let guarding = compiler.store.guards[id] { return guarding }
    let new = OutputGuard(channels: channels, sampleRate: compiler.sampleRate, fadesIn: compiler.fadesIn)
    if compiler.store.isShut { new.requestShut() }
    new.setLoudness(compiler.store.loudness)
    compiler.store.guards[id] = new
    return new
  }

  private func feedbackLine(_ id: Wire.ID, channels: Int, delay: Int) -> FeedbackLine {
    let running = compiler.store.feedback[id]
    if let running, running.longestDelay >= delay { return running }
    let line = FeedbackLine(
      channels: channels, delay: delay, fadeFrames: compiler.fadeFrames, longestBlock: compiler.longestBlock,
      generation: compiler.generation, continuing: running)
    compiler.store.keep(line)
    compiler.store.feedback[id] = line
    return line
  }

  /// Has a wire's sound come from behind its fader.
  mutating func keep(_ ref: Schedule.Ref, for wire: Int) { faded[wire] = ref }

  /// Where a wire's sound comes from.
  func source(of wire: Int) -> Schedule.Ref {
    if let faded = faded[wire] { return faded }
    return origin(of: wire)
  }

  /// Where the sound is before the fader of the wire's lanes, which may have made it wider.
  func origin(of wire: Int) -> Schedule.Ref {
    let id = parts.graph.wires[wire].id
    var ref = returns[wire] ?? outputs[parts.source(wire)][id.source.bus.index]
    // A bus that is itself one channel of another has no other channel to choose.
    if let channel = id.source.channel, ref.channel == nil { ref.channel = channel }
    return ref
  }
}
