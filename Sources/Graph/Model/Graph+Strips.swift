// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// The wire between two ends, or the send of a strip.
  public func wire(_ id: Wire.ID) -> Wire? { wired.contains(id) ? wires.first { $0.id == id } : nil }

  /// The wires that are silent because others into the same bus are soloed.
  public var silenced: Set<Wire.ID> {
    struct Place: Hashable {
      let node: NodeID
      let bus: Bus
      init(_ end: Endpoint) { (node, bus) = (end.node, end.bus) }
    }
    let soloed = Dictionary(grouping: wires.filter(\.isSolo)) { Place($0.destination) }
    guard !soloed.isEmpty else { return [] }
    var feeds: [NodeID: [NodeID]] = [:]
    for wire in wires { feeds[wire.source.node, default: []].append(wire.destination.node) }
    // What a soloed strip sends away comes back by a strip of its own.
    let followed = soloed.mapValues { strips in
      let ids = Set(strips.map(\.id)), bus = strips[0].destination.node
      var waiting = wires.filter { $0.id.stripID.map(ids.contains) ?? false }.map(\.destination.node)
      waiting.removeAll { $0 == bus }
      var reached = Set(waiting)
      while let next = waiting.popLast() {
        for node in feeds[next] ?? [] where node != bus && reached.insert(node).inserted {
          waiting.append(node)
        }
      }
      return reached
    }
    return Set(
      wires.filter { wire in
        guard !wire.isSolo, !wire.isSoloSafe, let nodes = followed[Place(wire.destination)] else {
          return false
        }
        return !nodes.contains(wire.source.node)
      }.map(\.id))
  }
}
