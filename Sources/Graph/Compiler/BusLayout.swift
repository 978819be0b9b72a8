// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Writes the steps of all nodes, in order.
struct BusLayout {
  let compiler: Compiler
  let parts: Compiler.Parts
  let latency: Compiler.Latency
  let transition: Compiler.Transition
  /// The target values of all wires.
  let stripLevels: StripLevels
  /// The graph's nodes and wires.
  let nodes: [Graph.Node], wires: [Graph.Wire]
  /// The memory of all nodes' output buses, and the index of each node's first output, by node index.
  private var outputRefs: [Schedule.Ref], firstOutput: [Int]
  var schedule: Schedule
  /// The outputs of feedback wires, by wire.
  private var returns: [Int: Schedule.Ref] = [:]
  /// Event wires that were removed from the graph, by destination: they may have notes to release.
  let removedEventWires: [Endpoint: [Graph.Wire.ID]]
  /// The output of the faders of wires with lanes, by wire.
  private var faded: [Int: Schedule.Ref] = [:]
  /// The lanes, by target.
  let lanes: [Lane.Owner: [Lane]]
  /// The maximum slice length of feedback wires, by wire.
  private(set) var slices: [Int: Int] = [:]
  /// The sums of wires, and the index of each wire's sum; −1 for none.
  var mixes: [Mix] = [], mixOf: [Int32] = []
  /// Whether the steps that write a node's outputs are in the schedule, by node index.
  var isReady: [Bool] = []

  /// Whether the graph has feedback wires; whether any fader or bypass is needed now or ran in the previous plan.
  /// Most graphs have none of these, and skip the lookups.
  let hasFeedback: Bool, hasFaders: Bool, hadBypasses: Bool
  /// The wires' processors in the previous plan, and their motions, by wire. Empty if no wire has one.
  let running: [WireProcessor?], motions: [WireMotion]

  init(
    compiler: Compiler, parts: Compiler.Parts, latency: Compiler.Latency, transition: Compiler.Transition
  ) {
    self.compiler = compiler
    self.parts = parts
    self.latency = latency
    self.transition = transition
    nodes = parts.graph.nodes
    wires = parts.graph.wires
    stripLevels = StripLevels(parts.graph, sampleRate: compiler.sampleRate)
    schedule = Schedule(nodes: nodes)
    var outputCount = 0
    firstOutput = []
    firstOutput.reserveCapacity(nodes.count)
    for nodeIndex in nodes.indices {
      firstOutput.append(outputCount)
      outputCount += nodes[nodeIndex].outputs.count
    }
    outputRefs = Array(repeating: .init(memory: Schedule.silence), count: outputCount)
    let store = compiler.store
    lanes = Dictionary(grouping: parts.graph.lanes, by: \.target.owner)
    hasFeedback = wires.contains { $0.feedback != nil }
    hasFaders = !lanes.isEmpty || !store.faders.isEmpty
    hadBypasses = !store.bypasses.isEmpty
    running = store.running(parts.graph.wireList)
    motions = transition.motions(parts.graph.wireList)
    let gone = store.eventWires.keys.filter { !parts.graph.wireList.contains($0) }
    removedEventWires = Dictionary(
      grouping: gone.sorted {
        ($0.source.node, $0.source.bus.index) < ($1.source.node, $1.source.bus.index)
      }, by: \.destination)
  }

  /// Returns an output bus of a node.
  func output(_ bus: Int, of nodeIndex: Int) -> Schedule.Ref { outputRefs[firstOutput[nodeIndex] + bus] }

  /// Sets the memory of an output bus of a node.
  mutating func setOutput(_ bus: Int, of nodeIndex: Int, to ref: Schedule.Ref) {
    outputRefs[firstOutput[nodeIndex] + bus] = ref
  }

