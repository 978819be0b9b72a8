// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension BusLayout {
  /// Returns the memory of an input bus, after the steps that mix its wires.
  mutating func mix(_ nodeIndex: Int, bus: Int) -> Schedule.Ref {
    let all = parts.incoming[nodeIndex]
    switch nodes[nodeIndex].inputs[bus] {
    case .events:
      let ending = all.filter { wires[$0].destination.bus.index == bus }
      return merge(ending, into: Endpoint(nodes[nodeIndex].id, bus: Bus(index: bus)))
    case .audio(let channels):
      // Most buses have one wire.
      if all.count == 1, let wire = all.first, wires[wire].destination.bus.index == bus {
        return addSingleWire(wire, channels: channels)
      }
      let ending = all.filter { wires[$0].destination.bus.index == bus }
      guard let first = ending.first else {
        schedule.memories.append(.init(location: .silence, channels: channels))
        return .init(memory: schedule.memories.count - 1)
      }
      return ending.count == 1 ? addSingleWire(first, channels: channels) : sum(ending, channels: channels)
    }
  }

  /// Adds the steps of a wire that is the only one into its bus, and returns the buffer that the bus reads.
  private mutating func addSingleWire(_ wire: Int, channels: Int) -> Schedule.Ref {
    // A tap before the fader is also before the fader of the wire's lanes.
    addTapsBeforeFader(wire)
    fade(wire)
    guard isDirect(wire, channels: channels) else { return sum([wire], channels: channels) }
    if runningProcessor(of: wire) != nil { compiler.store.wires.drop(wires[wire].id) }
    let source = source(of: wire)
    addTapsAfterFader(wire, source)
    return source
  }

  /// Returns the target values of a wire, without the fades of this plan.
  func targets(of wire: Int) -> StripTargets {
    stripLevels.targets(of: wires[wire], delay: parts.isFeedback(wire) ? 0 : latency.wire[wire])
  }

  /// Returns whether a wire that is alone on its bus needs no step.
  private func isDirect(_ index: Int, channels: Int) -> Bool {
    let wire = wires[index], targets = targets(of: index)
    let isWhole = wire.destination.channel == nil && schedule.width(source(of: index)) == channels
    guard targets.isPlain, isWhole, motion(of: index).isEmpty else { return false }
    guard transition.isLive, let running = runningProcessor(of: index) else { return true }
    running.request.ask(targets, generation: compiler.generation)
    return running.request.isCertain(adopted: compiler.adopted) && running.isTransparent
  }

  /// Returns the wire's processor: the running one, or a new one that starts at the wire's current values.
  func processor(_ index: Int, into busWidth: Int, _ targets: StripTargets) -> WireProcessor {
    let wire = wires[index], channels = schedule.width(origin(of: index))
    let running = runningProcessor(of: index)
    running?.request.ask(targets, generation: compiler.generation)
    if let running, running.longestDelay >= Int(targets.delay) { return running }
    // A wire that had no step was at unity gain, centered and without delay.
    var start = StripTargets.plain
    if !transition.isLive || transition.fresh.contains(wire.id) { start = targets }
    if !motion(of: index).isDisjoint(with: [.entering, .held]) {
      start = targets
      start.gate = 0
    }
    let new = WireProcessor(
      channels: channels, into: wire.destination.channel == nil ? busWidth : 1, start: start,
      longestDelay: WireProcessor.allocatedDelay(for: Int(targets.delay)),
      fadeFrames: compiler.fadeFrames, longestBlock: compiler.longestBlock, generation: compiler.generation,
      continuing: running,
      joining: running?.hasBegun == true ? nil : wire.id.stripID.flatMap { compiler.store.wires[$0] },
      send: wire)
    new.request.ask(targets, generation: compiler.generation)
    compiler.store.keep(new)
    compiler.store.wires[wire.id] = new
    return new
  }

  /// Returns a mixer's output: its sum with the mixer's gain.
  mutating func master(_ node: Graph.Node, _ mixed: Schedule.Ref) -> Schedule.Ref {
    scaled(
      mixed, to: stripLevels.targets(of: node), .mixer(node.id),
      isFresh: transition.freshNodes.contains(node.id),
      "gain of \(node.name)")
  }

  /// Returns a bus scaled by `targets`; if that changes nothing, returns the source itself.
  mutating func scaled(
    _ source: Schedule.Ref, to targets: StripTargets, _ key: ProcessorStore.Scaled, isFresh: Bool,
    _ label: String
  ) -> Schedule.Ref {
    let running = compiler.store.scaled[key]
    running?.request.ask(targets, generation: compiler.generation)
    let isMoving =
      running.map { !$0.isTransparent || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard !targets.isPlain || (isMoving && transition.isLive) else {
      compiler.store.scaled.drop(key)
      return source
    }
    let channels = schedule.width(source)
    let wire =
      running
      ?? WireProcessor(
        channels: channels, into: channels, start: isFresh || !transition.isLive ? targets : .plain,
        longestDelay: 0,
        fadeFrames: compiler.fadeFrames, longestBlock: compiler.longestBlock, generation: compiler.generation)
    wire.request.ask(targets, generation: compiler.generation)
    compiler.store.scaled[key] = wire
    let bus = schedule.audio(channels)
    schedule.append(
      .init(kind: .wire, label: .text(label), processor: wire), inputs: CollectionOfOne(source),
      outputs: CollectionOfOne(bus), strip: (.scaled(key), targets))
    return bus
  }

  private mutating func merge(_ wires: [Int], into end: Endpoint) -> Schedule.Ref {
    let sources = wires.map { carry($0) } + (removedEventWires[end] ?? []).compactMap { release($0) }
    guard sources.count > 1 else { return sources.first ?? .init(memory: Schedule.noEvents) }
    let bus = schedule.events(like: sources)
    schedule.append(
      .init(
        kind: .mergeEvents, label: .text("merge events"), processor: EventMerger(inputCount: sources.count)),
      inputs: sources, outputs: CollectionOfOne(bus))
    return bus
  }

  /// Returns the events of an event wire; if the wire is leaving, only the note-offs of its held notes.
  private mutating func carry(_ index: Int) -> Schedule.Ref {
    let id = wires[index].id, isThere = !transition.leaving.contains(id)
    let wire =
      compiler.store.eventWires[id]
      ?? EventWire(isShut: compiler.store.isShut, generation: compiler.generation)
    compiler.store.eventWires[id] = wire
    // Events that were dropped before the delay are counted only in the source's buffer, so the step reads that, too.
    let inputs = isThere ? [late(index), source(of: index)] : [.init(memory: Schedule.noEvents)]
    let label =
      isThere ? label(of: index, .events) : .text("release \(nodes[parts.source(index)].name)")
    return step(wire, label, inputs.first == inputs.last ? [inputs[0]] : inputs, isThere)
  }

  /// Returns the note-offs for a wire that was removed from the graph; nil if all its notes are released.
  private mutating func release(_ id: Graph.Wire.ID) -> Schedule.Ref? {
    guard let wire = compiler.store.eventWires[id] else { return nil }
    wire.request.ask(false, generation: compiler.generation)
    // While sound runs, the plan in use may still pass a note.
    let isCertain = !transition.isLive || wire.request.isCertain(adopted: compiler.adopted)
    guard !(isCertain && wire.isQuiet) else {
      compiler.store.eventWires.drop(id)
      return nil
    }
    schedule.releases.append(wire)
    return step(wire, .text("release"), [.init(memory: Schedule.noEvents)], false)
  }

  private mutating func step(
    _ wire: EventWire, _ label: Schedule.Label, _ inputs: [Schedule.Ref], _ isThere: Bool
  ) -> Schedule.Ref {
    wire.request.ask(isThere, generation: compiler.generation)
    let bus = schedule.events(like: [inputs[0]])
    schedule.append(
      .init(kind: .carryEvents, label: label, processor: wire, level: isThere ? 1 : 0), inputs: inputs,
      outputs: CollectionOfOne(bus))
    return bus
  }

  /// Returns an event wire's source, delayed if audio on other paths has more latency.
  private mutating func late(_ index: Int) -> Schedule.Ref {
    let id = wires[index].id, delay = latency.wire[index], source = source(of: index)
    let running = compiler.store.eventDelays[id]
    running?.request.ask(delay, generation: compiler.generation)
    let isWaiting = running.map { !$0.isIdle || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard delay > 0 || isWaiting else {
      compiler.store.eventDelays.drop(id)
      return source
    }
    let held = running ?? EventDelay(delay: delay, generation: compiler.generation)
    compiler.store.eventDelays[id] = held
    let bus = schedule.events(like: [source])
    schedule.append(
      .init(kind: .holdEvents, label: .text("hold events \(delay)"), processor: held, delay: delay),
      inputs: CollectionOfOne(source), outputs: CollectionOfOne(bus))
    return bus
  }
}
