// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Bypassed plugins with an `lv2:enabled` input.
@Suite struct BypassTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = .atHome(in: scratch)
    try Signals.write([Signals.noise(48_000, seed: 3)], to: "\(scratch.path)/song.wav")
  }

  //  song ──► an equalizer with +18 dB ──► desk
  @Test(arguments: ["", ", isolate: true, deadline: 100 ms"])
  func `a plugin with an lv2:enabled input bypasses itself`(isolated: String) throws {
    func render(_ key: String) throws -> [Float] {
      try scratch.write(
        """
        swiftlet: 1
        nodes:
          song: { player: song.wav }
          tone: { lv2: "http://gareus.org/oss/lv2/fil4#mono", set: { gain: 18 }\(key)\(isolated) }
          desk: { playback: 1 }
        wires: [ song -> tone -> desk ]
        """, to: "tone.yaml")
      let outcome = try swiftlet.run("render", "tone.yaml", "--no-record", "-o", "out.wav", "--overwrite")
      #expect(outcome.status == 0, "\(outcome.messages)")
      return try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/out.wav"))
    }
    let input = Signals.noise(48_000, seed: 3)
    let loud = try render(""), plain = try render(", bypass: true")
    #expect(abs(loud[24_000] / input[24_000]) > 4)
    // This plugin fades from its gain to the bypass in its first milliseconds.
    #expect((zip(plain[24_000..<47_000], input[24_000..<47_000]).allSatisfy { abs($0 - $1) < 1e-6 }) as Bool)
  }
}
