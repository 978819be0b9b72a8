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
    let wish = edits.layout.keeper.wishes(among: JackPort.all(of: client), chooses: chooses)
    let loose = Set(edits.loose.map(\.cable)), now = ContinuousClock.now
    if chooses { edits.refused.keep(wish.cables) }
    for cable in wish.cables where !loose.contains(cable) {
      let other = isOwn(cable.source) ? cable.destination : cable.source
      // The port of a node may be missing, since the session can leave nodes without ports.
      guard let isIn = isIn(cable), !isIn else {
        edits.refused.forget(cable)
        continue
      }
      edits.asked.insert(cable)
      let result = jack_connect(client, cable.source, cable.destination)
      if result == 0 {
        edits.layout.keeper.noteMade(cable)
        edits.refused.forget(cable)
        continue
      }
      edits.asked.remove(cable)
      // If the other port has just disappeared, this is not a refusal.
      if result == EEXIST || jack_port_by_name(client, other) == nil {
        edits.refused.forget(cable)
      } else if edits.refused.note(cable, at: now) {
        events.append(.refused(cable))
      }
    }
    // Removals come last, so that there is no gap in the sound.
    for choice in wish.choices {
      let isServed = choice.cables.contains { isIn($0) == true }
      for cable in edits.layout.keeper.noteFollowed(choice, isServed: isServed) {
        edits.dropped.insert(cable)
        if jack_disconnect(client, cable.source, cable.destination) != 0 { edits.dropped.remove(cable) }
      }
    }
    for name in wish.waiting {
      guard let node = edits.layout.keeper.nodes.first(where: { $0.name == name }) else { continue }
      events.append(.waiting(node: name, rule: node.rule))
      guard node.rule.wantsSocket else { continue }
      let route = route(edits)
      events.append(.route(RouteChange(.noSuitableRoute, from: edits.watch?.route ?? route, to: route)))
    }
    return events
  }

  /// Returns whether a connection of this client exists; nil if the client's own port does not exist.
  private func isIn(_ cable: Cable) -> Bool? {
    let (own, other) =
      isOwn(cable.source) ? (cable.source, cable.destination) : (cable.destination, cable.source)
    return jack_port_by_name(client, own).map { jack_port_connected_to($0, other) != 0 }
  }

  private func isOwn(_ port: String) -> Bool { port.hasPrefix(name + ":") }
}
