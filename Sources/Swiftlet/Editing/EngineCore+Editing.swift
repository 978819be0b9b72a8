// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline
internal import Synchronization

extension EngineCore {
  /// Changes the graph and compiles it. If either fails, nothing has changed.
  ///
  /// The cost does not depend on the size of the graph while it does not play: ten thousand nodes may be attached one
  /// by one.
  mutating func edit<Result>(
    _ kind: EditHistory.Kind = .edit, _ body: (inout EngineCore) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    graph.beginDelta()
    var delta: GraphDelta?
    do throws(EngineError) {
      let result = try body(&self)
      let changes = graph.endDelta()
      delta = changes
      exchange(changes)
      try commit()
      if kind != .admission { log.note(changes) }
      for forgotten in history.note(changes, as: kind) { detached.free(forgotten) }
      openedPorts = []
      return result
    } catch {
      let changes = delta ?? graph.endDelta()
      graph.perform(changes.inverse, isReturn: true)
      if delta != nil {
        exchange(changes.inverse)
        // Free what the failed edit added. If it was an undo or redo, its parts can still come back and are kept.
        if kind == .edit || kind == .passing { detached.free(changes.inverse) }
        passLanesToPlayers()
      }
      for name in openedPorts { try? client?.remove(node: name) }
      nodesLosingPorts.removeAll { openedPorts.contains($0.name) }
      openedPorts = []
      throw error
    }
  }

  /// Performs the changes of an edit of a copy, or of an undo or redo. Registers new ports first.
  mutating func perform(_ delta: GraphDelta, isReturn: Bool) throws(EngineError) {
    let delta = try delta.replacingAddedNodes { node throws(EngineError) in try openPorts(of: node) }
    let known = detached.taps, feeds = taps
    graph.perform(delta, isReturn: isReturn) { tap in
      known[tap].map { !$0.hasFeed || feeds[tap] != nil } ?? false
    }
  }

  /// Undoes the last edit, or makes the last undone edit again.
  ///
  /// - Returns: false if there is no such edit.
  mutating func applyHistory(_ kind: EditHistory.Kind) throws(EngineError) -> Bool {
    guard let last = kind == .undo ? history.past.last : history.future.last else { return false }
    try edit(kind) { core throws(EngineError) in try core.perform(last.inverse, isReturn: true) }
    return true
  }

  /// Returns the record of a node that is attached, or that an edit has made and not committed yet.
  func record(of node: NodeID) -> Record? { records[node] ?? staged[node] }

  /// Describes a part of the graph in an error.
  ///
  /// - Parameter copy: an edited copy, which may have nodes that the engine no longer has.
  func text(of part: GraphTouches.Part, in copy: Graph) -> String {
    func text(_ node: NodeID) -> String {
      (copy.node(node) ?? graph.node(node)).map { "'\($0.name)'" } ?? "a node that was removed"
    }
    func text(_ wire: Graph.Wire.ID) -> String {
      "the wire from \(text(wire.source.node)) to \(text(wire.destination.node))"
    }
    return switch part {
    case .lane(let target):
      switch target.owner {
      case .node(let node): text(node)
      case .wire(let wire): text(wire)
      }
    case .name(let name): "'\(name)'"
    case .node(let node): text(node)
    case .wire(let wire): text(wire)
    }
  }

  /// Registers the ports of a node that is to be added, if it has any. Returns the node with its bus number.
  private mutating func openPorts(of node: Graph.Node) throws(EngineError) -> Graph.Node {
    let isNew = staged[node.id] != nil
    guard let ports = (staged[node.id] ?? detached.nodes[node.id])?.ports else { return node }
    let number: Int
    if let client {
      // The ports of a node that was removed just now are still registered.
      guard !nodesLosingPorts.contains(where: { $0.id == node.id }) else { return node }
      number = try ports.register(node.name, with: client)
      openedPorts.append(node.name)
    } else {
      offline.memory = nil
      guard isNew else { return node }
      number = ports.isInput ? inputCount : outputCount
      if ports.isInput { inputCount += 1 } else { outputCount += 1 }
    }
    return Graph.Node(
      id: node.id, name: node.name, role: ports.role(number), inputs: node.inputs, outputs: node.outputs,
      isBypassed: node.isBypassed)
  }

  /// Moves the records of nodes, taps and wires as a delta adds and removes them.
  private mutating func exchange(_ delta: GraphDelta) {
    for change in delta.changes {
      switch change {
      case .node(let node):
        switch (node.before, node.after) {
        case (nil, let added?): register(added)
        case (let removed?, nil): withdraw(removed)
        case (_?, _?), (nil, nil): continue
        }
      case .tap(let tap):
        if let added = tap.after {
          register(added.id)
        } else if let removed = tap.before {
          withdraw(removed.id)
        }
      case .lane(let lane): if let removed = lane.before, lane.after == nil { keepValue(of: removed) }
      case .wire(let wire):
        switch (wire.before, wire.after) {
        case (nil, let added?): register(added, serial: wire.serial)
        case (let removed?, nil): detached.wires[removed.id] = .init(wire: removed, serial: wire.serial)
        case (_?, _?), (nil, nil): continue
        }
      }
    }
  }

  private mutating func register(_ node: Graph.Node) {
    let new = staged.removeValue(forKey: node.id)
    guard var record = new ?? detached.nodes.removeValue(forKey: node.id) else { return }
    nodesLosingPorts.removeAll { $0.id == node.id }
    if let gain = record.mixerGain, gain != node.gain { try? graph.setGain(gain, of: node.id) }
    record.mixerGain = nil
    records[node.id] = record
    if let processor = record.processor {
      if new == nil, controller.mayRun(node.id) {
        returning[node.id] = processor
      } else {
        newProcessors[node.id] = processor
      }
      // A plugin may have reported something while it was made.
      controller.subscribe(to: processor, as: node.id)
    }
    haveFollow(record)
    if let scheduler = record.scheduler {
      schedulers[node.id] = scheduler
      scheduler.reopenSchedule()
    }
  }

  private mutating func withdraw(_ node: Graph.Node) {
    guard var record = records.removeValue(forKey: node.id) else { return }
    if node.role == .mixer { record.mixerGain = node.gain }
    detached.nodes[node.id] = record
    newProcessors[node.id] = nil
    returning[node.id] = nil
    if record.ports != nil { nodesLosingPorts.append((node.name, node.id)) }
  }

  /// Applies to a restored wire the levels that were set while it was removed.
  private mutating func register(_ wire: Graph.Wire, serial: Int) {
    guard let last = detached.wires.removeValue(forKey: wire.id), last.serial == serial, last.wire != wire
    else { return }
    // A pan that the wire cannot have is ignored.
    try? graph.update(last.wire)
  }

  private mutating func register(_ tap: TapID) {
    guard let known = detached.taps.removeValue(forKey: tap) else { return }
    sinks[tap] = known.sink
    newTaps[tap] = known.sink
    meters[tap] = known.meter
  }

  private mutating func withdraw(_ tap: TapID) {
    newTaps[tap] = nil
    guard let sink = sinks.removeValue(forKey: tap) else { return }
    detached.taps[tap] = .init(sink: sink, meter: meters.removeValue(forKey: tap), hasFeed: taps[tap] != nil)
  }

  /// Sets a parameter to the present value of its lane, when the lane is removed.
  private mutating func keepValue(of lane: Lane) {
    guard case .node(let node) = lane.target.owner, case .parameter(let number) = lane.target.value else {
      return
    }
    let time = MediaTime(frames: timelineFrame, at: controller.renderer.sampleRate)
    records[node]?.set(lane.automation.value(at: time), to: number)
  }
}
