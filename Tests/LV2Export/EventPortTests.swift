// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// Atoms and sequences, made with the URIDs of ``MinimalHost``.
struct Atoms {
  typealias Event = (frame: Int64, type: String, body: [UInt8])

  static func number(_ name: String) -> UInt32 { MinimalHost.number("http://lv2plug.in/ns/ext/" + name) }

  static func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
  }

  /// Returns a sequence as it is in memory.
  static func sequence(_ events: [Event]) -> [UInt8] {
    var body = bytes(UInt64(0))
    for event in events {
      body += bytes(event.frame) + bytes(UInt32(event.body.count)) + bytes(number(event.type))
      body += padded(event.body)
    }
    return bytes(UInt32(body.count)) + bytes(number("atom#Sequence")) + body
  }

  /// Returns a `time:Position`, each value with the atom type of its Swift type.
  static func position(at frame: Int64, _ values: [(String, Any)], object: String = "atom#Object") -> Event {
    var body = bytes(UInt32(0)) + bytes(number("time#Position"))
    for (key, value) in values {
      let (type, plain): (String, [UInt8]) =
        switch value {
        case let value as Int32: ("atom#Int", bytes(value))
        case let value as Int64: ("atom#Long", bytes(value))
        case let value as Double: ("atom#Double", bytes(value))
        case let value as Float: ("atom#Float", bytes(value))
        default: ("atom#String", Array("\(value)".utf8))
        }
      body += bytes(number("time#" + key)) + bytes(UInt32(0))
      body += bytes(UInt32(plain.count)) + bytes(number(type)) + padded(plain)
    }
    return (frame, object, body)
  }

  /// Returns the events of a sequence that a plugin has written.
  static func read(_ memory: [UInt8]) -> [Event] {
    func word(_ offset: Int) -> UInt32 {
      memory.withUnsafeBytes { $0.load(fromByteOffset: offset, as: UInt32.self) }
    }
    var events: [Event] = [], offset = 16
    while offset < 8 + Int(word(0)) {
      let frame = memory.withUnsafeBytes { $0.load(fromByteOffset: offset, as: Int64.self) }
      let size = Int(word(offset + 8)), isMIDI = word(offset + 12) == number("midi#MidiEvent")
      events.append((frame, isMIDI ? "midi#MidiEvent" : "", Array(memory[offset + 16..<offset + 16 + size])))
      offset += 16 + (size + 7) & ~7
    }
    return events
  }
}

/// The host's transport and MIDI events, as an exported effect receives them.
struct EventPortTests {
  private func host() throws -> MinimalHost {
    try MinimalHost(TransportEffect.self, isMono: true, hasURIDMap: true)
  }

  private func send(_ host: MinimalHost, _ events: [Atoms.Event]) {
    host.write(bytes: Atoms.sequence(events), to: "keys_in")
  }

  private let rolling: [(String, Any)] = [
    ("frame", Int64(48_000)), ("speed", Float(1)), ("bar", Int64(2)), ("barBeat", Float(3.5)),
    ("beatUnit", Int32(8)), ("beatsPerBar", Float(6)), ("beatsPerMinute", Float(90)),
  ]

  @Test(arguments: ["atom#Object", "atom#Blank"])
  func `an effect gets the host's transport, which advances until the next message`(object: String) throws {
    let host = try host()
    send(host, [Atoms.position(at: 0, rolling, object: object)])
    host.run(1000)
    #expect(host["rolling"] == 1 && host["tempo"] == 90 && host["bar"] == 3 && host["beat"] == 3.5)
    #expect(host["beats_per_bar"] == 6 && host["beat_unit"] == 8)
    #expect(host.read("out", 1000) == (0..<1000).map { Float(48_000 + $0) })
    send(host, [])
    // At 90 beats per minute a beat is 32,000 frames: the next bar begins after 2.5 beats.
    host.run(7000)
    #expect(host.read("out", 7000) == (0..<7000).map { Float(49_000 + $0) })
    for _ in 0..<12 { host.run(6000) }
    host.run(1)
    #expect(host["bar"] == 4 && abs(host["beat"] - 0) < 1e-4)
    send(host, [Atoms.position(at: 0, [("frame", Int64(77)), ("speed", Float(0))])])
    host.run(100)
    send(host, [])
    host.run(100)
    // Values that the message omits are unknown.
    #expect(host["rolling"] == 0 && host["tempo"] == 0 && host["bar"] == 1)
    #expect(host.read("out", 100) == [Float](repeating: 77, count: 100))
  }

  @Test func `a transport change splits the run at its frame`() throws {
    let host = try host()
    let later: [(String, Any)] = [("frame", Int64(500)), ("speed", Float(1)), ("beatsPerMinute", Float(60))]
    send(host, [Atoms.position(at: 0, rolling), Atoms.position(at: 337, later)])
    host.run(2000)
    let expected = (0..<337).map { Float(48_000 + $0) } + (0..<1663).map { Float(500 + $0) }
    #expect(host.read("out", 2000) == expected)
    // Blocks of 337, 1024 and 639 frames.
    #expect(host["blocks"] == 3 && host["tempo"] == 60)
  }

  @Test func `an event with the lowest possible frame number has no effect on the transport`() throws {
    let host = try host()
    let late: [(String, Any)] = [("frame", Int64(500)), ("speed", Float(1))]
    send(
      host,
      [
        Atoms.position(at: 0, rolling), Atoms.position(at: 100, late),
        (Int64.min, "midi#MidiEvent", [0x90, 60, 100]),
      ])
    host.run(200)
    let expected = (0..<200).map { Float($0 < 100 ? 48_000 + $0 : 400 + $0) }
    #expect(host.read("out", 200) == expected)
  }

