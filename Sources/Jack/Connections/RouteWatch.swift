// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Compares the JACK graph with its previous state to find out how a route has changed, and why.
///
/// A value type: it makes no calls to the server.
struct RouteWatch: Sendable {
  /// The route at the last look.
  private(set) var route = Route()
  private var sockets: Set<String>
  /// Whether the user or another program has changed connections since the last look.
  private var isPatched = false
  /// Whether this client's ports have changed since the last look.
  private var hasOtherPorts = false

  /// Creates a watch with the present state.
  init(_ route: Route, sockets: Set<String>) {
    self.route = route
    self.sockets = sockets
  }

  /// Records that the user or another program made or removed a connection.
  mutating func notePatched() { isPatched = true }

  /// Records that ports of this client were added or removed.
  mutating func noteOwnPorts() { hasOtherPorts = true }

  /// Compares the present state with the last one.
  ///
  /// Several changes may have happened. Each is reported separately, all with the same two routes.
  ///
  /// - Parameters:
  ///   - current: the client's route.
  ///   - now: the names of all physical ports of the JACK graph.
  ///   - nodesWithAlternatives: the nodes that follow one of several alternatives now.
  mutating func update(
    _ current: Route, sockets now: Set<String>, nodesWithAlternatives: Set<String> = []
  ) -> [RouteChange] {
    var reasons: [RouteChange.Reason] = []
    let previous = route
    if !sockets.subtracting(now).isEmpty { reasons.append(.oldDeviceUnavailable) }
    if !now.subtracting(sockets).isEmpty { reasons.append(.newDeviceAvailable) }
    if previous.connections != current.connections {
      if hasOtherPorts { reasons.append(.categoryChange) }
      if isPatched { reasons.append(.override) }
      if reasons.isEmpty { reasons.append(.unknown) }
    } else if previous != current {
      reasons.append(.configurationChange)
    }
    route = current
    sockets = now
    isPatched = false
    hasOtherPorts = false
    return reasons.map {
      RouteChange($0, from: previous, to: current, nodesWithAlternatives: nodesWithAlternatives)
    }
  }
}

extension Route {
  private struct End: Hashable {
    let node: String, channel: Int, port: String, isInput: Bool
  }

  /// The connected ends, without their other properties.
  fileprivate var connections: some Hashable {
    Set(
      inputs.map { End(node: $0.node, channel: $0.channel, port: $0.port.name, isInput: true) }
        + outputs.map { End(node: $0.node, channel: $0.channel, port: $0.port.name, isInput: false) })
  }
}
