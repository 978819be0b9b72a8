// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

extension GraphController {
  /// How many frames ahead of time changes are sent to the audio thread, and the maximum number of changes that wait
  /// for that.
  static let lookahead: Int64 = 1 << 15, mostLater = 1 << 16

  /// Changes a node's parameter at an absolute frame at the graph's inputs, or as soon as possible.
  ///
  /// - Parameter frames: the length of the glide; 0 changes at once, a negative number uses the parameter's default
  ///   glide.
  /// - Throws: ``GraphError/tooManyEvents`` if too many changes are waiting.
  package func set(
    _ parameter: Int, of node: NodeID, to value: Float, over frames: Int, at frame: Int64? = nil
  ) throws(GraphError) {
    try send(
      ParameterEvent(
        frame: frame ?? ParameterEvent.soonest, slot: Int32(node.slot),
        parameter: Int32(clamping: max(parameter, -1)), value: value, glide: Int32(clamping: max(frames, -1)))
    )
  }

  /// Resets a node as soon as possible: it discards all sound.
  package func reset(_ node: NodeID) throws(GraphError) {
    try send(ParameterEvent(slot: node.slot, asking: ParameterEvent.reset))
  }

  private func send(_ event: ParameterEvent) throws(GraphError) {
    guard event.frame > renderer.position.load(ordering: .relaxed) + Self.lookahead else {
      if isDeepAsleep || !eventsWhileAsleep.isEmpty { return try hold(event) }
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

  /// Keeps a change while the graph is asleep. Of the changes without a frame only the last of each parameter is
  /// kept, so moving a fader for long does not accumulate changes.
  private func hold(_ event: ParameterEvent) throws(GraphError) {
    let rival = eventsWhileAsleep.lastIndex {
      $0.slot == event.slot && ($0.parameter == event.parameter || $0.parameter == ParameterEvent.reset)
    }
    if let rival, eventsWhileAsleep[rival].parameter == event.parameter,
      event.frame == ParameterEvent.soonest,
      eventsWhileAsleep[rival].frame == event.frame
    {
      eventsWhileAsleep.remove(at: rival)
    }
    guard eventsWhileAsleep.count < Self.mostLater else { throw .tooManyEvents }
    eventsWhileAsleep.append(event)
  }

  /// Sends the changes that will be due before the next tick or two, and drops those of removed nodes.
  func sendDue() {
    gone.removeAll { graph.node($0) != nil }
    if !gone.isEmpty {
      let slots = Set(gone.map { Int32($0.slot) })
      later.removeAll { slots.contains($0.slot) }
      eventsWhileAsleep.removeAll { slots.contains($0.slot) }
      let sent = gone.prefix { renderer.removedSlots.push(Int32(clamping: $0.slot)) }
      dismissed.formUnion(sent.map { Int32(clamping: $0.slot) })
      gone.removeFirst(sent.count)
    }
    guard !isDeepAsleep else { return }
    let held = eventsWhileAsleep.prefix { renderer.parameters.push($0) }
    eventsWhileAsleep.removeFirst(held.count)
    guard let first = later.first else { return }
    let horizon = renderer.position.load(ordering: .relaxed) + Self.lookahead
    guard first.frame <= horizon else { return }
    let sent = later.prefix { $0.frame <= horizon && renderer.parameters.push($0) }
    later.removeFirst(sent.count)
  }
}
