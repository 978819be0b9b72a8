// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Decides which cables our nodes' rules ask for, and remembers those that the user pulled.
///
/// A value that knows no server: it is told what ports there are and what happened to cables.
struct ConnectionKeeper: Sendable {
  /// A node as the keeper sees it.
  struct Node: Sendable {
    let name: String
    /// The direction of its own ports: a capture node's are inputs.
    let direction: JackPort.Direction
    let content: JackPort.Content
    /// Full names of its own ports, first channel first.
    let ports: [String]
    let rule: ConnectionRule
    /// The port that each channel has been given: it keeps it while it is away.
    var given: [Int: String] = [:]
    /// Whether its waiting has been told.
    var isTold = false
  }

  /// What is to be done.
  struct Wish: Equatable, Sendable {
    var cables: [Cable] = []
    /// Nodes that wait for a port and have not said so.
    var waiting: [String] = []
  }

  private(set) var nodes: [Node] = []
  private(set) var pulled: Set<Cable> = []
  private let client: String

  /// A keeper for the ports of `client`.
  init(client: String) { self.client = client }

  mutating func add(_ node: Node) { nodes.append(node) }

  mutating func remove(_ name: String) { nodes.removeAll { $0.name == name } }

  func node(owning port: String) -> Node? { nodes.first { $0.ports.contains(port) } }

  /// Begins anew: what was pulled may be put in again.
  mutating func start() { pulled = [] }

  /// The user has put a cable in.
  mutating func noteConnected(_ cable: Cable) { pulled.remove(cable) }

  /// The user has pulled a cable out whose two ports are still there.
  mutating func notePulled(_ cable: Cable) {
    guard node(owning: cable.source) != nil || node(owning: cable.destination) != nil else { return }
    pulled.insert(cable)
  }

  /// The cables that the rules ask for among `studio`, pulled ones left out, and who waits in vain.
  mutating func wishes(among studio: [JackPort]) -> Wish {
    var wish = Wish()
    var automatic: [JackPort.Direction: Int] = [:]
    for place in nodes.indices {
      let node = nodes[place]
      let isPlayback = node.direction == .output
      let others = studio.filter {
        $0.content == node.content && $0.direction != node.direction && $0.client != client
      }
      let ends: [(channel: Int, port: String)]
      switch node.rule {
      case .none: continue
      case .automatic:
        guard node.content == .audio else { continue }
        let width = isPlayback && node.ports.count == 1 ? 2 : node.ports.count
        let first = automatic[node.direction, default: 0]
        automatic[node.direction] = first + width
        ends = physical(place, first: first, width: width, among: others)
      case .physical(let first):
        let feedsBothSides = isPlayback && node.content == .audio && node.ports.count == 1 && first == 1
        let width = feedsBothSides ? 2 : node.ports.count
        ends = physical(place, first: max(first, 1) - 1, width: width, among: others)
      case .ports(let names):
        let found = names.flatMap { name in
          others.filter { name.contains(":") ? $0.name == name : $0.client == name }
        }
        ends = paired(place, with: found.map(\.name))
      case .pattern(let pattern):
        // A pattern that cannot be read is refused where the rule is made.
        ends = paired(place, with: ((try? others.matching(pattern)) ?? []).map(\.name))
      }
      if ends.isEmpty && !nodes[place].isTold {
        wish.waiting.append(node.name)
        nodes[place].isTold = true
      }
      for end in ends {
        let own = node.ports[end.channel]
        let cable = isPlayback ? Cable(from: own, to: end.port) : Cable(from: end.port, to: own)
        if !pulled.contains(cable) && !wish.cables.contains(cable) { wish.cables.append(cable) }
      }
    }
    return wish
  }

  /// One physical port a channel; what a channel was given once it does not change for another.
  private mutating func physical(
    _ place: Int, first: Int, width: Int, among others: [JackPort]
  ) -> [(channel: Int, port: String)] {
    let sockets = others.filter(\.isPhysical).map(\.name)
    var ends: [(channel: Int, port: String)] = []
    for slot in 0..<width {
      if nodes[place].given[slot] == nil, first + slot < sockets.count {
        nodes[place].given[slot] = sockets[first + slot]
      }
      guard let port = nodes[place].given[slot], sockets.contains(port) else { continue }
      ends.append((channel: min(slot, nodes[place].ports.count - 1), port: port))
    }
    return ends
  }

  /// A mono node takes all that is found; the channels of a wider one take them in order, and keep them.
  private mutating func paired(_ place: Int, with found: [String]) -> [(channel: Int, port: String)] {
    let count = nodes[place].ports.count
    guard count > 1 else { return found.map { (channel: 0, port: $0) } }
    var free = found.filter { !nodes[place].given.values.contains($0) }[...]
    var ends: [(channel: Int, port: String)] = []
    for channel in 0..<count {
      if nodes[place].given[channel].map({ !found.contains($0) }) ?? true, let next = free.popFirst() {
        nodes[place].given[channel] = next
      }
      guard let port = nodes[place].given[channel], found.contains(port) else { continue }
      ends.append((channel: channel, port: port))
    }
    return ends
  }
}
