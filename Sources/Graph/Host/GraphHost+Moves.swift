// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

extension GraphHost {
  /// Brings the plan that plays from one graph to another where only faders, pans, mutes and the like are different:
  /// they are sent to the audio thread, and nothing is compiled.
  ///
  /// - Returns: whether it could; else nothing has happened, and another plan is needed. It cannot where a wire
  ///   that changed nothing until now is no step of the plan, and where too much is waiting.
  func move(to new: Graph) -> Bool {
    guard isLive, let plan = current, new.differsInLevelsAlone(from: playing) else { return false }
    let board = StripBoard(new, sampleRate: renderer.sampleRate)
    guard let moves = plan.moves(to: board, of: new),
      renderer.moves.count() + moves.count <= PlaceMove.capacity
    else { return false }
    for move in moves {
      _ = renderer.moves.push(
        PlaceMove(generation: planNumber, index: Int32(clamping: move.index), place: move.place))
      store.strip(move.strip)?.request.ask(move.place, generation: planNumber)
      plan.set(move)
    }
    return true
  }
}

extension ProcessorStore {
  /// What carries a strip.
  func strip(_ strip: Strip) -> WireProcessor? {
    switch strip {
    case .wire(let id): wires[id]
    case .scaled(let what): scaled[what]
    case .faded: nil
    }
  }
}

extension Graph {
  /// Whether the same steps can play both: only what is sent to them differs.
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
  /// Something that stands at another place than the plan was made for.
  struct Move {
    var strip: Strip
    /// Which of the plan's places it is.
    var index: Int
    var place: WirePlace
  }

  /// What has to move so that the plan plays a graph of the same shape; nil where it takes other steps.
  func moves(to board: StripBoard, of graph: Graph) -> [Move]? {
    var moves: [Move] = []
    /// Notes where a strip is to be; false where that takes a step which is not there.
    func note(_ strip: Strip, _ place: WirePlace) -> Bool {
      guard let index = strips[strip] else { return place.isPlain }
      let before = schedule.strips[index].place
      var place = place
      place.delay = before.delay
      if place != before { moves.append(Move(strip: strip, index: index, place: place)) }
      return true
    }
    for wire in graph.wires where graph.carriesSound(wire) {
      guard note(.wire(wire.id), board.place(of: wire, delay: 0)) else { return nil }
    }
    for node in graph.nodes where node.role == .mixer {
      guard note(.scaled(.mixer(node.id)), board.place(of: node)) else { return nil }
    }
    for tap in graph.taps where tap.side == .before {
      guard let id = tap.wire, let wire = graph.wire(id) else { continue }
      guard note(.scaled(.tap(tap.id)), board.placeBeforeFader(of: wire)) else { return nil }
    }
    for lane in graph.lanes where lane.target.value == .pan {
      guard note(.faded(lane.target.place), board.place(of: lane.target.place)) else { return nil }
    }
    return moves
  }
}
