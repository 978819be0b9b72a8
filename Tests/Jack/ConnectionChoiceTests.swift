// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

/// Rules with alternatives, and ports that a session excludes.
@Suite struct ConnectionChoiceTests {
  typealias Manager = ConnectionManagerTests
  static let phones = ["left", "right"].map { JackPort("phones:\($0)", .audio, .input, isPhysical: true) }
  static let rule = ConnectionRule.firstOf([.ports(["phones"]), .physical(from: 1)])
  static let toPhones = [
    PortConnection(from: "vocal:desk_1", to: "phones:left"),
    PortConnection(from: "vocal:desk_2", to: "phones:right"),
  ]
  static let toCard = [
    PortConnection(from: "vocal:desk_1", to: "system:playback_1"),
    PortConnection(from: "vocal:desk_2", to: "system:playback_2"),
  ]

  /// A connection manager with a stereo output node, whose requested connections are made.
  struct ManagerRig {
    var manager = ConnectionManager(client: "vocal")

    init(_ rule: ConnectionRule = ConnectionChoiceTests.rule) {
      manager.add(Manager.playback("desk", rule, channels: 2))
    }

    /// Applies the rules to these ports, of which some refuse, and returns the connections.
    mutating func follow(_ allPorts: [JackPort], refused: [JackPort] = []) -> Set<PortConnection> {
      let plan = manager.plan(among: allPorts)
      for connection in plan.connections
      where !manager.present.contains(connection)
        && !refused.contains(where: { $0.name == connection.destination })
      {
        manager.noteMade(connection)
        manager.noteConnected(connection)
      }
      for choice in plan.choices {
        let isServed = !manager.present.isDisjoint(with: choice.connections)
        for connection in manager.noteFollowed(choice, isServed: isServed) { manager.noteGone(connection) }
      }
      return manager.present
    }

    mutating func lose(_ ports: [JackPort]) {
      for connection in manager.present where ports.contains(where: { $0.name == connection.destination }) {
        manager.noteGone(connection)
      }
    }
  }

  @Test func `the first available alternative is used, the next when it goes, and the first on return`() {
    var hand = ManagerRig()
    #expect(hand.manager.nodesWithAlternatives == [])
    for _ in 0..<3 {
      #expect(hand.follow(Manager.allPorts) == Set(Self.toCard))
      #expect(hand.follow(Manager.allPorts + Self.phones) == Set(Self.toPhones))
      #expect(hand.manager.nodesWithAlternatives == ["desk"])
      hand.lose(Self.phones)
    }
    #expect(hand.follow([]) == [])
    #expect(hand.manager.nodesWithAlternatives == [])
  }

  @Test func `the preferred ports are connected before the others are disconnected`() {
    var hand = ManagerRig()
    _ = hand.follow(Manager.allPorts)
    let plan = hand.manager.plan(among: Manager.allPorts + Self.phones)
    let choice = ConnectionManager.Choice(node: "desk", connections: Self.toPhones, surplus: Self.toCard)
    #expect(plan == .init(connections: Self.toPhones, choices: [choice]))
  }

