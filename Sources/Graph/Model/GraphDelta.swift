// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What an edit changed in a graph: each element before and after it, in the order of the changes.
///
/// A delta is as large as the edit, not as the graph: undo keeps deltas.
package struct GraphDelta: Sendable {
  /// An element before and after a change; nil where it was not there.
  package struct Difference<Element: Sendable>: Sendable {
    package var before: Element?, after: Element?
    /// Its serial number in the graph's list, by which it goes back to its former index.
    package internal(set) var serial = 0

    init(before: Element? = nil, after: Element? = nil, serial: Int = 0) {
      (self.before, self.after, self.serial) = (before, after, serial)
    }

    fileprivate var inverse: Difference { Difference(before: after, after: before, serial: serial) }
  }

  /// The change of one element.
  package enum Change: Sendable {
    case node(Difference<Graph.Node>)
    case wire(Difference<Graph.Wire>)
    case tap(Difference<Graph.Tap>)
    case lane(Difference<Lane>)
  }

  /// The changes, in order.
  package private(set) var changes: [Change] = []

  init() {}

  /// The delta that adds a node.
  package init(adding node: Graph.Node) { changes = [.node(.init(after: node))] }

  /// Whether nothing was changed.
  package var isEmpty: Bool { changes.isEmpty }

  /// The delta that leads back.
  package var inverse: GraphDelta {
    var inverse = GraphDelta()
    inverse.changes = changes.reversed().map { change in
      switch change {
      case .node(let node): .node(node.inverse)
      case .wire(let wire): .wire(wire.inverse)
      case .tap(let tap): .tap(tap.inverse)
      case .lane(let lane): .lane(lane.inverse)
      }
    }
    return inverse
  }

  /// The delta with other nodes in place of those that it adds.
  package func replacingAddedNodes<Failure: Error>(
    _ body: (Graph.Node) throws(Failure) -> Graph.Node
  ) throws(Failure) -> GraphDelta {
    var delta = self
    for index in changes.indices {
      guard case .node(let node) = changes[index], node.before == nil, let added = node.after else {
        continue
      }
      delta.changes[index] = .node(.init(after: try body(added)))
    }
    return delta
  }

  mutating func note(_ change: Change) { changes.append(change) }
}

extension Graph {
  /// Records all changes from now on, until ``endDelta()``.
  package mutating func beginDelta() { delta = GraphDelta() }

  /// Returns the changes since ``beginDelta()``, and records no more.
  package mutating func endDelta() -> GraphDelta {
    defer { delta = nil }
    return delta ?? GraphDelta()
  }

  /// Makes changes that were made in another version of this graph. What contradicts them was ruled out before.
  ///
  /// An element that was changed takes on what differs between its versions; all else of it stays.
  ///
  /// - Parameters:
  ///   - isReturn: whether elements that are added go back to the index that they had in this graph; otherwise they
  ///     come last.
  ///   - accepts: whether a tap is added.
  package mutating func perform(
    _ delta: GraphDelta, isReturn: Bool, accepts: (TapID) -> Bool = { _ in true }
  ) {
    for change in delta.changes {
      switch change {
      case .node(let node): perform(node)
      case .wire(let wire): perform(wire, isReturn)
      case .tap(let tap):
        if let added = tap.after {
          guard accepts(added.id) else { continue }
          tapList.insert(added, serial: tap.serial)
          self.delta?.note(change)
        } else if let removed = tap.before {
          try? remove(removed.id)
        }
      case .lane(let lane):
        if let after = lane.after {
          set(after, serial: isReturn ? lane.serial : nil)
        } else if let before = lane.before {
          removeLane(of: before.target)
        }
      }
    }
  }

  private mutating func perform(_ node: GraphDelta.Difference<Node>) {
    switch (node.before, node.after) {
    case (nil, let after?): insert(after)
    case (let before?, nil): try? remove(before.id)
    case (let before?, let after?):
      if before.isBypassed != after.isBypassed { try? setBypass(after.isBypassed, of: after.id) }
      if (before.gain, before.glide) != (after.gain, after.glide) {
        try? setGain(after.gain, of: after.id, over: after.glide)
      }
    case (nil, nil): break
    }
  }

  private mutating func perform(_ wire: GraphDelta.Difference<Graph.Wire>, _ isReturn: Bool) {
    switch (wire.before, wire.after) {
    case (nil, let after?):
      if isReturn { wireList.insert(after, serial: wire.serial) } else { wireList.append(after) }
      delta?.note(.wire(.init(after: after, serial: wireList.serial(of: after.id) ?? 0)))
    case (let before?, nil): try? disconnect(before.id)
    case (let before?, let after?):
      guard let current = wireList[after.id] else { return }
      change(current, to: current.changed(from: before, to: after))
    case (nil, nil): break
    }
  }
}

extension Graph.Wire {
  /// The wire with those of its values changed that differ between two versions.
  fileprivate func changed(from before: Graph.Wire, to after: Graph.Wire) -> Graph.Wire {
    var wire = self
    func take<Value: Equatable>(_ value: WritableKeyPath<Graph.Wire, Value>) {
      if before[keyPath: value] != after[keyPath: value] { wire[keyPath: value] = after[keyPath: value] }
    }
    take(\.gain)
    take(\.trim)
    take(\.pan)
    take(\.panLaw)
    take(\.isInverted)
    take(\.isMuted)
    take(\.isSolo)
    take(\.isSoloSafe)
    take(\.isPreFader)
    take(\.glide)
    take(\.feedback)
    return wire
  }
}
