// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

/// Rules with alternatives, and ports that a session excludes.
@Suite struct ConnectionChoiceTests {
  typealias Keeper = ConnectionKeeperTests
  static let phones = ["left", "right"].map { JackPort("phones:\($0)", .audio, .input, isPhysical: true) }
  static let rule = ConnectionRule.firstOf([.ports(["phones"]), .physical(from: 1)])
  static let toPhones = [
    Cable(from: "vocal:desk_1", to: "phones:left"), Cable(from: "vocal:desk_2", to: "phones:right"),
  ]
  static let toCard = [
    Cable(from: "vocal:desk_1", to: "system:playback_1"),
    Cable(from: "vocal:desk_2", to: "system:playback_2"),
  ]

  /// A keeper of a stereo desk whose requested connections are made.
  struct Hand {
    var keeper = ConnectionKeeper(client: "vocal")

    init(_ rule: ConnectionRule = ConnectionChoiceTests.rule) {
      keeper.add(Keeper.playback("desk", rule, channels: 2))
    }

    /// Applies the rules to these ports, of which some refuse, and returns the connections.
    mutating func follow(_ studio: [JackPort], refused: [JackPort] = []) -> Set<Cable> {
      let wish = keeper.wishes(among: studio)
      for cable in wish.cables
      where !keeper.present.contains(cable) && !refused.contains(where: { $0.name == cable.destination }) {
        keeper.noteMade(cable)
        keeper.noteConnected(cable)
      }
      for choice in wish.choices {
        let isServed = !keeper.present.isDisjoint(with: choice.cables)
        for cable in keeper.noteFollowed(choice, isServed: isServed) { keeper.noteGone(cable) }
      }
      return keeper.present
    }

    mutating func lose(_ ports: [JackPort]) {
      for cable in keeper.present where ports.contains(where: { $0.name == cable.destination }) {
        keeper.noteGone(cable)
      }
    }
  }

  @Test func `the first available alternative is used, the next when it goes, and the first on return`() {
    var hand = Hand()
    #expect(hand.keeper.choosers == [])
    for _ in 0..<3 {
      #expect(hand.follow(Keeper.studio) == Set(Self.toCard))
      #expect(hand.follow(Keeper.studio + Self.phones) == Set(Self.toPhones))
      #expect(hand.keeper.choosers == ["desk"])
      hand.lose(Self.phones)
    }
    #expect(hand.follow([]) == [])
    #expect(hand.keeper.choosers == [])
  }

  @Test func `the preferred ports are connected before the others are disconnected`() {
    var hand = Hand()
    _ = hand.follow(Keeper.studio)
    let wish = hand.keeper.wishes(among: Keeper.studio + Self.phones)
    let choice = ConnectionKeeper.Choice(node: "desk", cables: Self.toPhones, surplus: Self.toCard)
    #expect(wish == .init(cables: Self.toPhones, choices: [choice]))
  }

  @Test func `if the preferred ports cannot be connected, the current ones are kept`() {
    let both = Keeper.studio + Self.phones
    var hand = Hand()
    _ = hand.follow(Keeper.studio)
    #expect(hand.follow(both, refused: Self.phones) == Set(Self.toCard))
    #expect(hand.keeper.choosers == [], "what it follows is not what it is connected to")
    // One of two is better than none.
    #expect(hand.follow(both, refused: [Self.phones[1]]) == [Self.toPhones[0]])
    #expect(hand.keeper.choosers == ["desk"])
    #expect(hand.follow(both) == Set(Self.toPhones))
    // Manually removed connections stay removed, even after their ports were away; the others stay connected meanwhile.
    for cable in Self.toPhones { hand.keeper.notePulled(cable) }
    #expect(hand.follow(both) == [] && hand.keeper.choosers == [])
    #expect(hand.follow(Keeper.studio) == Set(Self.toCard) && hand.keeper.choosers == ["desk"])
    #expect(hand.follow(both) == Set(Self.toCard) && hand.keeper.choosers == [])
  }

  @Test func `connections made or removed by hand are left alone`() {
    let byHand = Cable(from: "vocal:desk_1", to: "system:playback_3")
    var hand = Hand()
    _ = hand.follow(Keeper.studio)
    hand.keeper.noteConnected(byHand, byHand: true)
    // Removed and made again by hand, the connection no longer belongs to the rule.
    hand.keeper.notePulled(Self.toCard[0])
    hand.keeper.noteConnected(Self.toCard[0], byHand: true)
    #expect(hand.follow(Keeper.studio + Self.phones) == Set(Self.toPhones + [byHand, Self.toCard[0]]))
    // A preferred connection that was removed by hand is not replaced by the others.
    for cable in Self.toPhones { hand.keeper.notePulled(cable) }
    #expect(hand.follow(Keeper.studio + Self.phones) == [byHand, Self.toCard[0]])
  }

