// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@Suite struct `Invalid samples` {
  //  source ──► gain ──► desk
  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func `an effect treats them as silence, and reports them once`(bad: Float) async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let source = try engine.attach(
      .source(channels: 2) { block in
        for channel in 0..<2 {
          for frame in 0..<block.frameCount {
            block.output()[channel][frame] = channel == 1 && frame % 32 == 31 ? bad : 0.5
          }
        }
      })
    let gain = try engine.attach(.effect("gain"), name: "tone"), output = try engine.attach(.playback())
    try engine.connect(source, gain, output)
    var events = engine.events.makeAsyncIterator()
    for _ in 0..<4 {
      let out = try #require(try engine.render(64)[output])
      #expect(out[0] == [Float](repeating: 0.5, count: 64))
      #expect(out[1] == (0..<64).map { $0 % 32 == 31 ? 0 : 0.5 })
    }
    engine.close()
    var reported: [String] = []
    while let event = await events.next() {
      if case .badInput(let node) = event { reported.append(node) }
    }
    #expect(reported == ["tone"])
  }
}
