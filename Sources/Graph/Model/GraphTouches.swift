// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The parts of a graph that an edit relies on or changes. Two edits of the same version conflict if both touch a
/// part, unless each only relies on it, or one relies on it and the other changes one of its values.
package struct GraphTouches: Sendable {
  /// A part that can be touched. Taps are excluded, since they change no sound.
  package enum Part: Hashable, Sendable {
    case name(String)
    case node(NodeID)
    case wire(Graph.Wire.ID)
    case lane(Lane.Target)
  }

  /// The kind of a touch. Two touches conflict if their raw values add up to 2 or more.
  private enum Touch: Int {
    /// The edit relies on the part.
    case needed
    /// The edit changes a value of the part.
    case changed
    /// The edit adds or removes the part.
    case addedOrRemoved
  }

  private var parts: [Part: Int] = [:]

  /// Collects the parts that a delta touches.
  package init(_ delta: GraphDelta) {
    for change in delta.changes {
      switch change {
      case .node(let node):
        guard let either = node.after ?? node.before else { continue }
        touch(.node(either.id), node)
        if node.before == nil || node.after == nil { touch(.name(either.name), .addedOrRemoved) }
      case .wire(let wire):
        guard let id = wire.after?.id ?? wire.before?.id else { continue }
        touch(.wire(id), wire)
        touch(.node(id.source.node), .needed)
        touch(.node(id.destination.node), .needed)
        if let strip = id.stripID { touch(.wire(strip), .needed) }
      case .lane(let lane):
        guard let target = lane.after?.target ?? lane.before?.target else { continue }
        touch(.lane(target), lane)
        switch target.owner {
        case .node(let node): touch(.node(node), .needed)
        case .wire(let wire): touch(.wire(wire), .needed)
        }
      case .tap: continue
      }
    }
  }

  private mutating func touch<Element>(_ part: Part, _ difference: GraphDelta.Difference<Element>) {
    touch(part, difference.before != nil && difference.after != nil ? .changed : .addedOrRemoved)
  }

  private mutating func touch(_ part: Part, _ touch: Touch) {
    parts[part] = max(parts[part] ?? 0, touch.rawValue)
  }

  /// Returns a part that both touch in conflicting ways; nil if there is none.
  package func conflict(with other: GraphTouches) -> Part? {
    parts.first { part, touch in
      other.parts[part].map { $0 + touch >= Touch.addedOrRemoved.rawValue } ?? false
    }?.key
  }
}
