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
  /// How far the rules are followed.
  var cabling = Cabling.asRuled
  private(set) var pulled: Set<Cable> = []
  /// Cables from or to our ports that are in, whoever put them there.
  private(set) var present: Set<Cable> = []
  /// Cables that were in when the server went: each is put in again as soon as its two ports are there.
  private(set) var remembered: Set<Cable> = []
  private var isReturning = false
  private let client: String

  /// A keeper for the ports of `client`.
  init(client: String) { self.client = client }

  mutating func add(_ node: Node) { nodes.append(node) }

  mutating func remove(_ name: String) {
    nodes.removeAll { $0.name == name }
    present = present.filter(isOurs)
    remembered = remembered.filter(isOurs)
  }

  func node(owning port: String) -> Node? { nodes.first { $0.ports.contains(port) } }

  /// Begins anew: what was pulled may be put in again, unless it is the server alone that begins anew.
  mutating func start() {
    if !isReturning { pulled = [] }
    isReturning = false
  }

  /// A cable has been put in.
  mutating func noteConnected(_ cable: Cable) {
    guard isOurs(cable) else { return }
    pulled.remove(cable)
    remembered.remove(cable)
    present.insert(cable)
  }

  /// The user has pulled a cable out whose two ports are still there.
  mutating func notePulled(_ cable: Cable) {
    guard isOurs(cable) else { return }
    noteGone(cable)
    pulled.insert(cable)
  }

  /// A cable has gone with the port at its other end.
  mutating func noteGone(_ cable: Cable) { present.remove(cable) }

  /// The server has gone, and with it all cables.
  mutating func noteLost() {
    remembered.formUnion(present)
    present = []
    isReturning = true
    for place in nodes.indices { nodes[place].isTold = false }
  }

  /// A server is there again, with these ports: what a channel was given and is not there may be replaced.
  mutating func noteReturned(among studio: [JackPort]) {
    let names = Set(studio.map(\.name))
    for place in nodes.indices { nodes[place].given = nodes[place].given.filter { names.contains($0.value) } }
  }

  private func isOurs(_ cable: Cable) -> Bool {
    node(owning: cable.source) != nil || node(owning: cable.destination) != nil
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
          && !(cabling == .programs && $0.isPhysical)
      }
      let ends: [(channel: Int, port: String)]
      if cabling == .named, node.rule == .automatic { continue }
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
    if !remembered.isEmpty {
      let names = Set(studio.map(\.name))
      wish.cables += remembered.filter {
        names.contains($0.source) && names.contains($0.destination) && !wish.cables.contains($0)
      }.sorted { $0.description < $1.description }
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
