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
    /// The port that each channel has been given by each of the rule's alternatives: it keeps it while it is away.
    var given: [Slot: String] = [:]
    /// Which of its alternatives was followed last; nil where none found a port.
    var choice: Int?
    /// Whether a cable of that alternative is in, as far as was looked when it was followed.
    var isServed = false
    /// Whether its waiting has been told.
    var isTold = false
  }

  /// A channel, as one of a rule's alternatives sees it.
  struct Slot: Hashable, Sendable {
    let alternative: Int, channel: Int
  }

  /// What is to be done.
  struct Wish: Equatable, Sendable {
    var cables: [Cable] = []
    /// What the nodes that have a choice follow.
    var choices: [Choice] = []
    /// Nodes that wait for a port and have not said so.
    var waiting: [String] = []
  }

  /// What a node that has a choice follows now.
  struct Choice: Equatable, Sendable {
    let node: String
    /// The cables of the alternative that is followed, pulled ones among them.
    var cables: [Cable]
    /// Cables that we put in for want of a better port, which is there now.
    var surplus: [Cable] = []
  }

  var nodes: [Node] = []
  /// How far the rules are followed.
  var cabling = Cabling.asRuled
  /// The ports that the rules may reach; nil for all.
  var reach: [PortPattern]?
  private(set) var pulled: Set<Cable> = []
  /// Cables from or to our ports that are in, whoever put them there.
  private(set) var present: Set<Cable> = []
  /// Cables that were in when the server went: each is put in again as soon as its two ports are there.
  private(set) var remembered: Set<Cable> = []
  /// Cables that are in since we followed one of several alternatives, and that nobody has touched since.
  private var chosen: Set<Cable> = []
  private var isReturning = false
  let client: String

  /// A keeper for the ports of `client`.
  init(client: String) { self.client = client }

  mutating func add(_ node: Node) { nodes.append(node) }

  mutating func remove(_ name: String) {
    nodes.removeAll { $0.name == name }
    present = present.filter(isOurs)
    remembered = remembered.filter(isOurs)
    chosen = chosen.filter(isOurs)
  }

  func node(owning port: String) -> Node? { nodes.first { $0.ports.contains(port) } }

  /// Begins anew: what was pulled may be put in again, unless it is the server alone that begins anew.
  mutating func start() {
    if !isReturning { pulled = [] }
    isReturning = false
  }

  /// A cable has been put in: by us, or by somebody's hand, which we respect.
  mutating func noteConnected(_ cable: Cable, byHand: Bool = false) {
    guard isOurs(cable) else { return }
    if byHand { chosen.remove(cable) }
    pulled.remove(cable)
    remembered.remove(cable)
    present.insert(cable)
  }

  /// We have put a cable in, since a rule asked for it.
  mutating func noteMade(_ cable: Cable) {
    if owner(of: cable)?.rule.isChoice == true { chosen.insert(cable) }
  }

  /// Cables of a node that we put in when we followed one of its alternatives.
  func chosen(for node: Node) -> Set<Cable> {
    chosen.filter { node.ports.contains($0.source) || node.ports.contains($0.destination) }
  }

  /// Whether any rule has alternatives, so that a port that goes may have us take another.
  var hasChoices: Bool { nodes.contains(where: \.rule.isChoice) }

  /// The nodes that follow one of several alternatives now, and are connected to it.
  var choosers: Set<String> {
    Set(nodes.filter { $0.rule.isChoice && $0.choice != nil && $0.isServed }.map(\.name))
  }

  /// A node's choice has been followed, and any of its cables is in or none; gives the cables to be taken out: who
  /// cannot have the better port keeps the other.
  mutating func noteFollowed(_ choice: Choice, isServed: Bool) -> [Cable] {
    for place in nodes.indices where nodes[place].name == choice.node { nodes[place].isServed = isServed }
    return isServed ? choice.surplus : []
  }

  /// The user has pulled a cable out whose two ports are still there.
  mutating func notePulled(_ cable: Cable) {
    guard isOurs(cable) else { return }
    noteGone(cable)
    pulled.insert(cable)
  }

  /// A cable has gone with the port at its other end.
  mutating func noteGone(_ cable: Cable) {
    present.remove(cable)
    chosen.remove(cable)
  }

  /// The server has gone, and with it all cables.
  mutating func noteLost() {
    // Which alternative is followed is found anew.
    remembered.formUnion(present.subtracting(chosen))
    (present, chosen) = ([], [])
    isReturning = true
    for place in nodes.indices { nodes[place].isTold = false }
  }

  /// A server is there again, with these ports: what a channel was given and is not there may be replaced.
  mutating func noteReturned(among studio: [JackPort]) {
    let names = Set(studio.map(\.name))
    for place in nodes.indices { nodes[place].given = nodes[place].given.filter { names.contains($0.value) } }
  }

  private func owner(of cable: Cable) -> Node? {
    node(owning: cable.source) ?? node(owning: cable.destination)
  }

  private func isOurs(_ cable: Cable) -> Bool { owner(of: cable) != nil }
}
