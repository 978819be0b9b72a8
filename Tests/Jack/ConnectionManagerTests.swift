// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletJack

@Suite struct ConnectionManagerTests {
  // A sound card with four ports in each direction, one of them for MIDI, a synthesizer, and this client.
  static let allPorts: [JackPort] =
    (1...3).map { JackPort("system:capture_\($0)", .audio, .output, isPhysical: true) }
    + (1...3).map { JackPort("system:playback_\($0)", .audio, .input, isPhysical: true) }
    + [
      JackPort("system:midi_capture_1", .midi, .output, isPhysical: true),
      JackPort("synth:left", .audio, .output), JackPort("synth:right", .audio, .output),
      JackPort("vocal:desk_1", .audio, .output), JackPort("vocal:mic", .audio, .input),
    ]

  static func capture(_ name: String, _ rule: ConnectionRule, channels: Int = 1) -> ConnectionManager.Node {
    let ports = channels == 1 ? ["vocal:\(name)"] : (1...channels).map { "vocal:\(name)_\($0)" }
    return .init(name: name, direction: .input, content: .audio, ports: ports, rule: rule)
  }
  static func playback(_ name: String, _ rule: ConnectionRule, channels: Int = 1) -> ConnectionManager.Node {
    let ports = channels == 1 ? ["vocal:\(name)"] : (1...channels).map { "vocal:\(name)_\($0)" }
    return .init(name: name, direction: .output, content: .audio, ports: ports, rule: rule)
  }
  static func planned(_ nodes: ConnectionManager.Node...) -> [String] {
    var manager = ConnectionManager(client: "vocal")
    for node in nodes { manager.add(node) }
    return manager.plan(among: allPorts).connections.map(\.text)
  }

