// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime

extension BusLayout {
  /// Where the sound or the events that come into a bus are, after the steps that mix them.
  mutating func mix(_ place: Int, bus: Int) -> Schedule.Ref {
    let wires = parts.incoming[place].filter { parts.graph.wires[$0].destination.bus.index == bus }
    switch parts.graph.nodes[place].inputs[bus] {
    case .events: return merge(wires, into: Endpoint(parts.graph.nodes[place].id, bus: Bus(index: bus)))
    case .audio(let channels): return mix(wires, channels: channels)
    }
  }

  private mutating func mix(_ wires: [Int], channels: Int) -> Schedule.Ref {
    if wires.isEmpty {
      schedule.memories.append(.init(place: .silence, channels: channels))
      return .init(memory: schedule.memories.count - 1)
    }
    if wires.count == 1, isDirect(wires[0], channels: channels) {
      compiler.store.wires[parts.graph.wires[wires[0]].id] = nil
      return source(of: wires[0])
    }
    let bus = schedule.audio(channels)
    var isFilled = false
    if wires.first(where: { parts.graph.wires[$0].destination.channel == nil }) != wires.first {
      schedule.entries.append(.init(kind: .clear, label: "clear", inputs: [], outputs: [bus]))
      isFilled = true
    }
    for index in wires {
      let wire = parts.graph.wires[index], source = source(of: index)
      let isSilent = transition.leaving.contains(wire.id) || transition.held.contains(wire.id)
      let level = isSilent ? 0 : Self.factor(wire.gain)
      let delay = parts.isFeedback(index) ? 0 : latency.wire[index]
      let names = (
        parts.graph.nodes[parts.source(index)].name, parts.graph.nodes[parts.destination(index)].name
      )
      schedule.entries.append(
        .init(
          kind: isFilled ? .wireAdding : .wire, label: "wire \(names.0) -> \(names.1)",
          processor: processor(
            wire, schedule.width(source), .init(level: level, pan: wire.pan, delay: delay)), inputs: [source],
          outputs: [.init(memory: bus.memory, channel: wire.destination.channel)], level: level,
          pan: wire.pan, delay: delay))
      isFilled = true
    }
    return bus
  }

  /// Whether a wire that is alone on its bus need not be a step at all.
  private func isDirect(_ index: Int, channels: Int) -> Bool {
    let wire = parts.graph.wires[index]
    let isPlain = wire.gain == 0 && wire.pan == 0 && wire.destination.channel == nil
    let isPrompt = parts.isFeedback(index) || latency.wire[index] == 0
    let isSteady = !transition.moves(wire.id)
    guard isPlain, isPrompt, isSteady, schedule.width(source(of: index)) == channels else { return false }
    guard transition.isLive, let running = compiler.store.wires[wire.id] else { return true }
    running.request.ask(.plain, generation: compiler.generation)
    return running.request.isCertain(adopted: compiler.adopted) && running.isTransparent
  }

  /// The wire's processor: the one that runs, or a new one that starts where the wire is now.
  private func processor(_ wire: Wire, _ channels: Int, _ place: WireProcessor.Place) -> WireProcessor {
    let running = compiler.store.wires[wire.id]
    running?.request.ask(place, generation: compiler.generation)
    if let running, running.longestDelay >= place.delay { return running }
    // What was no step until now was at unity, in the middle and prompt.
    var start = WireProcessor.Place.plain
    if !transition.isLive || transition.fresh.contains(wire.id) { start = place }
    if transition.entering.contains(wire.id) || transition.held.contains(wire.id) {
      start = .init(level: 0, pan: wire.pan, delay: place.delay)
    }
    let new = WireProcessor(
      channels: channels, start: start, longestDelay: WireProcessor.room(for: place.delay),
      fadeFrames: compiler.fadeFrames, longestBlock: compiler.longestBlock, generation: compiler.generation,
      continuing: running)
    new.request.ask(place, generation: compiler.generation)
    compiler.store.keep(new, after: running)
    compiler.store.wires[wire.id] = new
    return new
  }

