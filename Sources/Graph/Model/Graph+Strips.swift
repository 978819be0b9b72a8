// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Graph {
  /// Returns the wire with this identifier, which may be a send.
  package func wire(_ id: Graph.Wire.ID) -> Graph.Wire? { wireList[id] }

  /// Returns whether a wire carries audio rather than events.
  func carriesSound(_ wire: Graph.Wire) -> Bool {
    guard let buses = node(wire.destination.node)?.inputs, buses.indices.contains(wire.destination.bus.index)
    else { return false }
    return buses[wire.destination.bus.index] != .events
  }

  /// The wires that are silent because others are soloed.
  ///
  /// Solo is in place: a soloed wire sounds as it always does. Wherever its sound passes (through the strip itself,
  /// its sends, or any bus after them), other wires that join it there are silent, unless they are soloed or
  /// solo-safe. Wires that feed a soloed wire are unaffected, and so are buses that receive nothing of it. The sends
  /// of a silent strip are silent, unless they feed a soloed wire.
  package var silenced: Set<Graph.Wire.ID> {
    let soloed = wires.filter(\.isSolo)
    guard !soloed.isEmpty else { return [] }
    let sounding = wires.filter { carriesSound($0) && !$0.isReference }
    let soloedIDs = Set(soloed.map(\.id))
    let carrying = Self.reached(
      from: soloed + sounding.filter { $0.id.stripID.map(soloedIDs.contains) ?? false },
      by: Dictionary(grouping: sounding, by: \.source.node), \.destination.node)
    let feeding = Self.reached(
      from: soloed, by: Dictionary(grouping: sounding, by: \.destination.node), \.source.node)
    let crossed = Set(carrying.map(\.bus))
    func joins(_ wire: Graph.Wire) -> Bool {
      !wire.isSolo && !wire.isSoloSafe && crossed.contains(wire.id.bus) && !carrying.contains(wire.id)
    }
    var silenced = Set(sounding.filter(joins).map(\.id))
    for send in sounding where !send.isSolo && !send.isSoloSafe && !feeding.contains(send.id) {
      if let strip = send.id.stripID, silenced.contains(strip) { silenced.insert(send.id) }
    }
    return silenced
  }

  /// Returns some wires, and all wires that are reachable from them through the node at `end`.
  private static func reached(
    from first: [Graph.Wire], by leaving: [NodeID: [Graph.Wire]], _ end: KeyPath<Graph.Wire, NodeID>
  ) -> Set<Graph.Wire.ID> {
    var reached = Set(first.map(\.id)), passed: Set<NodeID> = [], waiting = first
    while let wire = waiting.popLast() {
      guard passed.insert(wire[keyPath: end]).inserted else { continue }
      for next in leaving[wire[keyPath: end]] ?? [] where reached.insert(next.id).inserted {
        waiting.append(next)
      }
    }
    return reached
  }
}

extension Graph.Wire.ID {
  /// A destination bus, independent of the wire's channel.
  fileprivate struct InputBus: Hashable {
    let node: NodeID, bus: Bus
  }

  fileprivate var bus: InputBus { InputBus(node: destination.node, bus: destination.bus) }
}
