// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension ConnectionManager {
  /// A channel of a node, and the port that it is to be connected to.
  private typealias End = (channel: Int, port: String)

  /// Returns the connections that the rules ask for among the ports `allPorts`, and the nodes whose rules find no port.
  /// Leaves out connections that the user has removed.
  ///
  /// - Parameters:
  ///   - allPorts: all ports of the JACK graph.
  ///   - chooses: whether to follow rules with alternatives, too. The ports of one device appear and disappear one at
  ///     a time, so an alternative is chosen only when the ports have settled.
  mutating func plan(among allPorts: [JackPort], chooses: Bool = true) -> ConnectionPlan {
    var plan = ConnectionPlan()
    var automatic: [JackPort.Direction: Int] = [:]
    let reached = reach.map { patterns in
      // Reads each pattern once for all ports.
      let names = Set(patterns.flatMap { $0.matching(allPorts) }.map(\.name))
      return allPorts.filter { names.contains($0.name) }
    }
    for index in nodes.indices {
      let node = nodes[index]
      let others = (reached ?? allPorts).filter {
        $0.content == node.content && $0.direction != node.direction && $0.client != client
          && !(connectionPolicy == .programs && $0.isPhysical)
      }
      guard let ends = ends(index, &automatic, among: others) else { continue }
      guard chooses || !node.rule.isChoice else {
        nodes[index] = node
        continue
      }
      if ends.isEmpty && !nodes[index].isReported {
        plan.waiting.append(node.name)
        nodes[index].isReported = true
      }
      let connections = ends.map { end in
        let own = node.ports[end.channel]
        return node.direction == .output
          ? PortConnection(from: own, to: end.port) : PortConnection(from: end.port, to: own)
      }
      for connection in connections
      where !removedByUser.contains(connection) && !plan.connections.contains(connection) {
        plan.connections.append(connection)
      }
      // If no alternative finds a port, the present connections stay.
      if node.rule.isChoice, !ends.isEmpty {
        let surplus = chosen(for: node).subtracting(connections).sorted { $0.text < $1.text }
        plan.choices.append(Choice(node: node.name, connections: connections, surplus: surplus))
      }
    }
    if !remembered.isEmpty {
      let names = Set(allPorts.map(\.name))
      plan.connections += remembered.filter {
        names.contains($0.source) && names.contains($0.destination) && !plan.connections.contains($0)
      }.sorted { $0.text < $1.text }
    }
    return plan
  }

  /// Returns the ports that a node's rule finds, from the first alternative that finds any; nil if the rule asks for
  /// none.
  private mutating func ends(
    _ index: Int, _ automatic: inout [JackPort.Direction: Int], among others: [JackPort]
  ) -> [End]? {
    var asks = false, found: [End] = []
    nodes[index].choice = nil
    for (number, rule) in nodes[index].rule.alternatives.enumerated() {
      // Evaluate `.automatic` even if another alternative has been chosen: each node counts the same number of
      // physical ports, so that the ports of the nodes after it do not depend on the choice.
      guard found.isEmpty || rule == .automatic else { continue }
      guard let ends = ends(index, rule, number, &automatic, among: others) else { continue }
      asks = true
      guard found.isEmpty, !ends.isEmpty else { continue }
      found = ends
      nodes[index].choice = number
    }
    return asks ? found : nil
  }

  private mutating func ends(
    _ index: Int, _ rule: ConnectionRule, _ number: Int, _ automatic: inout [JackPort.Direction: Int],
    among others: [JackPort]
  ) -> [End]? {
    let node = nodes[index], isPlayback = node.direction == .output
    switch rule {
    case .none, .firstOf: return nil
    case .automatic:
      guard node.content == .audio, connectionPolicy != .named else { return nil }
      let width = isPlayback && node.ports.count == 1 ? 2 : node.ports.count
      let first = automatic[node.direction, default: 0]
      automatic[node.direction] = first + width
      return physical(index, number, first: first, width: width, among: others)
    case .physical(let first):
      let feedsBothSides = isPlayback && node.content == .audio && node.ports.count == 1 && first == 1
      let width = feedsBothSides ? 2 : node.ports.count
      return physical(index, number, first: max(first, 1) - 1, width: width, among: others)
    case .ports(let names):
      let found = names.flatMap { name in
        others.filter { name.contains(":") ? $0.name == name : $0.client == name }
      }
      return paired(index, number, with: found.map(\.name))
    case .pattern(let pattern):
      // An invalid pattern has been refused when the rule was made.
      return paired(index, number, with: ((try? others.matching(pattern)) ?? []).map(\.name))
    }
  }

  /// Assigns one physical port to each channel. A channel keeps its assigned port: it gets no other port while that
  /// one is absent.
  private mutating func physical(
    _ index: Int, _ number: Int, first: Int, width: Int, among others: [JackPort]
  ) -> [End] {
    let sockets = others.filter(\.isPhysical).map(\.name)
    var ends: [End] = []
    for channel in 0..<width {
      let slot = Slot(alternative: number, channel: channel)
      if nodes[index].given[slot] == nil, first + channel < sockets.count {
        nodes[index].given[slot] = sockets[first + channel]
      }
      guard let port = nodes[index].given[slot], sockets.contains(port) else { continue }
      ends.append((channel: min(channel, nodes[index].ports.count - 1), port: port))
    }
    return ends
  }

  /// Assigns the found ports to the channels. A mono node gets all of them. Each channel of a wider node gets one, in
  /// order, and keeps it while the port exists.
  private mutating func paired(_ index: Int, _ number: Int, with found: [String]) -> [End] {
    let count = nodes[index].ports.count
    guard count > 1 else { return found.map { (channel: 0, port: $0) } }
    let slots = (0..<count).map { Slot(alternative: number, channel: $0) }
    let given = Set(slots.compactMap { nodes[index].given[$0] })
    var free = found.filter { !given.contains($0) }[...]
    var ends: [End] = []
    for slot in slots {
      if nodes[index].given[slot].map({ !found.contains($0) }) ?? true, let next = free.popFirst() {
        nodes[index].given[slot] = next
      }
      guard let port = nodes[index].given[slot], found.contains(port) else { continue }
      ends.append((channel: slot.channel, port: port))
    }
    return ends
  }
}