  @Test func `a run of 0 frames reads the transport`() throws {
    let host = try host()
    send(host, [Atoms.position(at: 0, rolling)])
    host.run(0)
    send(host, [])
    host.run(64)
    #expect(host["tempo"] == 90 && host.read("out", 64)[0] == 48_000)
  }

  @Test func `transport values of any number type are read, and strings and non-finite ones ignored`() throws
  {
    let host = try host()
    let odd: [(String, Any)] = [
      ("frame", Double(96_000)), ("speed", Int32(1)), ("bar", Float(4)), ("barBeat", Double(1.25)),
      ("beatsPerMinute", Double(140)), ("beatUnit", "eight"), ("beatsPerBar", Int64(7)),
    ]
    send(host, [Atoms.position(at: 0, odd)])
    host.run(10)
    #expect(host["tempo"] == 140 && host["bar"] == 5 && host["beat"] == 1.25 && host["beats_per_bar"] == 7)
    #expect(host["beat_unit"] == 0 && host.read("out", 1) == [96_000])
    let mad: [(String, Any)] = [
      ("frame", Double.infinity), ("speed", Float.infinity), ("bar", Int64.min), ("barBeat", Float.nan),
      ("beatsPerMinute", Float.infinity), ("beatsPerBar", Float.nan),
    ]
    send(host, [Atoms.position(at: 0, mad), Atoms.position(at: -5, [("speed", Float(-1e30))])])
    host.run(2000)
    send(host, [])
    host.run(2000)
    #expect(host["tempo"] == 0 && host["beat"].isFinite)
  }

  @Test func `MIDI events reach the effect and leave it at their frames`() throws {
    let host = try host()
    let played: [Atoms.Event] = [
      (0, "midi#MidiEvent", [0x90, 60, 100]), (1023, "midi#MidiEvent", [0x80, 60, 0]),
      (1024, "midi#MidiEvent", [0xF0, 1, 2, 3, 4, 5, 6, 7, 8, 0xF7]), (1500, "midi#MidiEvent", [0xC0, 7]),
    ]
    let other = Atoms.position(at: 1500, rolling)
    for _ in 0..<2 {
      send(host, played + [(1500, "atom#Int", [1, 2, 3, 4]), other, (1999, "midi#MidiEvent", [0xFE])])
      host.write(bytes: Atoms.bytes(UInt32(4096)) + Atoms.bytes(UInt32(0)), to: "keys_out")
      host.run(2000)
      let heard = Atoms.read(host.read(bytes: 4104, from: "keys_out"))
      let expected = played + [(1999, "midi#MidiEvent", [0xFE])]
      #expect(heard.map(\.frame) == expected.map(\.frame))
      #expect(heard.map(\.body) == expected.map(\.body))
      #expect(heard.allSatisfy { $0.type == "midi#MidiEvent" })
    }
    // The buffer has room for the sequence's head of 8 bytes and one event of 24.
    host.write(bytes: Atoms.bytes(UInt32(40)) + Atoms.bytes(UInt32(0)), to: "keys_out")
    host.run(2000)
    #expect(Atoms.read(host.read(bytes: 4104, from: "keys_out")).count == 1)
  }

  @Test func `invalid or truncated sequences are not read past their end`() throws {
    let host = try host()
    let whole = Atoms.sequence([Atoms.position(at: 0, rolling), (3, "midi#MidiEvent", [0x90, 60, 100])])
    for size in 0..<UInt32(whole.count) {
      host.write(bytes: Atoms.bytes(size) + whole.dropFirst(4), to: "keys_in")
      host.run(16)
    }
    // The size of an event, then of a property of an object, exceeds the sequence.
    var wild = whole
    wild.replaceSubrange(24..<28, with: Atoms.bytes(UInt32.max))
    host.write(bytes: wild, to: "keys_in")
    host.run(16)
    wild = whole
    wild.replaceSubrange(48..<52, with: Atoms.bytes(UInt32.max))
    host.write(bytes: wild, to: "keys_in")
    host.run(16)
    #expect(host["tempo"] == 0)
    host.write(bytes: whole.enumerated().map { $0 == 4 ? 99 : $1 }, to: "keys_in")
    host.run(16)
    #expect(host["rolling"] == 0)
    host.connect(host.port("keys_in"), to: nil)
    host.connect(host.port("keys_out"), to: nil)
    host.run(16)
  }

  @Test func `without a URID map no events are read, and the effect runs`() throws {
    let host = try MinimalHost(TransportEffect.self, isMono: true)
    send(host, [Atoms.position(at: 0, rolling)])
    host.run(100)
    #expect(host["tempo"] == 0 && host.read("out", 100) == [Float](repeating: 0, count: 100))
  }

  @Test func `the Turtle states what the event ports support`() throws {
    let host = try host()
    var file = TurtleWriter()
    host.plugin.write(to: &file)
    let text = file.text.replacing("\n\t\t", with: " ")
    #expect(text.contains("lv2:optionalFeature lv2:hardRTCapable , urid:map"))
    let port =
      "a atom:AtomPort , lv2:InputPort ; lv2:symbol \"keys_in\" ; lv2:name \"Keys\" ; "
      + "atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent ; atom:supports time:Position ; "
      + "lv2:designation lv2:control"
    #expect(text.contains(port))
    #expect(text.contains("a atom:AtomPort , lv2:OutputPort ; lv2:symbol \"keys_out\""))
    let delay = ExportedPlugin(Delay.self, isMono: false)
    #expect(delay.ports.last?.symbol == "control" && delay.ports.count == delay.portCount)
    #expect(!ExportedPlugin(Gain.self, isMono: false).ports.contains { $0.symbol == "control" })
  }
}
