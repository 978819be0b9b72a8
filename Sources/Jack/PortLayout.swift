// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The ports that somebody asks for on behalf of a node.
struct PortRequest: Sendable {
  let name: String
  let content: JackPort.Content
  let direction: JackPort.Direction
  let channels: Int
  let rule: ConnectionRule
  let prettyName: String

  /// What each port is called behind the client's name.
  var portNames: [String] { channels == 1 ? [name] : (1...channels).map { "\(name)_\($0)" } }
}

/// Which ports a client has and how they are connected: what outlives a server, and is made anew on the next.
///
/// A value that knows no server.
struct PortLayout: Sendable {
  /// The ports of one node, and the bus that they are for the graph.
  struct Node: Sendable {
    let request: PortRequest
    let number: Int
  }

  private(set) var nodes: [Node] = []
  /// Which nodes for sound have no ports for now: those that are read, or written, by us.
  var hidden: Set<JackPort.Direction> = [] { didSet { revision += 1 } }
  /// What the nodes are connected to.
  var keeper: ConnectionKeeper
  /// Counts the nodes that came and went.
  private(set) var revision = 0
  private let client: String

  /// A client of this name without ports.
  init(client: String) {
    self.client = client
    keeper = ConnectionKeeper(client: client)
  }

  /// The bus number that a node would get.
  ///
  /// - Throws: ``JackError/channels(node:_:)``, ``JackError/badPattern(_:)``,
  ///   ``JackError/duplicateNode(_:)``, ``JackError/tooManyNodes(node:most:)``.
  func number(for request: PortRequest) throws(JackError) -> Int {
    guard 1...64 ~= request.channels else { throw .channels(node: request.name, request.channels) }
    try request.rule.check()
    guard !nodes.contains(where: { $0.request.name == request.name }) else {
      throw .duplicateNode(request.name)
    }
    let taken = Set(nodes.filter { $0.request.direction == request.direction }.map(\.number))
    guard let number = (0..<PortTable.capacity).first(where: { !taken.contains($0) }) else {
      throw .tooManyNodes(node: request.name, most: PortTable.capacity)
    }
    return number
  }

  /// Whether a node is to have ports now.
  func shows(_ request: PortRequest) -> Bool {
    request.content != .audio || !hidden.contains(request.direction)
  }

  /// Takes a node in under the number that it was told.
  mutating func add(_ request: PortRequest, as number: Int) {
    revision += 1
    nodes.append(Node(request: request, number: number))
    keeper.add(
      ConnectionKeeper.Node(
        name: request.name, direction: request.direction, content: request.content,
        ports: request.portNames.map { "\(client):\($0)" }, rule: request.rule))
  }

  /// Forgets a node's rule: its ports are about to go.
  mutating func forgetRule(of name: String) { keeper.remove(name) }

  /// Forgets a node; its number is free again.
  mutating func remove(_ name: String) {
    revision += 1
    keeper.remove(name)
    nodes.removeAll { $0.request.name == name }
  }
}
