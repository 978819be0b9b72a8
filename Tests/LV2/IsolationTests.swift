// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLilv
import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Isolated plugins, compared with the same plugins in this process.
@Suite(.timeLimit(.minutes(10))) struct IsolationTests {
  private static let needsDisplay = ["drumkv1", "padthv1", "samplv1", "synthv1"]
  /// `allpass_n` and `comb_n` leave the last frame of their first block unwritten. The cause for `chebstortion` is
  /// unknown.
  private static let leavesFramesUnwritten = ["swh-plugins/allpass_n", "swh-plugins/comb_n", "chebstortion"]
  private static let params = "http://lv2plug.in/plugins/eg-params"
  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"

  private func layout(isolated: Bool, isOffline: Bool = true, channels: Int = 2) -> PluginLayout {
    PluginLayout(
      sampleRate: 48_000, longestBlock: 256, channels: channels, isOffline: isOffline,
      isolation: isolated ? PluginIsolation() : nil)
  }

  private struct Sound: Equatable {
    var channels: [[UInt32]]
    var notes: [ProcessorRig.Note]
    var latency: Int
  }

  private func sound(_ uri: String, isolated: Bool) throws -> Sound {
    let (processor, rig) = try PluginWorld.shared.rig(uri, layout(isolated: isolated))
    let notes = [
      ProcessorRig.Note(frame: 3, bytes: [0x90, 60, 100]),
      ProcessorRig.Note(frame: 1500, bytes: [0x80, 60, 0]),
    ]
    let count = 2048
    let output = rig.play(
      (1...4).map { noise(count, seed: $0) }, blocks: [256, 64, 192, 1, 255], notes: notes)
    return Sound(
      channels: output.map { $0.map(\.bitPattern) }, notes: rig.sent,
      latency: processor.latency.load(ordering: .relaxed))
  }

  /// Fills free memory with numbers, so that the output of a plugin that reads uninitialized memory changes.
  private func spoilHeap() {
    let blocks = (4..<22).flatMap { power in
      (0..<4).map { _ in
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1 << power)
        block.initialize(repeating: 0.3)
        return block
      }
    }
    for block in blocks { block.deallocate() }
  }

  @Test func `a hundred plugins output the same bits in both processes`() throws {
    var same = 0, unlike: [String] = [], random = 0
    for plugin in try PluginWorld.shared.list() where same + unlike.count < 100 {
      guard plugin.refusal == nil,
        !(Self.needsDisplay + Self.leavesFramesUnwritten).contains(where: { plugin.uri.contains($0) }),
        let first = try? sound(plugin.uri, isolated: false)
      else { continue }
      spoilHeap()
      guard try sound(plugin.uri, isolated: false) == first else {
        random += 1
        continue
      }
      let isolated = try sound(plugin.uri, isolated: true)
      if isolated == first {
        same += 1
      } else if try sound(plugin.uri, isolated: true) != isolated {
        // The plugin reads uninitialized memory.
        random += 1
      } else {
        unlike.append(plugin.uri)
      }
    }
    #expect(unlike.isEmpty)
    #expect(same == 100 && random < 10, "\(random) plugins sound different each time")
  }

  @Test func `a state is the same after passing to the other process and back`() throws {
    let folder = try FixtureFolder()
    try folder.write("", to: "kept")
    let info = try PluginWorld.shared.info(uri: Self.params)
    let text = try #require(info.property("string")), long = try #require(info.property("long"))
    let (first, _) = try PluginWorld.shared.rig(Self.params, layout(isolated: true, channels: 1))
    try first.set(property: text.number, to: .text("é <1>"), isPlaying: { false })
    try first.set(property: long.number, to: .long(.min + 3), isPlaying: { false })
    try first.save(stateTo: folder.path + "/one.state", isPlaying: { false })
    let (second, _) = try PluginWorld.shared.rig(Self.params, layout(isolated: false, channels: 1))
    try second.load(stateFrom: folder.path + "/one.state", isPlaying: { false })
    try second.save(stateTo: folder.path + "/two.state", isPlaying: { false })
    let (third, _) = try PluginWorld.shared.rig(Self.params, layout(isolated: true, channels: 1))
    try third.load(stateFrom: folder.path + "/two.state", isPlaying: { false })
    try third.save(stateTo: folder.path + "/three.state", isPlaying: { false })
    let states = try ["one", "two", "three"].map {
      try String(contentsOfFile: folder.path + "/\($0).state/state.ttl", encoding: .utf8)
    }
    #expect(states[0].contains("é <1>") && states[0].contains("\(Int64.min + 3)"))
    #expect(states[1] == states[0] && states[2] == states[0])
  }

  @Test func `a sampler loads and plays its file with a worker in the other process`() throws {
    let folder = try FixtureFolder()
    try folder.write("", to: "kept")
    let hit = noise(500, seed: 5)
    try WaveFile.write([hit], rate: 48_000, to: folder.path + "/hit.wav")
    let info = try PluginWorld.shared.info(uri: Self.sampler)
    let property = try #require(info.property("sample"))
    var outputs: [[[Float]]] = []
    for isolated in [false, true] {
      let (processor, rig) = try PluginWorld.shared.rig(
        Self.sampler, layout(isolated: isolated, channels: 1))
      try processor.set(property: property.number, to: .path(folder.path + "/hit.wav"), isPlaying: { false })
      rig.play([], frames: 1024)
      outputs.append(
        rig.play([], frames: 2048, notes: [ProcessorRig.Note(frame: 100, bytes: [0x90, 60, 127])]))
    }
    #expect(outputs[0][0][100..<600].contains { $0 != 0 })
    #expect(outputs[1] == outputs[0])
  }
}
