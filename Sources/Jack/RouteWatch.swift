// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Tells from one look at the studio and the next how a route has changed, and why.
///
/// A value that knows no server.
struct RouteWatch: Sendable {
  /// What was seen last.
  private(set) var route = Route()
  private var sockets: Set<String>
  /// Whether somebody has patched by hand since the last look.
  private var isPatched = false
  /// Whether ports of our own have come or gone since then.
  private var hasOtherPorts = false

  /// Begins with what is there.
  init(_ route: Route, sockets: Set<String>) {
    self.route = route
    self.sockets = sockets
  }

  /// Somebody put a cable in or pulled one out, and it was not us.
  mutating func notePatched() { isPatched = true }

  /// Ports of our own came or went.
  mutating func noteOwnPorts() { hasOtherPorts = true }

  /// Looks again: the client's route, and the names of all physical ports of the studio.
  ///
  /// Several things may have happened: each is told for itself, all with the same two routes. The `choosers` are nodes
  /// that follow one of several alternatives now.
  mutating func look(
    _ current: Route, sockets now: Set<String>, choosers: Set<String> = []
  ) -> [RouteChange] {
    var reasons: [RouteChange.Reason] = []
    let previous = route
    if !sockets.subtracting(now).isEmpty { reasons.append(.oldDeviceUnavailable) }
    if !now.subtracting(sockets).isEmpty { reasons.append(.newDeviceAvailable) }
    if previous.cables != current.cables {
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
    return reasons.map { RouteChange($0, from: previous, to: current, choosers: choosers) }
  }
}

extension Route {
  private struct End: Hashable {
    let node: String, channel: Int, port: String, isInput: Bool
  }

  /// Which ends are connected, whatever else is known of them.
  fileprivate var cables: some Hashable {
    Set(
      inputs.map { End(node: $0.node, channel: $0.channel, port: $0.port.name, isInput: true) }
        + outputs.map { End(node: $0.node, channel: $0.channel, port: $0.port.name, isInput: false) })
  }
}
