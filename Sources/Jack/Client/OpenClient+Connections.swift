// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Glibc

extension OpenClient {
  /// Makes the connections that the rules ask for and that do not exist, and removes those that were made for a less
  /// preferred alternative. Under the editing lock, not in a callback.
  ///
  /// - Parameter chooses: whether to follow rules with alternatives, too.
  /// - Returns: the events to report.
  @discardableResult func connect(_ edits: inout Edits, chooses: Bool = true) -> [JackEvent] {
    var events: [JackEvent] = []
    let plan = edits.layout.manager.plan(among: JackPort.all(of: client), chooses: chooses)
    let loose = Set(edits.loose.map(\.connection)), now = ContinuousClock.now
    if chooses { edits.refused.keep(plan.connections) }
    for connection in plan.connections where !loose.contains(connection) {
      let other = isOwn(connection.source) ? connection.destination : connection.source
      // The port of a node may be missing, since the session can leave nodes without ports.
      guard let isIn = isIn(connection), !isIn else {
        edits.refused.forget(connection)
        continue
      }
      edits.asked.insert(connection)
      let result = jack_connect(client, connection.source, connection.destination)
      if result == 0 {
        edits.layout.manager.noteMade(connection)
        edits.refused.forget(connection)
        continue
      }
      edits.asked.remove(connection)
      // If the other port has just disappeared, this is not a refusal.
      if result == EEXIST || jack_port_by_name(client, other) == nil {
        edits.refused.forget(connection)
      } else if edits.refused.note(connection, at: now) {
        events.append(.refused(connection))
      }
    }
    // Removals come last, so that there is no gap in the sound.
    for choice in plan.choices {
      let isServed = choice.connections.contains { isIn($0) == true }
      for connection in edits.layout.manager.noteFollowed(choice, isServed: isServed) {
        edits.dropped.insert(connection)
        if jack_disconnect(client, connection.source, connection.destination) != 0 {
          edits.dropped.remove(connection)
        }
      }
    }
    for name in plan.waiting {
      guard let node = edits.layout.manager.nodes.first(where: { $0.name == name }) else { continue }
      events.append(.waiting(node: name, rule: node.rule))
      guard node.rule.usesPhysicalPorts else { continue }
      let route = route(edits)
      events.append(.route(RouteChange(.noSuitableRoute, from: edits.watch?.route ?? route, to: route)))
    }
    return events
  }

  /// Returns whether a connection of this client exists; nil if the client's own port does not exist.
  private func isIn(_ connection: PortConnection) -> Bool? {
    let (own, other) =
      isOwn(connection.source)
      ? (connection.source, connection.destination) : (connection.destination, connection.source)
    return jack_port_by_name(client, own).map { jack_port_connected_to($0, other) != 0 }
  }

  private func isOwn(_ port: String) -> Bool { port.hasPrefix(name + ":") }
}
