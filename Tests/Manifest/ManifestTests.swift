// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Swiftlet
import Testing

@testable import SwiftletManifest
import SwiftletGraph

@Suite struct `Manifest values` {
  func manifest(_ text: String) throws -> Manifest { try Manifest(ManifestText(text, file: "test.yaml")) }

  @Test func `every part of the language is read`() throws {
    let read = try manifest(
      """
      swiftlet: 1
      name: vocal
      nodes:
        mic:    { capture: mono, connect: "physical:1" }
        gate:   { lv2: "http://example.org/gate", preset: Voice, set: { threshold: -40 dB } }
        tone:   { effect: equalizer, set: { bands: [ { type: high-pass, frequency: 90 Hz }, { gain: 3 dB } ] } }
        echo:   { effect: delay, set: { time: 350 ms, mix: 25 % }, bypass: true, channels: stereo }
        music:  { player: songs/bed.flac, loop: forever, gain: -6 dB }
        keys:   { midi-in: , connect: "/a2j:.*/" }
        main:   { mixer: 4 }
        desk:   { playback: stereo, connect: [ "system:playback_1", none-such:in ] }
      wires:
        - mic -> gate -> tone -> echo -> main -> desk
        - mic -> main: -12 dB
        - music -> main: { gain: -3 dB, pan: -0.3 }
        - music[1] -> gate.sidechain[2]
        - echo -> tone: { feedback: true, delay: 512 }
      taps:
        dry: { after: mic,  record: { file: "{tap}-{take}.wav", format: 24-bit, start: armed } }
        wet: { after: main, record: "wet-{take}.flac" }
        ear: { before: desk }
        strip: { after: "mic -> main" }
      """)
    func text(_ text: String) -> Manifest.Text { Manifest.Text(text) }
    func set(_ name: String, _ value: String) -> Manifest.Setting { .init(text(name), .text(text(value))) }
    #expect(read.name == "vocal")
    #expect(
      read.nodes == [
        .init("mic", .capture(1), connection: .physical(first: 1)),
        .init(
          "gate", .lv2(text("http://example.org/gate")), settings: [set("threshold", "-40 dB")],
          preset: text("Voice")),
        .init(
          "tone", .effect(text("equalizer")),
          settings: [
            .init(
              text("bands"),
              .bands(
                [
                  .init([set("type", "high-pass"), set("frequency", "90 Hz")]), .init([set("gain", "3 dB")]),
                ],
                position: .start))
          ]),
        .init(
          "echo", .effect(text("delay")), settings: [set("time", "350 ms"), set("mix", "25 %")],
          isBypassed: true,
          channels: 2),
        .init("music", .player(text("songs/bed.flac")), loop: .forever, gain: -6),
        .init("keys", .midiIn, connection: .pattern("a2j:.*")),
        .init("main", .mixer(4)),
        .init("desk", .playback(2), connection: .ports(["system:playback_1", "none-such:in"])),
      ])
    #expect(
      read.wires == [
        .init(from: .init("mic"), to: .init("gate")), .init(from: .init("gate"), to: .init("tone")),
        .init(from: .init("tone"), to: .init("echo")), .init(from: .init("echo"), to: .init("main")),
        .init(from: .init("main"), to: .init("desk")),
        .init(from: .init("mic"), to: .init("main"), gain: -12),
        .init(from: .init("music"), to: .init("main"), gain: -3, pan: -0.3),
        .init(from: .init("music", channel: 1), to: .init("gate", bus: "sidechain", channel: 2)),
        .init(from: .init("echo"), to: .init("tone"), isFeedback: true, delay: 512),
      ])
    #expect(
      read.taps == [
        .init(
          "dry", .after, .node(.init("mic")),
          recording: .init(text("{tap}-{take}.wav"), format: .int24, start: .armed)),
        .init("wet", .after, .node(.init("main")), recording: .init(text("wet-{take}.flac"))),
        .init("ear", .before, .node(.init("desk"))),
        .init("strip", .after, .wire(from: .init("mic"), to: .init("main"))),
      ])
  }

  @Test func `a manifest can be JSON`() throws {
    let read = try manifest(
      #"{"swiftlet": 1, "nodes": {"mic": {"capture": 2}, "d": "playback"}, "wires": ["mic -> d"]}"#)
    #expect(read.nodes == [.init("mic", .capture(2)), .init("d", .playback(2))])
    #expect(read.wires == [.init(from: .init("mic"), to: .init("d"))])
  }

  @Test func `all errors are reported at once, in the order of the text`() {
    #expect {
      try manifest(
        "swiftlet: 2\nnodes:\n  Mic: { captur: mono, gain: 3 }\n  b: { effect: }\nwires: a -> b\ntabs:\n")
    } throws: { error in
      let lines = (error as? ManifestError)?.problems.map { $0.position?.line ?? 0 } ?? []
      return lines == lines.sorted() && Set(lines) == [1, 3, 4, 5, 6]
    }
  }

  @Test(
    arguments: [
      ("-40 dB", -40, "dB"), ("3kHz", 3, "kHz"), ("0.25", 0.25, nil), ("+1e3 ms", 1000, "ms"),
      ("25%", 25, "%"),
      (".5", 0.5, nil), ("010", 10, nil), ("-2 st", -2, "st"), ("120 bpm", 120, "bpm"), ("1e400", nil, nil),
      ("1:30", nil, nil), ("0x10", nil, nil), ("1_000", nil, nil), ("off", nil, nil), ("", nil, nil),
      ("-", nil, nil),
      ("3 db", nil, nil), ("nan", nil, nil), (".inf", nil, nil), ("3 ", nil, nil), ("3 4", nil, nil),
      ("1e", nil, nil),
    ] as [(String, Double?, String?)])
  func `a quantity is a decimal number and a unit`(text: String, number: Double?, unit: String?) {
    #expect(Quantity(text)?.number == number)
    #expect(Quantity(text)?.unit?.rawValue == unit)
  }

  @Test func `units that measure the same thing convert`() {
    #expect(Quantity("2 s")?.value(in: .milliseconds) == 2000)
    #expect(Quantity("350 ms")?.value(in: .seconds) == 0.35)
    #expect(Quantity("3 kHz")?.value(in: .hertz) == 3000)
    #expect(Quantity("-2 st")?.value(in: .cents) == -200)
    #expect(Quantity("50 cents")?.value(in: .semitones) == 0.5)
    #expect(Quantity("1 oct")?.value(in: .semitones) == 12)
    #expect(Quantity("7")?.value(in: .hertz) == 7)
    #expect(Quantity("3 dB")?.value(in: .hertz) == nil)
    #expect(Quantity("25 %")?.value(in: .none) == nil)
  }

  @Test(
    arguments: [
      ("a", "a", nil, nil), (" a.b ", "a", "b", nil), ("a[1]", "a", nil, 1),
      ("a-1.lv2_in[128]", "a-1", "lv2_in", 128),
      ("a[0]", "a", nil, 0), ("", nil, nil, nil), ("a b", nil, nil, nil), ("a.", nil, nil, nil),
      ("a[]", nil, nil, nil),
      ("a[1", nil, nil, nil), ("a[-1]", nil, nil, nil), ("a[9999]", nil, nil, nil), ("a.b.c", nil, nil, nil),
      ("é", nil, nil, nil), ("a[1] x", nil, nil, nil),
    ] as [(String, String?, String?, Int?)])
  func `a wire end has a node, a bus and a channel`(text: String, node: String?, bus: String?, channel: Int?)
  {
    let end = Manifest.End(reading: text)
    #expect(end?.node == node)
    #expect(end?.bus == bus)
    #expect(end?.channel == channel)
  }

  @Test(
    arguments: [
      ("treshold", "threshold"), ("equaliser", "equalizer"), ("Delay", "delay"), ("dealy", "delay"),
      ("low_pass", "low-pass"),
      ("xyz", nil), ("", nil),
    ] as [(String, String?)])
  func `the nearest name is found`(wrong: String, right: String?) {
    #expect(
      NearestName.nearest(to: wrong, among: ["threshold", "equalizer", "delay", "low-pass", "gain"]) == right)
  }
}
