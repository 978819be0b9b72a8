// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import SwiftletTesting

@testable import SwiftletManifest

/// Makes random manifests with every part of the language.
struct ManifestMaker {
  var random: SeededGenerator

  mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &random)] }
  mutating func chance() -> Bool { Bool.random(using: &random) }
  mutating func few<T>(_ limit: Int, _ make: (inout Self) -> T) -> [T] {
    (0..<Int.random(in: 0...limit, using: &random)).map { _ in make(&self) }
  }

  mutating func text() -> Manifest.Text {
    let odd = [
      "a", "Voice", "http://example.org/x#y", "null", "~", "off", "1:30", "-40 dB", "25 %", "true", "a: b",
      "a #b", "- x",
      "'q'", "\"", "\\", "{tap}-{take}.wav", "ä ö", "a,b", "[x]", "&a", "*a", "!t", "| x", "> x", "%x", "@x",
      "`x", " x ",
      "?", "? x", "-", "--- x", "...", "\u{1F3A4}", "\u{2028}", "a\u{FEFF}b", "\u{E000}", "\u{200B}",
      "e\u{301}", "010",
      String(repeating: "long ", count: 40),
    ]
    return Manifest.Text(pick(odd))
  }

  mutating func double() -> Double {
    pick([0.5, -0.3, 3, -12, 0.1, 1e-7, -95.99999999999999, 23.999, 1 / 3])
  }

  mutating func end(_ names: [String]) -> Manifest.End {
    Manifest.End(
      pick(names), bus: chance() ? nil : pick(["in", "sidechain", "lv2_in"]), channel: chance() ? nil : 3)
  }

  mutating func setting() -> Manifest.Setting {
    let bands: Manifest.Value = .bands(
      few(5) { maker in Manifest.Band(maker.settings(of: maker.few(2) { $0.text() })) }, position: .start)
    return Manifest.Setting(text(), chance() ? bands : .text(text()))
  }

  /// Returns settings with distinct names.
  mutating func settings(of names: [Manifest.Text]) -> [Manifest.Setting] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0.text).inserted }.map { Manifest.Setting($0, .text(text())) }
  }

  mutating func node(_ name: String) -> Manifest.Node {
    let channels = pick([1, 2, 3, 64])
    let kind = pick(KindKey.allCases)
    let connection = pick(
      [
        nil, .nowhere, .physical(first: 1), .physical(first: 9), .pattern("a2j:.* [x]"),
        .ports(["system:playback_1"]),
        .ports(["a:b", "c d:e, f"]), .ports([]),
        .firstOf([.ports(["phones"]), .pattern("a.*"), .ports(["a:b", "c:d"]), .physical(first: 3)]),
      ] as [Manifest.Connection?])
    switch kind {
    case .capture: return .init(name, .capture(channels), connection: connection)
    case .playback: return .init(name, .playback(channels), connection: connection)
    case .midiIn: return .init(name, .midiIn, connection: connection)
    case .midiOut: return .init(name, .midiOut, connection: connection)
    case .mixer: return .init(name, .mixer(channels), gain: chance() ? 0 : double())
    case .player:
      return .init(
        name, .player(text()), loop: pick([.once, .forever, .times(2), .times(1_000_000)]),
        gain: chance() ? 0 : double())
    case .effect, .lv2:
      var seen: Set<String> = []
      return .init(
        name, kind == .effect ? .effect(text()) : .lv2(text()),
        settings: few(6) { $0.setting() }.filter { seen.insert($0.parameter.text).inserted },
        preset: chance() ? nil : text(), isBypassed: chance(), channels: chance() ? nil : channels)
    }
  }

  mutating func time() -> MediaTime {
    pick([
      .zero, .seconds(3), .milliseconds(1250), .microseconds(7), MediaTime(frames: 44_101, at: 44_100),
      .seconds(5000),
    ])
  }

  mutating func span() -> Range<MediaTime> {
    let start = time()
    return start..<(start + pick([.milliseconds(1), .seconds(60)]))
  }

  mutating func clip() -> Manifest.Clip {
    let lasts = chance() ? nil : time()
    return Manifest.Clip(
      text(), from: time(), to: chance() ? nil : time(), at: chance() ? nil : time(), lasts: lasts,
      until: lasts != nil || chance() ? nil : time(), keepsPitch: chance())
  }

  mutating func move() -> Manifest.MixSegment {
    let curve = pick(
      [.linear, .decibels, .exponential(steepness: -2.5), .bezier(x1: 0.1, y1: -1, x2: 1, y2: 0.5)]
        as [Automation.Curve])
    let at = time()
    return pick([
      Manifest.MixSegment(.volume(from: nil, to: pick([0, 0.1, 12])), in: at..<at, curve: curve),
      Manifest.MixSegment(.volume(from: 0.3, to: 1), in: span(), curve: curve),
      Manifest.MixSegment(.volume(from: nil, to: 1), in: span()),
      Manifest.MixSegment(.pan(from: -1, to: 0.25, law: nil), in: span()),
      Manifest.MixSegment(.pan(from: nil, to: -1, law: pick(PanLaw.allCases)), in: at..<at),
      Manifest.MixSegment(.ducked(from: 1, to: 0.251_188_6), in: span(), curve: curve),
      Manifest.MixSegment(.ducking(under: text(), (try? Ducking(depth: -20.5, hold: time())) ?? Ducking())),
    ])
  }

  mutating func lane(_ target: Manifest.Lane.Target) -> Manifest.Lane {
    let at = time()
    return Manifest.Lane(
      target,
      pick([
        [Manifest.LaneSegment(to: text(), in: at..<at)],
        [Manifest.LaneSegment(to: text(), in: at..<at, curve: .step)],
        [Manifest.LaneSegment(from: text(), to: text(), in: span(), curve: .exponential(steepness: -2.5))],
        [
          Manifest.LaneSegment(to: text(), in: at..<at),
          Manifest.LaneSegment(to: text(), in: span(), curve: .sCurve),
        ],
      ]))
  }

  mutating func lanes(_ names: [String]) -> [Manifest.Lane] {
    let targets =
      [
        .node(Manifest.Text(pick(names)), parameter: "feedback"),
        .node(Manifest.Text("a b"), parameter: "bands[2].gain"),
        .wire(from: Manifest.End(pick(names)), to: Manifest.End("x", bus: "y", channel: 2), value: "pan"),
      ] as [Manifest.Lane.Target]
    return targets.filter { _ in chance() }.map { lane($0) }
  }

  mutating func track(_ name: String) -> Manifest.Node {
    Manifest.Node(
      name,
      .track(
        Manifest.Track(
          few(4) { $0.clip() }, mix: few(4) { $0.move() }, isEnabled: chance(),
          volume: pick([1, 0, 0.1, 15.8]))))
  }

  mutating func tempoMap() -> TempoMap? {
    guard
      var tempoMap = try? TempoMap(
        pick([120, 96.5, 1 / 3 + 60]), timeSignature: pick([.common, TempoMap.TimeSignature(7, 8)]))
    else {
      return nil
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      try? tempoMap.setTimeSignature(
        pick([.common, TempoMap.TimeSignature(3, 4), TempoMap.TimeSignature(6, 8)]),
        fromBar: pick([1, 5, 700]))
      try? tempoMap.setTempo(pick([40, 133.7, 1000]), at: pick([0, 4, 16.5, 1000.125]), glides: chance())
    }
    return tempoMap
  }

  mutating func session() -> AudioSession? {
    pick([
      nil, AudioSession(), AudioSession(.multiRoute, options: [.exclusive, .duckOthers], mode: .measurement),
      AudioSession(.ambient, mode: .spokenAudio, duckLevel: -7.25),
      AudioSession(options: [.mixWithOthers], mode: .voicePrompt, ports: []),
      AudioSession(ports: [.physical, .name("none"), .name("a b:c"), .pattern("system:[a-z]+, .*")]),
    ])
  }

  /// Returns a wire, or the properties that a send shares with a wire.
  mutating func wire(from source: Manifest.End, _ names: [String]) -> Manifest.Wire {
    let isFeedback = chance()
    var wire = Manifest.Wire(
      from: source, to: end(names), gain: chance() ? 0 : double(),
      pan: chance() ? nil : pick([0, -1, 0.25]), isFeedback: isFeedback,
      delay: isFeedback && chance() ? 512 : nil)
    wire.panLaw = chance() ? nil : pick(PanLaw.allCases)
    wire.phase = chance() ? .normal : .inverted
    wire.isMuted = chance()
    return wire
  }

  mutating func manifest() -> Manifest {
    let names = (0...Int.random(in: 0...8, using: &random)).map { "node-\($0)" }
    let tracks = (0..<Int.random(in: 0...2, using: &random)).map { track("track-\($0)") }
    var manifest = Manifest(
      name: chance() ? nil : pick(["vocal", "My Song", "null", "a #b"]), session: session(),
      tempo: chance() ? nil : tempoMap(),
      nodes: names.map { node($0) } + tracks,
      wires: few(9) { maker in
        var wire = maker.wire(from: maker.end(names), names)
        wire.trim = maker.chance() ? 0 : maker.double()
        (wire.isSolo, wire.isSoloSafe) = (maker.chance(), maker.chance())
        var seen: Set<String> = []
        wire.sends = maker.few(3) { maker in
          var send = maker.wire(from: wire.from, names)
          send.isPreFader = maker.chance()
          return send
        }.filter { seen.insert("\($0.to)").inserted }
        return wire
      },
      taps: (0..<Int.random(in: 0...3, using: &random)).map { number in
        let recording = Manifest.Recording(
          text(), format: pick([nil, .int16, .int24, .float32]),
          output: chance() ? nil : text(), start: pick([.now, .armed]),
          overwrites: chance())
        return Manifest.Tap(
          "tap-\(number)", pick([.before, .after]),
          chance() ? .node(end(names)) : .wire(from: end(names), to: end(names)),
          recording: chance() ? nil : recording)
      })
    manifest.video = few(3) { maker in
      var clip = maker.clip()
      clip.keepsPitch = true
      return clip
    }
    manifest.transport = pick([.own, .follow, .lead])
    if manifest.transport == .own {
      let start = pick([0, 7, 12_345])
      manifest.loop = pick([nil, .milliseconds(start)..<(.milliseconds(start + 50)), .zero..<(.seconds(90))])
      manifest.start = pick([.now, .paused])
    }
    manifest.lanes = lanes(names)
    manifest.master = few(2) { $0.move() }
    manifest.declick = pick([.zero, .milliseconds(5), .seconds(1)])
    return manifest
  }
}
