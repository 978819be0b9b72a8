// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletManifest
import SwiftletTesting
import Testing

@Suite struct StemTests {
  private func resolved(_ text: String) throws -> ResolvedManifest {
    try ManifestText(text, file: "mix.yaml").check(against: .thisMachine)
  }

  private func wires(_ manifest: ResolvedManifest) -> Set<String> {
    Set(
      manifest.wires.map {
        "\(manifest.nodes[$0.from.node].name) -> \(manifest.nodes[$0.to.node].name)"
          + ($0.to.bus > 0 ? ".\($0.to.bus)" : "")
      })
  }

  //   voice ─┬──────► main ─► tone ─► desk
  //          ▼ side    ▲  └──► room ───▲
  //   music ─► duck ───┘
  private static let text = """
    swiftlet: 1
    nodes:
      voice: { capture: mono }
      music: { capture: stereo }
      duck: { effect: ducker }
      main: { mixer: stereo }
      tone: { effect: delay }
      room: { effect: reverb }
      desk: { playback: stereo }
    wires:
      - voice -> main: -3 dB
      - voice -> duck.sidechain
      - music -> duck -> main -> tone -> desk
      - main -> room -> desk
    timeline:
      lanes:
        tone.mix: [ { from: 0 s, to: 300 ms, value: [ 10 %, 90 % ] } ]
    """

  @Test func `each input of the mix gets a copy of the nodes behind the mix`() throws {
    var manifest = try resolved(Self.text)
    let before = manifest
    let stems = manifest.addStems(of: "desk")
    #expect(stems.map(\.name) == ["voice", "duck"])
    #expect(stems.map(\.playback) == ["desk-of-voice", "desk-of-duck"])
    #expect(Array(manifest.nodes.prefix(before.nodes.count)) == before.nodes)
    #expect(Array(manifest.wires.prefix(before.wires.count)) == before.wires)
    let added = ["voice", "duck"].flatMap { name in
      [
        "voice -> main-of-\(name)", "duck -> main-of-\(name)", "main-of-\(name) -> tone-of-\(name)",
        "tone-of-\(name) -> desk-of-\(name)", "main-of-\(name) -> room-of-\(name)",
        "room-of-\(name) -> desk-of-\(name)",
      ]
    }
    #expect(wires(manifest).subtracting(wires(before)) == Set(added))
    #expect(manifest.wires.count == before.wires.count + added.count)
    // The other input is wired, but silent.
    let gains = manifest.wires.filter { manifest.nodes[$0.to.node].name == "main-of-voice" }.map(\.gain)
    #expect(gains == [-3, -.infinity])
  }

  @Test func `without a mixer the output node is the mix, and a single input is one stem`() throws {
    var two = try resolved(
      "swiftlet: 1\nnodes:\n  a: { capture: mono }\n  b: { capture: mono }\n  out: { playback: mono }\n"
        + "wires:\n  - a -> out\n  - b -> out\n")
    #expect(two.addStems(of: "out").map(\.name) == ["a", "b"])
    var one = try resolved(
      "swiftlet: 1\nnodes:\n  a: { capture: mono }\n  out: { playback: mono }\nwires:\n  - a -> out\n")
    #expect(one.addStems(of: "out").map(\.playback) == ["out-of-a"])
    #expect(one.addStems(of: "a").isEmpty)
  }

  @Test func `the sum of the stems equals the mix if the nodes behind the mix are linear`() throws {
    var manifest = try resolved(Self.text)
    let stems = manifest.addStems(of: "desk")
    var changes = Session.Options()
    changes.records = false
    let session = try Session(manifest, on: .offline(longestBlock: 512), changes)
    var generator = SeededGenerator(seed: 1)
    func noise() -> Float { Float.random(in: -0.25...0.25, using: &generator) }
    let outputs = try (["desk"] + stems.map(\.playback)).map { try #require(session.node($0)) }
    #expect(outputs.count == 3)
    var heard = [[[Float]]](repeating: [[], []], count: 3)
    for _ in 0..<40 {
      var inputs: [AudioNode: AudioBuffer] = [:]
      for (name, channels) in [("voice", 1), ("music", 2)] {
        let node = try #require(session.node(name))
        inputs[node] = AudioBuffer((0..<channels).map { _ in (0..<512).map { _ in noise() } })
      }
      let block = try session.engine.render(512, from: inputs)
      for (index, output) in outputs.enumerated() {
        for channel in 0..<2 { heard[index][channel] += try #require(block[output])[channel] }
      }
    }
    // Each output is delayed by the latency of its path.
    let late = outputs.map(\.arrivalLatency), count = 40 * 512 - (late.max() ?? 0)
    var loudest: Float = 0, worst: Float = 0
    for channel in 0..<2 {
      for frame in 0..<count {
        let values = (0..<3).map { heard[$0][channel][late[$0] + frame] }
        loudest = max(loudest, abs(values[0]))
        worst = max(worst, abs(values[0] - values[1] - values[2]))
      }
    }
    #expect(loudest > 0.1 && worst < 1e-6 * loudest, "\(worst) of \(loudest)")
  }

  //   one ─┬► main ─┬──────────► out        crush: fed by a send of main's strip
  //   two ─┘        └► crush ─────▲
  @Test func `a send behind the mix is copied with its strip`() throws {
    var manifest = try resolved(
      """
      swiftlet: 1
      nodes:
        one: { capture: stereo }
        two: { capture: stereo }
        main: { mixer: stereo }
        crush: { effect: distortion }
        out: { playback: stereo }
      wires:
        - one -> main
        - two -> main
        - main -> out: { gain: -3 dB, sends: { crush: -6 dB } }
        - crush -> out
      """)
    #expect(manifest.addStems(of: "out").map(\.playback) == ["out-of-one", "out-of-two"])
    let sends = manifest.wires.filter { $0.strip != nil }.map { wire in
      [wire.from.node, wire.to.node, wire.strip?.node ?? -1].map { manifest.nodes[$0].name }
    }
    #expect(
      sends == [
        ["main", "crush", "out"], ["main-of-one", "crush-of-one", "out-of-one"],
        ["main-of-two", "crush-of-two", "out-of-two"],
      ])
    let engine = try AudioEngine(.offline(longestBlock: 64))
    try manifest.attach(to: engine)
    _ = try engine.render(64)
  }
}
