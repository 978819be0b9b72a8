// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Determines the connections that the nodes' rules request, and stores the connections that the user has removed.
///
/// A value type that makes no calls to the server: the client passes it the ports, and reports each connection made
/// or removed.
struct ConnectionManager: Sendable {
  /// A node's ports and the state of its rule.
  struct Node: Sendable {
    let name: String
    /// The direction of the node's own ports: a capture node has inputs.
    let direction: JackPort.Direction
    let content: JackPort.Content
    /// The full names of the node's own ports, in channel order.
    let ports: [String]
    let rule: ConnectionRule
    /// The port that each alternative of the rule has assigned to each channel. The assignment stays while the port
    /// is absent.
    var given: [Slot: String] = [:]
    /// The index of the alternative that was followed last; nil if none found a port.
    var choice: Int?
    /// Whether a connection of that alternative existed when the alternative was followed.
    var isServed = false
    /// Whether it has been reported that the rule finds no port.
    var isReported = false
  }

  /// One channel under one alternative of a rule.
  struct Slot: Hashable, Sendable {
    let alternative: Int, channel: Int
  }

  /// The connections to make and the facts to report.
  struct ConnectionPlan: Equatable, Sendable {
    var connections: [PortConnection] = []
    /// The alternatives that the nodes with a choice follow.
    var choices: [Choice] = []
    /// Nodes whose rules find no port, each reported once.
    var waiting: [String] = []
  }

  /// The alternative that a node with a choice follows now.
  struct Choice: Equatable, Sendable {
    let node: String
    /// The connections of the followed alternative, including those that the user has removed.
    var connections: [PortConnection]
    /// Connections that were made for another alternative and are to be removed.
    var surplus: [PortConnection] = []
  }

  var nodes: [Node] = []
  /// The rules that apply.
  var connectionPolicy = ConnectionPolicy.asRuled
  /// The ports that the rules may connect to; nil for all.
  var reach: [PortPattern]?
  private(set) var removedByUser: Set<PortConnection> = []
  /// The present connections of this client's ports, including those of users and other programs.
  private(set) var present: Set<PortConnection> = []
  /// Connections that existed when the server ended. Each is made again as soon as both ports exist.
  private(set) var remembered: Set<PortConnection> = []
  /// Connections that were made for one of several alternatives, and that no one else has changed since.
  private var chosen: Set<PortConnection> = []
  private var isReturning = false
  let client: String

  /// Creates a manager for the ports of `client`.
  init(client: String) { self.client = client }

  mutating func add(_ node: Node) { nodes.append(node) }

  mutating func remove(_ name: String) {
    nodes.removeAll { $0.name == name }
    present = present.filter(isOwn)
    remembered = remembered.filter(isOwn)
    chosen = chosen.filter(isOwn)
  }

  func node(owning port: String) -> Node? { nodes.first { $0.ports.contains(port) } }

  /// Prepares for an activation: connections that the user had removed may be made again, unless the client returns
  /// after its server has ended.
  mutating func start() {
    if !isReturning { removedByUser = [] }
    isReturning = false
  }

  /// Records that a connection was made: by this client, or by the user or another program (`byHand`), whose choice
  /// is kept.
  mutating func noteConnected(_ connection: PortConnection, byHand: Bool = false) {
    guard isOwn(connection) else { return }
    if byHand { chosen.remove(connection) }
    removedByUser.remove(connection)
    remembered.remove(connection)
    present.insert(connection)
  }

  /// Records that this client made a connection because a rule asks for it.
  mutating func noteMade(_ connection: PortConnection) {
    if owner(of: connection)?.rule.isChoice == true { chosen.insert(connection) }
  }

  /// Returns the connections of a node that were made for one of its alternatives.
  func chosen(for node: Node) -> Set<PortConnection> {
    chosen.filter { node.ports.contains($0.source) || node.ports.contains($0.destination) }
  }

  /// Whether any rule has alternatives, so that another one may have to be followed when a port disappears.
  var hasChoices: Bool { nodes.contains(where: \.rule.isChoice) }

  /// The names of the nodes that follow one of several alternatives now and are connected by it.
  var nodesWithAlternatives: Set<String> {
    Set(nodes.filter { $0.rule.isChoice && $0.choice != nil && $0.isServed }.map(\.name))
  }

  /// Records that an alternative has been followed, and whether any of its connections exists.
  ///
  /// - Returns: the connections to remove. If the preferred port cannot be connected, the present connection stays.
  mutating func noteFollowed(_ choice: Choice, isServed: Bool) -> [PortConnection] {
    for index in nodes.indices where nodes[index].name == choice.node { nodes[index].isServed = isServed }
    return isServed ? choice.surplus : []
  }

  /// Records that the user has removed a connection while both ports exist.
  mutating func noteRemovedByUser(_ connection: PortConnection) {
    guard isOwn(connection) else { return }
    noteGone(connection)
    removedByUser.insert(connection)
  }

  /// Records that a connection has ended with the port at its other end.
  mutating func noteGone(_ connection: PortConnection) {
    present.remove(connection)
    chosen.remove(connection)
  }

  /// Records that the server has ended, and with it all connections.
  mutating func noteLost() {
    // Connections of alternatives are left out: the alternative is chosen again.
    remembered.formUnion(present.subtracting(chosen))
    (present, chosen) = ([], [])
    isReturning = true
    for index in nodes.indices { nodes[index].isReported = false }
  }

  /// Records that a server is available again, with these ports. Assigned ports that do not exist there may be
  /// replaced.
  mutating func noteReturned(among allPorts: [JackPort]) {
    let names = Set(allPorts.map(\.name))
    for index in nodes.indices { nodes[index].given = nodes[index].given.filter { names.contains($0.value) } }
  }

  private func owner(of connection: PortConnection) -> Node? {
    node(owning: connection.source) ?? node(owning: connection.destination)
  }

  private func isOwn(_ connection: PortConnection) -> Bool { owner(of: connection) != nil }
}
