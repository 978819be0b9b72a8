// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import Testing

@testable import SwiftletManifest

@Suite struct `Checked manifests` {
  func resolved(_ text: String, warnings: Int = 0) throws -> ResolvedManifest {
    let manifest = try ManifestText(text, file: "My Song.yaml").check(against: TestCatalog.catalog)
    #expect(manifest.warnings.count == warnings, "\(manifest.warnings)")
    return manifest
  }

  @Test func `the folders of takes are listed with how many of their levels depend on the take`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { tone: { capture: mono }, desk: { playback: mono } }
      wires: [ tone -> desk ]
      taps:
        a: { after: tone, record: "{tap}.wav" }
        b: { after: tone, record: "day/{date}/{time}/{tap}.wav" }
        c: { after: tone, record: "/srv/{tap}.wav" }
        d: { after: tone, record: "day/{tap}.wav" }
      """)
    #expect(manifest.folders(ofTakesIn: "takes") == ["takes": 0, "takes/day": 2, "/srv": 0])
  }

  /// Returns the channel counts of a node's buses, inputs first; 0 for event buses.
  func widths(_ manifest: ResolvedManifest, _ name: String) -> [Int] {
    let node = manifest.nodes.first { $0.name == name }
    return node.map { ($0.inputs + $0.outputs).map(\.format.channelCount) } ?? []
  }

  //   mic (1) ──► a ──► gate ──► desk (2)
  @Test func `a node takes the channel count of its input`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes:
        desk: playback
        gate: { lv2: "http://example.org/gate" }
        a: { effect: delay }
        mic: { capture: mono }
      wires: [ mic -> a -> gate -> desk ]
      """)
    #expect(widths(manifest, "a") == [1, 1])
    // The channel count of the gate's side chain is fixed.
    #expect(widths(manifest, "gate") == [1, 1, 1])
  }

  @Test func `an effect may have more outputs than inputs`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes:
        mic: capture
        six: { capture: 6 }
        room: { lv2: "http://example.org/room" }
        hall: { lv2: "http://example.org/room" }
        desk: playback
      wires: [ mic -> room, room -> desk, six -> hall, "hall[1] -> desk" ]
      """)
    #expect(widths(manifest, "room") == [1, 2])
    #expect(widths(manifest, "hall") == [6, 6])
  }

  //   mic (1) ─┬─► a ──► desk
  //   six (6) ─┘
  @Test func `a node takes the channel count of its widest input wire`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { mic: capture, six: { capture: 6 }, a: { effect: gain }, desk: { playback: 6 } }
      wires: [ mic -> a, six -> a, a -> desk ]
      """)
    #expect(widths(manifest, "a") == [6, 6])
  }

  //   six[5] ──► a ──► b[3] ──► desk
  @Test func `a wire from a channel has one channel, and a wire into channel 3 requires three`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { six: { capture: 6 }, a: { effect: gain }, b: { effect: gain }, desk: { playback: 3 } }
      wires: [ "six[5] -> a", "a -> b[3]", "b -> desk" ]
      """)
    #expect(widths(manifest, "a") == [1, 1])
    #expect(widths(manifest, "b") == [3, 3])
    #expect(manifest.wires.map(\.from.channel) == [4, nil, nil])
    #expect(manifest.wires.map(\.to.channel) == [nil, 2, nil])
  }

  @Test func `the key channels overrides the wires, and a node without input is stereo`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { mic: capture, a: { effect: gain, channels: 4 }, b: { effect: gain }, desk: { playback: 4 } }
      wires: [ mic -> a -> desk, b -> desk ]
      """, warnings: 1)
    #expect(widths(manifest, "a") == [4, 4])
    #expect(widths(manifest, "b") == [2, 2])
  }

  //            ┌──────────────┐ feedback
  //            ▼              │
  //   mic ──► a ──► wide (2) ─┴─► desk
  @Test func `a feedback wire does not change the channel count of its target`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { mic: capture, a: { effect: gain }, w: { lv2: "http://example.org/wide" }, desk: playback }
      wires:
        - mic -> a -> w -> desk
        - w -> a: { gain: -6 dB, feedback: true }
      """)
    #expect(widths(manifest, "a") == [1, 1])
    #expect(manifest.wires.map(\.feedback) == [nil, nil, nil, 1024])
  }

  @Test func `a side chain does not change the channel count of its node`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { mic: capture, six: { capture: 6 }, gate: { lv2: "http://example.org/gate" }, desk: playback }
      wires: [ mic -> gate -> desk, six -> gate.sidechain ]
      """)
    #expect(widths(manifest, "gate") == [1, 1, 1])
    #expect(manifest.wires.last?.to == .init(node: 2, bus: 1, channel: nil))
  }

  //   a (1) ──► room.in[2]      one channel for each source, one source for each channel
  @Test func `an effect with a channel for each source gets as many sources as channels`() throws {
    func room(_ node: String, _ wire: String) throws -> (widths: [Int], sources: Int) {
      let manifest = try resolved(
        """
        swiftlet: 1
        nodes:
          a: capture
          room: \(node)
          desk: playback
        wires:
          - \(wire)
          - room -> desk
        """)
      return (widths(manifest, "room"), manifest.nodes.first { $0.name == "room" }?.bandCount ?? 0)
    }
    let written = "set: { sources: [ { x: 1 }, { x: 2 }, { x: 3 } ] }"
    #expect(try room("{ effect: room }", "a -> room.in[2]") == ([2, 2, 1], 2))
    #expect(try room("{ effect: room, \(written) }", "a -> room.in[2]") == ([3, 2, 1], 3))
    #expect(try room("{ effect: room, \(written) }", "a -> room.in[4]") == ([4, 2, 1], 4))
    #expect(try room("{ effect: room, channels: 4, \(written) }", "a -> room.in[1]") == ([4, 2, 1], 4))
  }

  @Test func `a MIDI wire without a bus name uses the event bus`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { keys: midi-in, synth: { lv2: "http://example.org/synth" }, desk: playback, out: midi-out }
      wires: [ keys -> synth -> desk, keys -> out ]
      """)
    #expect(widths(manifest, "synth") == [0, 2])
    #expect(manifest.nodes[1].inputs == [.init(symbol: "events", format: .events)])
  }

  @Test func `parameters are resolved to numbers, and values to the parameter's unit`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes:
        mic: capture
        gate:
          lv2: "http://example.org/gate"
          preset: Voice
          set: { threshold: -40 dB, hold: 20 ms, mode: expand, listen: true, poles: 4, amount: 1e3 }
        tone:
          effect: equalizer
          set: { gain: -1, bands: [ { type: high-pass, frequency: 0.09 kHz }, {}, { bandwidth: 4 st, gain: 3 dB } ] }
        echo: { effect: delay, set: { time: 0.35 s, mix: 25 % }, bypass: true }
        desk: playback
      wires: [ mic -> gate -> tone -> echo -> desk ]
      """)
    let values = manifest.nodes.map { node in node.values.map { [Float($0.parameter), $0.value] } }
    #expect(values[1] == [[2, -40], [3, 0.02], [4, 1], [5, 1], [6, 4], [7, 1000]])
    // The first parameter of the first band has number 1.
    #expect(values[2] == [[0, -1], [1, 2], [2, 90], [17, Float(4.0 / 12)], [18, 3]])
    #expect(values[3] == [[0, 350], [3, 25]])
    #expect(manifest.nodes[1].preset == "http://example.org/gate#voice")
    #expect(manifest.nodes.map(\.bandCount) == [0, 0, 3, 0, 0])
    #expect(manifest.nodes.map(\.isBypassed) == [false, false, false, true, false])
  }

  @Test func `file paths are relative to the manifest, and its file name names the client`() throws {
    let text =
      "swiftlet: 1\nnodes: { music: { player: songs/bed.flac }, desk: playback }\nwires: [ music -> desk ]"
    let manifest = try ManifestText(text, file: "studio/My: Song.yaml").check(against: TestCatalog.catalog)
    #expect(manifest.nodes[0].kind == .player(path: "studio/songs/bed.flac", loop: .once))
    #expect(manifest.name == "My- Song")
    #expect(try resolved(text).nodes[0].kind == .player(path: "songs/bed.flac", loop: .once))
    for (word, loops) in [("once", Loops.once), ("3", .times(3)), ("forever", .forever)] {
      let looped = try resolved(text.replacing(".flac }", with: ".flac, loop: \(word) }"))
      #expect(looped.nodes[0].kind == .player(path: "songs/bed.flac", loop: loops))
    }
    let absolute = try resolved(text.replacing("songs/", with: "/srv/"))
    #expect(absolute.nodes[0].kind == .player(path: "/srv/bed.flac", loop: .once))
    let slow = try resolved(
      text.replacing(".flac }", with: ".flac, speed: 0.5, varispeed: 2, pitch: -300 cents, engine: fast }"))
    #expect(slow.nodes[0].stretch == Stretch(speed: 0.5, varispeed: 2, pitch: -3))
    #expect(slow.nodes[0].algorithm == .fast && manifest.nodes[0].algorithm == nil)
    #expect(manifest.nodes[0].stretch == Stretch())
  }

  @Test func `client names are made valid for JACK`() throws {
    for (stem, name) in [("a\tb", "a-b"), ("a:b\u{7F}", "a-b-"), ("e\u{301}\n", "e\u{301}-")] {
      #expect(ClientName.made(from: stem) == name)
      #expect(ClientName.problem(with: stem) != nil)
      #expect(ClientName.problem(with: name) == nil)
    }
    #expect(ClientName.made(from: "") == "swiftlet")
  }

  @Test(arguments: [
    ("x", "", "x"), ("a/b.yaml", "a", "b"), ("/b.yaml", "/", "b"), ("a.b/.c", "a.b", ".c"), ("", "", ""),
    ("./../d.e.f", "./..", "d.e"), ("a/", "a", ""), ("/", "/", ""), ("é", "", "é"),
  ])
  func `a path has a directory and a stem`(path: String, directory: String, stem: String) {
    #expect(ManifestPath(path).directory == directory)
    #expect(ManifestPath(path).stem == stem)
  }

  @Test func `a chain of 5,000 nodes is checked without recursion in less than a minute`() throws {
    let names = (0..<5_000).map { "n\($0)" }
    let nodes = names.map { "  \($0): { effect: gain }" }.joined(separator: "\n")
    let text = "swiftlet: 1\nnodes:\n  mic: capture\n\(nodes)\n  desk: playback\nwires:\n  - mic -> "
    let start = ContinuousClock.now
    let manifest = try resolved(text + names.joined(separator: " -> ") + " -> desk")
    #expect(manifest.wires.count == 5_001)
    #expect(widths(manifest, "n4999") == [1, 1])
    #expect(throws: ManifestError.self) {
      try resolved(text + names.joined(separator: " -> ") + " -> n0 -> desk")
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `a tap on a wire has the channel count of that end`() throws {
    let manifest = try resolved(
      """
      swiftlet: 1
      nodes: { mic: capture, desk: playback }
      wires: [ mic -> desk, "mic -> desk[2]" ]
      taps:
        before: { before: mic -> desk }
        after: { after: mic -> desk }
        right: { after: "mic -> desk[2]" }
      """)
    #expect(manifest.taps.map(\.point) == [.wire(0), .wire(0), .wire(1)])
    #expect(manifest.taps.map(\.channelCount) == [1, 2, 1])
  }

  @Test(arguments: [
    ("mic -> gate", "found no wire 'mic -> gate'; expected a wire of the manifest with the same ends"),
    ("mic -> desk -> mic", "found a chain of wires; expected one, as in mic -> desk"),
    ("keys -> out", "found 'keys -> out', which carries events; expected sound: a tap records audio only"),
  ])
  func `a tap on something other than an audio wire is an error`(point: String, message: String) {
    #expect {
      try resolved(
        """
        swiftlet: 1
        nodes: { mic: capture, gate: { effect: delay }, desk: playback, keys: midi-in, out: midi-out }
        wires: [ mic -> desk, "mic[1] -> gate -> desk", keys -> out ]
        taps: { t: { after: \(point) } }
        """)
    } throws: { error in
      (error as? ManifestError)?.problems.map(\.message) == [message]
    }
  }

  @Test func `errors in a recording are reported besides those in its tap`() {
    #expect {
      try resolved(
        """
        swiftlet: 1
        nodes:
          mic: capture
        taps:
          far: { after: mik, record: far.xyz }
          bus: { after: mic.aux, record: "{tapp}.wav" }
          both: { after: desk, record: { file: both.flac, format: 32-float } }
        """)
    } throws: { error in
      (error as? ManifestError)?.problems.compactMap { $0.position?.line } == [5, 5, 6, 6, 7, 7]
    }
  }
}