  @Test func `while a device's ports appear and disappear one by one, nothing is chosen`() {
    var hand = Hand()
    hand.keeper.add(Keeper.capture("mic", .automatic))
    _ = hand.follow(Keeper.studio)
    let half = Keeper.studio + Self.phones.prefix(1)
    let mic = Cable(from: "system:capture_1", to: "vocal:mic")
    #expect(hand.keeper.wishes(among: half, chooses: false) == .init(cables: [mic]))
    #expect(hand.keeper.choosers == ["desk"])
    #expect(hand.follow(Keeper.studio + Self.phones) == Set(Self.toPhones + [mic]))
  }

  @Test func `without any alternative the node waits, which is reported once`() {
    var hand = Hand()
    #expect(hand.keeper.wishes(among: []) == .init(waiting: ["desk"]))
    #expect(hand.keeper.wishes(among: []) == .init())
    #expect(Self.rule.description == "phones, else physical" && Self.rule.wantsSocket)
    #expect(!ConnectionRule.firstOf([.ports(["a"]), .pattern("b")]).wantsSocket)
  }

  @Test func `when the server returns, the choice is made again`() {
    var hand = Hand()
    _ = hand.follow(Keeper.studio)
    hand.keeper.noteLost()
    hand.keeper.noteReturned(among: Keeper.studio + Self.phones)
    hand.keeper.start()
    #expect(hand.follow(Keeper.studio + Self.phones) == Set(Self.toPhones))
  }

  @Test func `each alternative keeps its own ports, also inside another`() {
    let deep = ConnectionRule.firstOf([.none, .firstOf([.ports(["a:x", "b:y"])]), .pattern("synth2?:.*")])
    var keeper = ConnectionKeeper(client: "vocal")
    keeper.add(Keeper.capture("keys", deep, channels: 2))
    let synth = keeper.wishes(among: Keeper.studio)
    #expect(synth.cables.map(\.source) == ["synth:left", "synth:right"])
    let more = [JackPort("b:y", .audio, .output), JackPort("a:x", .audio, .output)] + Keeper.studio
    #expect(keeper.wishes(among: more).cables.map(\.source) == ["a:x", "b:y"])
    #expect(keeper.wishes(among: Keeper.studio).cables.map(\.source) == ["synth:left", "synth:right"])
  }

  @Test func `nodes behind one with a choice take the same ports whatever it takes`() {
    var keeper = ConnectionKeeper(client: "vocal")
    keeper.add(Keeper.capture("mic", .firstOf([.ports(["synth:left"]), .automatic])))
    keeper.add(Keeper.capture("room", .automatic))
    let room = Cable(from: "system:capture_2", to: "vocal:room")
    #expect(keeper.wishes(among: Keeper.studio).cables == [.init(from: "synth:left", to: "vocal:mic"), room])
    let less = Keeper.studio.filter { $0.client != "synth" }
    #expect(
      keeper.wishes(among: less).cables == [Cable(from: "system:capture_1", to: "vocal:mic"), room])
  }

  @Test func `rules reach no excluded port, and manual connections reach all`() throws {
    var keeper = ConnectionKeeper(client: "vocal")
    keeper.add(Keeper.capture("mic", .automatic))
    keeper.add(Keeper.capture("keys", .ports(["synth"]), channels: 2))
    keeper.add(Keeper.playback("desk", Self.rule, channels: 2))
    func sources(_ reach: String...) throws -> [String] {
      keeper.reach = try reach.map { text throws(JackError) in try PortPattern(reading: text) }
      return keeper.wishes(among: Keeper.studio + Self.phones).cables.map(\.text)
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
    let byHand = Cable(from: "synth:left", to: "vocal:mic")
    keeper.noteConnected(byHand, byHand: true)
    keeper.noteLost()
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
    #expect(throws: JackError.countedPort("physical:2")) { try PortPattern(reading: "physical:2") }
    for text in ["physical", "none", "system", "/b:.*/"] {
      #expect(try PortPattern(reading: text).description == text)
    }
    let port = JackPort("system:playback_1", .audio, .input)
    #expect(PortPattern.pattern("system:.*").matches(port) && !PortPattern.pattern("system").matches(port))
    #expect(PortPattern.name("system").matches(port) && !PortPattern.name("system:play").matches(port))
    #expect(!PortPattern.physical.matches(port) && !PortPattern.pattern("(").matches(port))
  }
}
