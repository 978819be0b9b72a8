// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The changes of an edit to a graph: each element before and after it, in the order of the changes.
///
/// The size of a delta depends on the edit, not on the graph; the undo history stores deltas.
package struct GraphDelta: Sendable {
  /// An element before and after a change; nil if it did not exist.
  package struct Difference<Element: Sendable>: Sendable {
    package var before: Element?, after: Element?
    /// The element's serial number in the graph's list, which restores its former index.
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

  /// Creates the delta that adds a node.
  package init(adding node: Graph.Node) { changes = [.node(.init(after: node))] }

  /// Whether the delta contains no changes.
  package var isEmpty: Bool { changes.isEmpty }

  /// The delta that undoes this one.
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

  /// Returns the delta with the added nodes replaced by those that `body` returns.
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

  /// Returns the changes since ``beginDelta()``, and stops recording.
  package mutating func endDelta() -> GraphDelta {
    defer { delta = nil }
    return delta ?? GraphDelta()
  }

  /// Applies changes that were made to another version of this graph. The caller has excluded conflicts.
  ///
  /// For a changed element, only the values that differ between its versions are applied; its other values stay.
  ///
  /// - Parameters:
  ///   - isReturn: whether added elements return to their former index in this graph; otherwise they are appended.
  ///   - accepts: returns whether to add a tap.
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
  /// Returns the wire with those values changed that differ between two versions.
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
