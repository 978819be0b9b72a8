// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

extension GraphHost {
  /// How far ahead of their frame changes go to the audio thread, and how many may wait for that.
  static let lookahead: Int64 = 1 << 15, mostLater = 1 << 16

  /// Changes a node's parameter: at an absolute frame of the source, or as soon as possible.
  ///
  /// - Parameter frames: how long the change takes; 0 is at once, fewer is the parameter's own glide.
  /// - Throws: ``GraphError/tooManyEvents`` where more changes wait than there is room for.
  package func set(
    _ parameter: Int, of node: NodeID, to value: Float, over frames: Int, at frame: Int64? = nil
  ) throws(GraphError) {
    try send(
      ParameterEvent(
        frame: frame ?? ParameterEvent.soonest, slot: Int32(node.slot),
        parameter: Int32(clamping: max(parameter, -1)), value: value, glide: Int32(clamping: max(frames, -1)))
    )
  }

  /// Makes a node forget all sound, as soon as possible.
  package func reset(_ node: NodeID) throws(GraphError) {
    try send(ParameterEvent(slot: node.slot, asking: ParameterEvent.reset))
  }

  private func send(_ event: ParameterEvent) throws(GraphError) {
    guard event.frame > renderer.position.load(ordering: .relaxed) + Self.lookahead else {
      if isDeepAsleep || !heldBack.isEmpty { return try hold(event) }
      guard renderer.parameters.push(event) else { throw .tooManyEvents }
      return
    }
    guard later.count < Self.mostLater else { throw .tooManyEvents }
    var low = 0, high = later.count
    while low < high {
      let middle = (low + high) / 2
      if later[middle].frame <= event.frame { low = middle + 1 } else { high = middle }
    }
    later.insert(event, at: low)
  }

  /// Keeps a change while no node runs that would take it: of what is to happen as soon as possible the last of each
  /// parameter is enough, however long a fader is moved meanwhile.
  private func hold(_ event: ParameterEvent) throws(GraphError) {
    let rival = heldBack.lastIndex {
      $0.slot == event.slot && ($0.parameter == event.parameter || $0.parameter == ParameterEvent.reset)
    }
    if let rival, heldBack[rival].parameter == event.parameter, event.frame == ParameterEvent.soonest,
      heldBack[rival].frame == event.frame
    {
      heldBack.remove(at: rival)
    }
    guard heldBack.count < Self.mostLater else { throw .tooManyEvents }
    heldBack.append(event)
  }

  /// Hands over the changes that will be due before the next tick or two, and
  /// forgets those of nodes that are gone.
  func sendDue() {
    gone.removeAll { graph.node($0) != nil }
    if !gone.isEmpty {
      let slots = Set(gone.map { Int32($0.slot) })
      later.removeAll { slots.contains($0.slot) }
      heldBack.removeAll { slots.contains($0.slot) }
      let told = gone.prefix { renderer.departures.push(Int32(clamping: $0.slot)) }
      dismissed.formUnion(told.map { Int32(clamping: $0.slot) })
      gone.removeFirst(told.count)
    }
    guard !isDeepAsleep else { return }
    let heard = heldBack.prefix { renderer.parameters.push($0) }
    heldBack.removeFirst(heard.count)
    guard let first = later.first else { return }
    let horizon = renderer.position.load(ordering: .relaxed) + Self.lookahead
    guard first.frame <= horizon else { return }
    let sent = later.prefix { $0.frame <= horizon && renderer.parameters.push($0) }
    later.removeFirst(sent.count)
  }
}
