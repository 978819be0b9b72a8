// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

@testable import SwiftletGraph
@testable import SwiftletLV2

/// Control inputs that the host writes: `lv2:enabled`, `lv2:reset`, and those designated as parts of the transport.
@Suite struct HostPortTests {
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  /// Adds a plugin with a control input of this designation, whose value in each block it outputs as samples.
  private func addPlugin(_ designation: String, _ range: String = "lv2:minimum -1e9 ; lv2:maximum 1e9") throws
    -> String
  {
    try folder.add(
      "designated-\(designation.split(separator: "#").last ?? "")".replacing(":", with: "-").replacing(
        ">", with: ""),
      ports: FixtureFolder.throughPorts + " , "
        + FixtureFolder.port(
          2, "value", "lv2:InputPort, lv2:ControlPort",
          "; lv2:designation \(designation) ; lv2:default 0.5 ; \(range)"),
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; for (uint32_t k = 0; k < n; ++k) s->port[1][k] = *s->port[2];
        }
        EXPORT(start, 0, run, 0)
        """)
  }

  @Test(
    arguments: [
      ("time:frame", 48_000), ("time:speed", 1), ("time:framesPerSecond", 48_000), ("time:bar", 2),
      ("time:barBeat", 3.5), ("time:beat", 17.5), ("time:beatUnit", 8), ("time:beatsPerBar", 7),
      ("time:beatsPerMinute", 93),
    ] as [(String, Float)])
  func `a control input gets the transport value of its designation`(
    designation: String, expected: Float
  ) throws {
    let (processor, rig) = try folder.world.rig(addPlugin(designation))
    #expect(processor.directCall == nil)
    rig.transport = Transport(
      isRolling: true, position: 48_000, tempo: 93, bar: 3, beat: 3.5, beatsPerBar: 7, beatUnit: 8)
    #expect(rig.play([[Float](repeating: 0, count: 64)], blocks: [64])[0].allSatisfy { $0 == expected })
    // Without a tempo the values of bars and beats stay; the others are known.
    rig.transport = Transport(isRolling: false, position: 0)
    let still: [String: Float] = ["time:frame": 0, "time:speed": 0]
    #expect(
      rig.play([[Float](repeating: 0, count: 64)], blocks: [64])[0].allSatisfy {
        $0 == still[designation] ?? expected
      })
  }

  @Test func `a tempo input is a parameter without a tempo, and clamped to its range with one`() throws {
    let uri = try addPlugin("time:beatsPerMinute", "lv2:minimum 0.0 ; lv2:maximum 90.0")
    let (_, rig) = try folder.world.rig(uri, values: ["value": 60])
    let silence = [[Float](repeating: 0, count: 64)]
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 60 })
    rig.transport = Transport(isRolling: true, tempo: 120)
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 90 })
  }

  @Test func `a plugin with an lv2:enabled input gets the bypass state from its first block on`() throws {
    let (processor, rig) = try folder.world.rig(addPlugin("lv2:enabled", "lv2:minimum 0 ; lv2:maximum 1"))
    #expect(processor.bypassesItself)
    let silence = [[Float](repeating: 0, count: 64)]
    processor.bypass(true)
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 0 })
    processor.bypass(false)
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 1 })
  }

  @Test(arguments: ["lv2:reset", "<http://kxstudio.sf.net/ns/lv2ext/props#Reset>"])
  func `a reset input is 1 in the first run after a reset, and no parameter`(_ designation: String) throws {
    let uri = try addPlugin(designation, "lv2:minimum 0 ; lv2:maximum 1")
    #expect(try folder.world.info(uri: uri).parameters.isEmpty)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let silence = [[Float](repeating: 0, count: 192)]
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 0.5 })
    var timeout = 3000
    try processor.restart(within: &timeout) { false }
    let played = rig.play(silence, blocks: [64])[0]
    #expect(played.prefix(64).allSatisfy { $0 == 1 } && played.suffix(128).allSatisfy { $0 == 0.5 })
    // A block that is split resets once.
    try processor.restart(within: &timeout) { false }
    let cut = rig.play(silence, blocks: [192])[0]
    #expect(cut.prefix(64).allSatisfy { $0 == 1 } && cut.suffix(128).allSatisfy { $0 == 0.5 })
  }

  @Test func `the replacement of a bypassed plugin is bypassed`() throws {
    let uri = try addPlugin("lv2:enabled", "lv2:minimum 0 ; lv2:maximum 1")
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let silence = [[Float](repeating: 0, count: 64)]
    processor.bypass(true)
    rig.play(silence, blocks: [64])
    var timeout = 3000
    try processor.restart(within: &timeout) { false }
    #expect(rig.play(silence, blocks: [64])[0].allSatisfy { $0 == 0 })
  }
}