  @Test func `if the preferred ports cannot be connected, the current ones are kept`() {
    let both = Manager.allPorts + Self.phones
    var hand = ManagerRig()
    _ = hand.follow(Manager.allPorts)
    #expect(hand.follow(both, refused: Self.phones) == Set(Self.toCard))
    #expect(hand.manager.nodesWithAlternatives == [], "what it follows is not what it is connected to")
    // One of two is better than none.
    #expect(hand.follow(both, refused: [Self.phones[1]]) == [Self.toPhones[0]])
    #expect(hand.manager.nodesWithAlternatives == ["desk"])
    #expect(hand.follow(both) == Set(Self.toPhones))
    // Manually removed connections stay removed, even after their ports were away; the others stay connected meanwhile.
    for connection in Self.toPhones { hand.manager.noteRemovedByUser(connection) }
    #expect(hand.follow(both) == [] && hand.manager.nodesWithAlternatives == [])
    #expect(
      hand.follow(Manager.allPorts) == Set(Self.toCard) && hand.manager.nodesWithAlternatives == ["desk"])
    #expect(hand.follow(both) == Set(Self.toCard) && hand.manager.nodesWithAlternatives == [])
  }

  @Test func `connections made or removed by hand are left alone`() {
    let byHand = PortConnection(from: "vocal:desk_1", to: "system:playback_3")
    var hand = ManagerRig()
    _ = hand.follow(Manager.allPorts)
    hand.manager.noteConnected(byHand, byHand: true)
    // Removed and made again by hand, the connection no longer belongs to the rule.
    hand.manager.noteRemovedByUser(Self.toCard[0])
    hand.manager.noteConnected(Self.toCard[0], byHand: true)
    #expect(hand.follow(Manager.allPorts + Self.phones) == Set(Self.toPhones + [byHand, Self.toCard[0]]))
    // A preferred connection that was removed by hand is not replaced by the others.
    for connection in Self.toPhones { hand.manager.noteRemovedByUser(connection) }
    #expect(hand.follow(Manager.allPorts + Self.phones) == [byHand, Self.toCard[0]])
  }

  @Test func `while a device's ports appear and disappear one by one, nothing is chosen`() {
    var hand = ManagerRig()
    hand.manager.add(Manager.capture("mic", .automatic))
    _ = hand.follow(Manager.allPorts)
    let half = Manager.allPorts + Self.phones.prefix(1)
    let mic = PortConnection(from: "system:capture_1", to: "vocal:mic")
    #expect(hand.manager.plan(among: half, chooses: false) == .init(connections: [mic]))
    #expect(hand.manager.nodesWithAlternatives == ["desk"])
    #expect(hand.follow(Manager.allPorts + Self.phones) == Set(Self.toPhones + [mic]))
  }

  @Test func `without any alternative the node waits, which is reported once`() {
    var hand = ManagerRig()
    #expect(hand.manager.plan(among: []) == .init(waiting: ["desk"]))
    #expect(hand.manager.plan(among: []) == .init())
    #expect(Self.rule.description == "phones, else physical" && Self.rule.usesPhysicalPorts)
    #expect(!ConnectionRule.firstOf([.ports(["a"]), .pattern("b")]).usesPhysicalPorts)
  }

  @Test func `when the server returns, the choice is made again`() {
    var hand = ManagerRig()
    _ = hand.follow(Manager.allPorts)
    hand.manager.noteLost()
    hand.manager.noteReturned(among: Manager.allPorts + Self.phones)
    hand.manager.start()
    #expect(hand.follow(Manager.allPorts + Self.phones) == Set(Self.toPhones))
  }

  @Test func `each alternative keeps its own ports, also inside another`() {
    let deep = ConnectionRule.firstOf([.none, .firstOf([.ports(["a:x", "b:y"])]), .pattern("synth2?:.*")])
    var manager = ConnectionManager(client: "vocal")
    manager.add(Manager.capture("keys", deep, channels: 2))
    let synth = manager.plan(among: Manager.allPorts)
    #expect(synth.connections.map(\.source) == ["synth:left", "synth:right"])
    let more = [JackPort("b:y", .audio, .output), JackPort("a:x", .audio, .output)] + Manager.allPorts
    #expect(manager.plan(among: more).connections.map(\.source) == ["a:x", "b:y"])
    #expect(
      manager.plan(among: Manager.allPorts).connections.map(\.source) == ["synth:left", "synth:right"])
  }

  @Test func `nodes behind one with a choice take the same ports whatever it takes`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Manager.capture("mic", .firstOf([.ports(["synth:left"]), .automatic])))
    manager.add(Manager.capture("room", .automatic))
    let room = PortConnection(from: "system:capture_2", to: "vocal:room")
    #expect(
      manager.plan(among: Manager.allPorts).connections == [
        .init(from: "synth:left", to: "vocal:mic"), room,
      ])
    let less = Manager.allPorts.filter { $0.client != "synth" }
    #expect(
      manager.plan(among: less).connections == [
        PortConnection(from: "system:capture_1", to: "vocal:mic"), room,
      ])
  }

  @Test func `rules reach no excluded port, and manual connections reach all`() throws {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Manager.capture("mic", .automatic))
    manager.add(Manager.capture("keys", .ports(["synth"]), channels: 2))
    manager.add(Manager.playback("desk", Self.rule, channels: 2))
    func sources(_ reach: String...) throws -> [String] {
      manager.reach = try reach.map { text throws(JackError) in try PortPattern(reading: text) }
      return manager.plan(among: Manager.allPorts + Self.phones).connections.map(\.text)
    }
    #expect(try sources() == [])
    #expect(try sources("synth:right") == ["synth:right -> vocal:keys_1"])
    #expect(
      try sources("system") == [
        "system:capture_1 -> vocal:mic", "vocal:desk_1 -> system:playback_1",
        "vocal:desk_2 -> system:playback_2",
      ])
    #expect(
      try sources("/system:capture_[23]/", "phones").prefix(2) == [
        // A channel keeps its assigned port, and is assigned no other.
        "vocal:desk_1 -> phones:left", "vocal:desk_2 -> phones:right",
      ])
    #expect(try sources("physical").count == 3)
    let byHand = PortConnection(from: "synth:left", to: "vocal:mic")
    manager.noteConnected(byHand, byHand: true)
    manager.noteLost()
    #expect(try sources("physical").contains(byHand.text), "it is put in again")
  }

  @Test func `an invalid pattern is refused at any nesting depth`() {
    let rule = ConnectionRule.firstOf([.ports(["a"]), .firstOf([.pattern("(")])])
    let request = PortRequest(
      name: "desk", content: .audio, direction: .output, channels: 2, rule: rule, prettyName: "desk")
    #expect(throws: JackError.badPattern("(")) { try PortLayout(client: "vocal").number(for: request) }
  }

  @Test func `port patterns are parsed as written in manifests`() throws {
    #expect(try PortPattern(reading: "physical") == .physical)
    #expect(try PortPattern(reading: "system:playback_1") == .name("system:playback_1"))
    #expect(try PortPattern(reading: "/a.*/") == .pattern("a.*"))
    for text in ["", "/(/", "/a)|(b/"] {
      #expect(throws: JackError.self) { try PortPattern(reading: text) }
    }
    #expect(throws: JackError.numberedPort("physical:2")) { try PortPattern(reading: "physical:2") }
    for text in ["physical", "none", "system", "/b:.*/"] {
      #expect(try PortPattern(reading: text).description == text)
    }
    let port = JackPort("system:playback_1", .audio, .input)
    #expect(PortPattern.pattern("system:.*").matches(port) && !PortPattern.pattern("system").matches(port))
    #expect(PortPattern.name("system").matches(port) && !PortPattern.name("system:play").matches(port))
    #expect(!PortPattern.physical.matches(port) && !PortPattern.pattern("(").matches(port))
  }
}