  @Test func `without a rule, nodes take the physical ports one after the other`() {
    #expect(
      Self.planned(Self.capture("mic", .automatic), Self.capture("room", .automatic, channels: 2)) == [
        "system:capture_1 -> vocal:mic", "system:capture_2 -> vocal:room_1",
        "system:capture_3 -> vocal:room_2",
      ])
    #expect(
      Self.planned(
        Self.playback("desk", .automatic, channels: 2), Self.playback("cue", .automatic, channels: 2)) == [
          "vocal:desk_1 -> system:playback_1", "vocal:desk_2 -> system:playback_2",
          "vocal:cue_1 -> system:playback_3",
        ])
  }

  @Test func `a mono playback node feeds both channels`() {
    let both = ["vocal:ear -> system:playback_1", "vocal:ear -> system:playback_2"]
    #expect(Self.planned(Self.playback("ear", .automatic)) == both)
    #expect(Self.planned(Self.playback("ear", .physical(from: 1))) == both)
    #expect(Self.planned(Self.playback("ear", .physical(from: 3))) == ["vocal:ear -> system:playback_3"])
  }

  @Test func `a physical rule counts from one, independent of other nodes`() {
    #expect(
      Self.planned(Self.capture("mic", .automatic), Self.capture("box", .physical(from: 1), channels: 2)) == [
        "system:capture_1 -> vocal:mic", "system:capture_1 -> vocal:box_1", "system:capture_2 -> vocal:box_2",
      ])
    #expect(Self.planned(Self.capture("far", .physical(from: 9))) == [])
  }

  @Test func `a name in a rule is a port or a whole client`() {
    #expect(Self.planned(Self.capture("mic", .ports(["synth:right"]))) == ["synth:right -> vocal:mic"])
    #expect(
      Self.planned(Self.capture("in", .ports(["synth"]), channels: 2)) == [
        "synth:left -> vocal:in_1", "synth:right -> vocal:in_2",
      ])
    #expect(Self.planned(Self.capture("mic", .ports(["synth:le"]))) == [])
    #expect(Self.planned(Self.playback("desk", .ports(["synth:left"]))) == [], "both are outputs")
  }

  @Test func `a pattern matches whole names, and neither own ports nor another type`() {
    #expect(Self.planned(Self.capture("mic", .pattern("capture_1"))) == [])
    #expect(Self.planned(Self.capture("mic", .pattern("system:.*_1"))) == ["system:capture_1 -> vocal:mic"])
    #expect(Self.planned(Self.capture("mic", .pattern("a|synth:left"))) == ["synth:left -> vocal:mic"])
    #expect(Self.planned(Self.capture("all", .pattern(".*"))).count == 5)
    #expect(Self.planned(Self.capture("mic", .none)) == [])
  }

  @Test func `a connection removed by hand stays removed until the next start, unless made again`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Self.capture("mic", .automatic))
    let connection = PortConnection(from: "system:capture_1", to: "vocal:mic")
    #expect(manager.plan(among: Self.allPorts).connections == [connection])
    manager.noteRemovedByUser(connection)
    #expect(manager.plan(among: Self.allPorts).connections == [])
    manager.noteConnected(connection)
    #expect(manager.plan(among: Self.allPorts).connections == [connection])
    manager.noteRemovedByUser(connection)
    manager.start()
    #expect(manager.plan(among: Self.allPorts).connections == [connection])
  }

  @Test func `a missing port is reported once, and connected when it appears`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Self.capture("keys", .ports(["organ"]), channels: 2))
    #expect(manager.plan(among: Self.allPorts) == .init(connections: [], waiting: ["keys"]))
    #expect(manager.plan(among: Self.allPorts) == .init())
    let later = Self.allPorts + [JackPort("organ:out", .audio, .output)]
    #expect(
      manager.plan(among: later).connections == [PortConnection(from: "organ:out", to: "vocal:keys_1")])
  }

  @Test func `a channel keeps its port while that is away, but a pattern may find another`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Self.capture("card", .automatic, channels: 2))
    manager.add(Self.capture("keys", .pattern("synth.*"), channels: 2))
    _ = manager.plan(among: Self.allPorts)
    let poorer = Self.allPorts.filter { $0.name != "system:capture_1" && $0.name != "synth:left" }
    #expect(
      manager.plan(among: poorer).connections == [
        PortConnection(from: "system:capture_2", to: "vocal:card_2"),
        PortConnection(from: "synth:right", to: "vocal:keys_2"),
      ])
    let other = poorer + [JackPort("synth2:left", .audio, .output)]
    #expect(
      manager.plan(among: other).connections.contains(
        PortConnection(from: "synth2:left", to: "vocal:keys_1")))
  }

  @Test func `rules are parsed as written in manifests`() throws {
    #expect(try ConnectionRule(reading: "none") == .none)
    #expect(try ConnectionRule(reading: "physical") == .physical(from: 1))
    #expect(try ConnectionRule(reading: "physical:3") == .physical(from: 3))
    #expect(try ConnectionRule(reading: "/a.*:b/") == .pattern("a.*:b"))
    #expect(try ConnectionRule(reading: "system:capture_1") == .ports(["system:capture_1"]))
    for text in [
      "", "physical:", "physical:0", "physical:-1", "physical:99999999999999999999", "/(/", "/a)|(b/",
    ] {
      #expect(throws: JackError.self) { try ConnectionRule(reading: text) }
    }
    let deep = "/" + String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000) + "/"
    #expect(throws: JackError.self) { try ConnectionRule(reading: deep) }
    let nested = "/" + String(repeating: "(", count: 500) + String(repeating: ")", count: 500) + "/"
    _ = try? ConnectionRule(reading: nested)  // read or refused, but no trap
  }

  @Test func `when the server returns, its connections are restored, except removed ones`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Self.playback("desk", .automatic, channels: 2))
    manager.start()
    let ruled = manager.plan(among: Self.allPorts).connections
    for connection in ruled { manager.noteConnected(connection) }
    let byHand = PortConnection(from: "vocal:desk_1", to: "system:playback_3")
    let elsewhere = PortConnection(from: "vocal:desk_1", to: "mixer:in")
    let outside = PortConnection(from: "synth:left", to: "mixer:in")
    for connection in [byHand, elsewhere, outside] { manager.noteConnected(connection) }
    manager.noteRemovedByUser(ruled[1])
    manager.noteLost()
    // Without ports first, and again with them: `start` alone would restore connections that were removed by hand.
    manager.noteReturned(among: [])
    #expect(manager.plan(among: []).connections == [])
    manager.start()
    #expect(manager.plan(among: Self.allPorts).connections == [ruled[0], byHand])
    manager.noteConnected(byHand)
    let later = Self.allPorts + [JackPort("mixer:in", .audio, .input)]
    #expect(manager.plan(among: later).connections == [ruled[0], elsewhere])
    // A connection removed then is no longer requested.
    manager.noteRemovedByUser(byHand)
    manager.noteLost()
    #expect(manager.plan(among: later).connections == [ruled[0], elsewhere])
    manager.remove("desk")
    #expect(manager.remembered.isEmpty && manager.present.isEmpty)
  }

  @Test func `a port that the new sound card lacks is assigned again when the server returns`() {
    var manager = ConnectionManager(client: "vocal")
    manager.add(Self.capture("mic", .automatic))
    let mic = { (card: String) in [JackPort("\(card):in", .audio, .output, isPhysical: true)] }
    #expect(manager.plan(among: mic("old")).connections.map(\.source) == ["old:in"])
    #expect(manager.plan(among: mic("new")).connections == [])
    manager.noteLost()
    manager.noteReturned(among: mic("new"))
    #expect(manager.plan(among: mic("new")).connections.map(\.source) == ["new:in"])
  }
}