  /// Adds the steps that read the delayed output of feedback wires into a loop.
  mutating func openFeedback(into nodes: ArraySlice<Int>) {
    guard hasFeedback else { return }
    for node in nodes {
      for wire in parts.incoming[node] where parts.isFeedback(wire) {
        let id = wires[wire].id
        let source = self.nodes[parts.source(wire)]
        let channels = source.outputs[id.source.bus.index].channelCount
        let delay = latency.wire[wire]
        let line = feedbackLine(id, channels: channels, delay: delay)
        let bus = schedule.audio(channels)
        returns[wire] = bus
        slices[wire] = line.slice(for: delay, generation: compiler.generation, adopted: compiler.adopted)
        schedule.append(
          .init(
            kind: .giveBack, label: .text("return \(source.name) \(delay) late"), processor: line,
            delay: delay),
          inputs: [], outputs: CollectionOfOne(bus))
      }
    }
  }

  /// Writes all steps of a node: the mixes of its inputs, its processor, its taps, and its feedback.
  mutating func add(_ nodeIndex: Int) {
    let node = nodes[nodeIndex]
    var inputs: [Schedule.Ref] = []
    inputs.reserveCapacity(node.inputs.count)
    for bus in node.inputs.indices { inputs.append(mix(nodeIndex, bus: bus)) }
    // An output node has no taps after it, so its fader precedes all taps before it.
    if node.isOutput { inputs = inputs.map { fadeOut($0, nodeIndex, node) } }
    let taps = parts.taps.isEmpty ? [] : parts.taps[nodeIndex] ?? []
    for tap in taps where tap.side == .before {
      addTap(tap, inputs[tap.bus.index], lateBy: latency.arrival[nodeIndex], "before \(node.name)")
    }
    run(nodeIndex, node, inputs)
    fade(nodeIndex, node)
    for tap in taps where tap.side == .after {
      addTap(
        tap, output(tap.bus.index, of: nodeIndex),
        lateBy: latency.arrival[nodeIndex] + latency.own[nodeIndex],
        "after \(node.name)")
    }
    guard hasFeedback else { return }
    for wire in parts.outgoing[nodeIndex] where parts.isFeedback(wire) {
      let id = wires[wire].id
      let bus = output(id.source.bus.index, of: nodeIndex)
      let line = feedbackLine(id, channels: schedule.width(bus), delay: latency.wire[wire])
      schedule.append(
        .init(kind: .sendBack, label: .text("send back \(node.name)"), processor: line),
        inputs: CollectionOfOne(bus), outputs: [])
    }
  }

  private mutating func run(_ nodeIndex: Int, _ node: Graph.Node, _ inputs: [Schedule.Ref]) {
    let slot = node.id.slot
    switch node.role {
    case .mixer:
      for (bus, input) in inputs.enumerated() { setOutput(bus, of: nodeIndex, to: master(node, input)) }
    case .input(let number):
      schedule.inputCount += 1
      switch node.outputs[0] {
      case .audio(let channels):
        schedule.memories.append(.init(location: .external(number), channels: channels))
        setOutput(0, of: nodeIndex, to: .init(memory: schedule.memories.count - 1))
      case .events:
        let bus = schedule.events()
        setOutput(0, of: nodeIndex, to: bus)
        schedule.append(
          .init(kind: .eventsIn, label: .text("take in \(node.name)"), external: number), inputs: [],
          outputs: CollectionOfOne(bus))
      }
    case .output(let number):
      schedule.outputLatency[node.id] = latency.arrival[nodeIndex] + latency.own[nodeIndex]
      guard case .audio(let channels) = node.inputs[0] else {
        schedule.append(
          .init(kind: .eventsOut, label: .text("send out \(node.name)"), external: number), inputs: inputs,
          outputs: [])
        return
      }
      var sent = inputs
      if let processor = parts.processors[nodeIndex] {
        let held = [schedule.audio(channels)]
        schedule.ownLatency.append((processor, latency.own[nodeIndex]))
        schedule.append(
          .init(
            kind: .node, label: .text("hold down \(node.name)"), processor: processor, slot: slot,
            latency: latency.arrival[nodeIndex], lanes: followed(node)),
          inputs: inputs, outputs: held)
        sent = held
      }
      schedule.memories.append(.init(location: .externalOut(number), channels: channels))
      schedule.append(
        .init(
          kind: .output, label: .text("send out \(node.name)"), processor: outputGuard(node.id, channels),
          slot: slot),
        inputs: sent, outputs: CollectionOfOne(.init(memory: schedule.memories.count - 1)))
    case .processor:
      guard let processor = parts.processors[nodeIndex] else { return }
      let first = firstOutput[nodeIndex]
      for (bus, format) in node.outputs.enumerated() { outputRefs[first + bus] = schedule.bus(format) }
      schedule.ownLatency.append((processor, latency.own[nodeIndex]))
      schedule.append(
        .init(
          kind: .node, label: .text(node.name), processor: processor, slot: slot,
          latency: latency.arrival[nodeIndex], lanes: followed(node)),
        inputs: inputs, outputs: outputRefs[first..<first + node.outputs.count])
      if processor.bypassesItself {
        processor.bypass(node.isBypassed)
      } else {
        bypass(nodeIndex, node, inputs)
      }
    }
  }

