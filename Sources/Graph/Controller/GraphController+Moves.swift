// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

extension GraphController {
  /// Changes the plan in use from one graph to another if only faders, pans, mutes and the like differ: the changes
  /// are sent to the audio thread, and nothing is compiled.
  ///
  /// - Returns: false if a new plan is needed; nothing has changed then. This is so if a wire without a step in the
  ///   plan needs one, or if too many changes are waiting.
  func move(to new: Graph) -> Bool {
    guard isLive, let plan = current, new.differsInLevelsAlone(from: playing) else { return false }
    let stripLevels = StripLevels(new, sampleRate: renderer.sampleRate)
    guard let moves = plan.moves(to: stripLevels, of: new),
      renderer.moves.count() + moves.count <= StripChange.capacity
    else { return false }
    for move in moves {
      _ = renderer.moves.push(
        StripChange(generation: planNumber, index: Int32(clamping: move.index), targets: move.targets))
      store.strip(move.strip)?.request.ask(move.targets, generation: planNumber)
      plan.set(move)
    }
    return true
  }
}

extension ProcessorStore {
  /// Returns the processor of a strip.
  func strip(_ strip: Strip) -> WireProcessor? {
    switch strip {
    case .wire(let id): wires[id]
    case .scaled(let what): scaled[what]
    case .faded: nil
    }
  }
}

extension Graph {
  /// Returns whether the same steps can run both graphs, with different targets.
  func differsInLevelsAlone(from other: Graph) -> Bool {
    guard nodes.count == other.nodes.count, wires.count == other.wires.count, taps == other.taps,
      lanes == other.lanes
    else { return false }
    for (node, before) in zip(nodes, other.nodes) {
      var moved = before
      (moved.gain, moved.glide) = (node.gain, node.glide)
      guard moved == node else { return false }
    }
    return zip(wires, other.wires).allSatisfy { wire, before in
      wire.id == before.id && wire.feedback == before.feedback && wire.isPreFader == before.isPreFader
    }
  }
}

extension RenderPlan {
  /// A strip whose targets differ from the plan's.
  struct Move {
    var strip: Strip
    /// The strip's index in the plan.
    var index: Int
    var targets: StripTargets
  }

  /// Returns the changes that make the plan run a graph of the same shape; nil if it needs other steps.
  func moves(to stripLevels: StripLevels, of graph: Graph) -> [Move]? {
    var moves: [Move] = []
    /// Records a strip's targets; returns false if that needs a step that the plan does not have.
    func note(_ strip: Strip, _ targets: StripTargets) -> Bool {
      guard let index = strips[strip] else { return targets.isPlain }
      let before = schedule.strips[index].targets
      var targets = targets
      targets.delay = before.delay
      if targets != before { moves.append(Move(strip: strip, index: index, targets: targets)) }
      return true
    }
    for wire in graph.wires where graph.carriesSound(wire) {
      guard note(.wire(wire.id), stripLevels.targets(of: wire, delay: 0)) else { return nil }
    }
    for node in graph.nodes where node.role == .mixer {
      guard note(.scaled(.mixer(node.id)), stripLevels.targets(of: node)) else { return nil }
    }
    for tap in graph.taps where tap.side == .before {
      guard let id = tap.wire, let wire = graph.wire(id) else { continue }
      guard note(.scaled(.tap(tap.id)), stripLevels.targetsBeforeFader(of: wire)) else { return nil }
    }
    for lane in graph.lanes where lane.target.value == .pan {
      guard note(.faded(lane.target.owner), stripLevels.targets(of: lane.target.owner)) else { return nil }
    }
    return moves
  }
}
