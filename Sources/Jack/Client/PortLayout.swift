// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A request for the ports of one node.
struct PortRequest: Sendable {
  let name: String
  let content: JackPort.Content
  let direction: JackPort.Direction
  let channels: Int
  let rule: ConnectionRule
  let prettyName: String

  /// The names of the ports, without the client's name.
  var portNames: [String] { channels == 1 ? [name] : (1...channels).map { "\(name)_\($0)" } }
}

/// The ports of a client and their connections: the part of the client that outlives a server and is restored on the
/// next.
///
/// A value type: it makes no calls to the server.
struct PortLayout: Sendable {
  /// The ports of one node, and the number of its bus in the graph.
  struct Node: Sendable {
    let request: PortRequest
    let number: Int
  }

  private(set) var nodes: [Node] = []
  /// The directions whose audio nodes have no ports for now: `.input` for capture nodes, `.output` for playback
  /// nodes.
  var hidden: Set<JackPort.Direction> = [] { didSet { revision += 1 } }
  /// The connections of the nodes.
  var manager: ConnectionManager
  /// A counter of the changes to the nodes and to `hidden`.
  private(set) var revision = 0
  private let client: String

  /// Creates a layout without ports for a client.
  init(client: String) {
    self.client = client
    manager = ConnectionManager(client: client)
  }

  /// Returns a free bus number for a node.
  ///
  /// - Throws: ``JackError/channels(node:_:)``, ``JackError/badPattern(_:)``, ``JackError/duplicateNode(_:)``,
  ///   ``JackError/tooManyNodes(node:most:)``.
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

  /// Returns whether a node is to have ports now.
  func shows(_ request: PortRequest) -> Bool {
    request.content != .audio || !hidden.contains(request.direction)
  }

  /// Adds a node under the number that ``number(for:)`` returned.
  mutating func add(_ request: PortRequest, as number: Int) {
    revision += 1
    nodes.append(Node(request: request, number: number))
    manager.add(
      ConnectionManager.Node(
        name: request.name, direction: request.direction, content: request.content,
        ports: request.portNames.map { "\(client):\($0)" }, rule: request.rule))
  }

  /// Removes a node's rule before its ports are removed.
  mutating func forgetRule(of name: String) { manager.remove(name) }

  /// Removes a node; its number is free again.
  mutating func remove(_ name: String) {
    revision += 1
    manager.remove(name)
    nodes.removeAll { $0.request.name == name }
  }
}