  private mutating func merge(_ wires: [Int], into end: Endpoint) -> Schedule.Ref {
    let sources = wires.map { carry($0) } + (vanished[end] ?? []).compactMap { release($0) }
    guard sources.count > 1 else { return sources.first ?? .init(memory: Schedule.noEvents) }
    let bus = schedule.events(like: sources)
    schedule.entries.append(
      .init(
        kind: .mergeEvents, label: "merge events", processor: EventMerger(inputCount: sources.count),
        inputs: sources, outputs: [bus]))
    return bus
  }

  /// What comes in by an event wire; where it leaves, only what lets go of its notes.
  private mutating func carry(_ index: Int) -> Schedule.Ref {
    let id = parts.graph.wires[index].id, isThere = !transition.leaving.contains(id)
    let wire =
      compiler.store.eventWires[id]
      ?? EventWire(isShut: compiler.store.isShut, generation: compiler.generation)
    compiler.store.eventWires[id] = wire
    // What was lost before the delay is known only there.
    let inputs = isThere ? [late(index), source(of: index)] : [.init(memory: Schedule.noEvents)]
    let names = (
      parts.graph.nodes[parts.source(index)].name, parts.graph.nodes[parts.destination(index)].name
    )
    let label = isThere ? "events \(names.0) -> \(names.1)" : "release \(names.0)"
    return step(wire, label, inputs.first == inputs.last ? [inputs[0]] : inputs, isThere)
  }

  /// What lets go of the notes of a wire that is no longer in the graph; nil where that is done.
  private mutating func release(_ id: Wire.ID) -> Schedule.Ref? {
    guard let wire = compiler.store.eventWires[id] else { return nil }
    wire.request.ask(false, generation: compiler.generation)
    // While sound runs, the plan that is played may still carry a note.
    let isCertain = !transition.isLive || wire.request.isCertain(adopted: compiler.adopted)
    guard !(isCertain && wire.isQuiet) else {
      compiler.store.eventWires[id] = nil
      return nil
    }
    schedule.releases.append(wire)
    return step(wire, "release", [.init(memory: Schedule.noEvents)], false)
  }

  private mutating func step(
    _ wire: EventWire, _ label: String, _ inputs: [Schedule.Ref], _ isThere: Bool
  ) -> Schedule.Ref {
    wire.request.ask(isThere, generation: compiler.generation)
    let bus = schedule.events(like: [inputs[0]])
    schedule.entries.append(
      .init(
        kind: .carryEvents, label: label, processor: wire, inputs: inputs, outputs: [bus],
        level: isThere ? 1 : 0))
    return bus
  }

  /// An event wire's source, behind what holds it back if sound on other ways is later.
  private mutating func late(_ index: Int) -> Schedule.Ref {
    let id = parts.graph.wires[index].id, delay = latency.wire[index], source = source(of: index)
    let running = compiler.store.eventDelays[id]
    running?.request.ask(delay, generation: compiler.generation)
    let isWaiting = running.map { !$0.isIdle || !$0.request.isCertain(adopted: compiler.adopted) } ?? false
    guard delay > 0 || isWaiting else {
      compiler.store.eventDelays[id] = nil
      return source
    }
    let held = running ?? EventDelay(delay: delay, generation: compiler.generation)
    compiler.store.eventDelays[id] = held
    let bus = schedule.events(like: [source])
    schedule.entries.append(
      .init(
        kind: .holdEvents, label: "hold events \(delay)", processor: held, inputs: [source], outputs: [bus],
        delay: delay))
    return bus
  }

  /// Decibels as a factor; −120 dB and less is silence.
  static func factor(_ gain: Float) -> Float { gain <= -120 ? 0 : rt_pow(10, gain / 20) }
}
