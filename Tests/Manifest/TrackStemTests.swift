// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletManifest
import SwiftletTesting
import Testing

@Suite struct `Stems of tracks` {
  //   kick ──┐
  //          ├► drums ─► tone ─┬► main ─► room ─► desk
  //   snare ─┘                 │   ▲ ▲
  //   voice ───────────────────┼───┘ │     sends: voice to hall pre-fader, tone to hall post-fader
  //   music ─► duck ───────────┼─────┘     duck: music ducked under voice
  //             hall ──────────┘
  private static let text = """
    swiftlet: 1
    nodes:
      kick: { capture: mono }
      snare: { capture: mono }
      voice: { capture: mono }
      music: { capture: stereo }
      drums: { mixer: stereo, gain: -3 dB }
      tone: { effect: equalizer, set: { bands: [ { frequency: 300 Hz, gain: 6 dB } ] } }
      duck: { effect: ducker }
      hall: { effect: delay, set: { time: 5 ms, feedback: 40 %, mix: 100 % } }
      main: { mixer: stereo }
      room: { effect: delay, set: { time: 3 ms } }
      desk: { playback: stereo }
    wires:
      - kick -> drums: -6 dB
      - snare -> drums: { pan: 0.5 }
      - drums -> tone
      - tone -> main: { gain: -2 dB, sends: { hall: -9 dB } }
      - voice -> main: { gain: -4 dB, pan: -0.25, sends: { hall: { gain: -6 dB, pre-fader: true } } }
      - voice -> duck.sidechain
      - music -> duck -> main
      - hall -> main -> room -> desk
    timeline:
      lanes:
        room.mix: [ { from: 0 s, to: 100 ms, value: [ 10 %, 90 % ] } ]
        tone -> main.volume: [ { from: 50 ms, to: 150 ms, value: [ 1, 0.5 ] } ]
    """
  private static let names = ["kick", "snare", "voice", "music"], block = 512

  private static func resolved() throws -> ResolvedManifest {
    try ManifestText(text, file: "song.yaml").check(against: .thisMachine)
  }

  /// Returns the output of the playback nodes while the inputs `hearing` get noise and the others silence.
  private static func played(
    _ manifest: ResolvedManifest, _ outputs: [String], hearing: Set<String>
  ) throws -> [[[Float]]] {
    var changes = Session.Options()
    changes.records = false
    let session = try Session(manifest, on: .offline(longestBlock: block), changes)
    let outputNodes = try outputs.map { try #require(session.node($0)) }
    var generators = names.indices.map { SeededGenerator(seed: UInt64($0 + 1)) }
    var heard = outputs.map { _ in [[Float]](repeating: [], count: 2) }
    for _ in 0..<30 {
      var inputs: [AudioNode: AudioBuffer] = [:]
      for (index, name) in names.enumerated() {
        let node = try #require(session.node(name)), level: Float = hearing.contains(name) ? 0.25 : 0
        inputs[node] = AudioBuffer(
          (0..<(name == "music" ? 2 : 1)).map { _ in
            (0..<block).map { _ in level * Float.random(in: -1...1, using: &generators[index]) }
          })
      }
      let sound = try session.engine.render(block, from: inputs)
      for (index, node) in outputNodes.enumerated() {
        for channel in 0..<2 { heard[index][channel] += try #require(sound[node])[channel] }
      }
    }
    // Each output is delayed by the latency of its path.
    return zip(heard, outputNodes).map { heard, node in
      heard.map { Array($0.dropFirst(node.arrivalLatency)) }
    }
  }

  private func apart(_ one: [[Float]], _ other: [[Float]]) -> Float {
    zip(one, other).flatMap { zip($0, $1).map { abs($0 - $1) } }.max() ?? .infinity
  }

  private func loudest(_ sound: [[Float]]) -> Float { sound.flatMap { $0 }.map(abs).max() ?? 0 }

  @Test func `each track's stem sounds as in the mix, and the stems add up to the mix`() throws {
    var manifest = try Self.resolved()
    let before = manifest
    let stems = manifest.addStems(of: "desk", by: .tracks)
    #expect(stems.map(\.name) == Self.names)
    #expect(stems.map(\.playback) == Self.names.map { "desk-of-\($0)" })
    #expect(Array(manifest.nodes.prefix(before.nodes.count)) == before.nodes)
    #expect(Array(manifest.wires.prefix(before.wires.count)) == before.wires)
    let heard = try Self.played(manifest, ["desk"] + stems.map(\.playback), hearing: Set(Self.names))
    #expect(loudest(heard[0]) > 0.1)
    var sum = heard[1]
    for stem in heard[2...] {
      for channel in 0..<2 { sum[channel] = zip(sum[channel], stem[channel]).map { $0 + $1 } }
    }
    #expect(apart(sum, heard[0]) < 3e-6 * loudest(heard[0]))
    // A track that is not ducked sounds as it does alone.
    for (index, name) in ["kick", "snare", "voice"].enumerated() {
      let alone = try Self.played(before, ["desk"], hearing: [name])[0]
      #expect(loudest(alone) > 0.01)
      #expect(apart(alone, heard[index + 1]) < 3e-6 * loudest(alone), "\(name)")
    }
    // The music is ducked under the voice as in the mix, which does not happen when it plays alone.
    let alone = try Self.played(before, ["desk"], hearing: ["music"])[0]
    #expect(apart(alone, heard[4]) > 0.05 * loudest(alone))
  }

  @Test func `bus stems are the inputs of the mix`() throws {
    var manifest = try Self.resolved()
    #expect(manifest.addStems(of: "desk", by: .buses).map(\.name) == ["tone", "voice", "duck", "hall"])
    #expect(manifest.addStems(of: "kick", by: .tracks).isEmpty)
  }

  @Test func `an instrument gets a stem, and an input of only a side chain gets none`() throws {
    let text = """
      swiftlet: 1
      nodes:
        key: { capture: mono }
        noise: { effect: generator }
        duck: { effect: ducker }
        desk: { playback: stereo }
      wires: [ noise -> duck -> desk, key -> duck.sidechain ]
      """
    var manifest = try ManifestText(text, file: "x.yaml").check(against: .thisMachine)
    let stems = manifest.addStems(of: "desk", by: .tracks)
    #expect(stems.map(\.name) == ["noise"])
    let side = manifest.wires.filter { manifest.nodes[$0.to.node].name == "duck-of-noise" && $0.to.bus == 1 }
    #expect(side.count == 1 && side[0].gain == 0 && manifest.nodes[side[0].from.node].name == "key")
  }
}