  private mutating func bypass(_ nodeIndex: Int, _ node: Graph.Node, _ inputs: [Schedule.Ref]) {
    guard node.isBypassed || hadBypasses, !node.outputs.isEmpty else { return }
    let wet = output(0, of: nodeIndex)
    guard schedule.memories[wet.memory].channels > 0 else { return }
    let delay = latency.own[nodeIndex]
    let running = compiler.store.bypasses[node.id]
    running?.request.ask(node.isBypassed, generation: compiler.generation)
    let isNeeded = running.map { !$0.isOpen || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard node.isBypassed || (isNeeded && transition.isLive) else {
      compiler.store.bypasses.drop(node.id)
      return
    }
    // An instrument has no audio input to pass through: bypassed, it is silent.
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
    schedule.append(
      .init(
        kind: .bypass, label: .text(node.isBypassed ? "bypass \(node.name)" : "leave bypass \(node.name)"),
        processor: fader, level: node.isBypassed ? 1 : 0, delay: delay),
      inputs: [dry, wet], outputs: CollectionOfOne(wet))
  }

  /// Adds the step of a tap on a bus.
  mutating func addTap(_ tap: Graph.Tap, _ bus: Schedule.Ref, lateBy frames: Int, _ what: String) {
    schedule.tapLatency[tap.id] = frames
    guard let sink = compiler.store.taps[tap.id] else { return }
    schedule.append(
      .init(kind: .tap, label: .text("tap \(what)"), processor: sink), inputs: CollectionOfOne(bus),
      outputs: [])
  }

  private func outputGuard(_ id: NodeID, _ channels: Int) -> OutputGuard {
    if let guarding = compiler.store.guards[id] { return guarding }
    let new = OutputGuard(channels: channels, sampleRate: compiler.sampleRate, fadesIn: compiler.fadesIn)
    if compiler.store.isShut { new.requestShut() }
    new.setLoudness(compiler.store.loudness)
    compiler.store.guards[id] = new
    return new
  }

  private func feedbackLine(_ id: Graph.Wire.ID, channels: Int, delay: Int) -> FeedbackLine {
    let running = compiler.store.feedback[id]
    if let running, running.longestDelay >= delay { return running }
    let line = FeedbackLine(
      channels: channels, delay: delay, fadeFrames: compiler.fadeFrames, longestBlock: compiler.longestBlock,
      generation: compiler.generation, continuing: running)
    compiler.store.keep(line)
    compiler.store.feedback[id] = line
    return line
  }

  /// Sets a wire's source to the output of its fader.
  mutating func keep(_ ref: Schedule.Ref, for wire: Int) { faded[wire] = ref }

  /// Returns a wire's source, after the fader of its lanes.
  func source(of wire: Int) -> Schedule.Ref {
    if hasFaders, let faded = faded[wire] { return faded }
    return origin(of: wire)
  }

  /// Returns a wire's source before the fader of its lanes, which may change its width.
  func origin(of wire: Int) -> Schedule.Ref {
    let start = wires[wire].id.source
    var ref = output(start.bus.index, of: parts.source(wire))
    if hasFeedback, let back = returns[wire] { ref = back }
    // A bus that is one channel of another bus has no other channel to select.
    if let channel = start.channel, ref.channel == nil { ref.channel = channel }
    return ref
  }
}
