// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

struct EditingTests {
  //  sine ──► desk, then sine ──► gain ──► desk, then sine ──► desk again
  @Test(arguments: [64, 256, 1000]) func `inserting a node and taking it out bends nothing`(block: Int) throws
  {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: block))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let desk = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(sine, desk)
    var out: [Float] = []
    func play(_ frames: Int) throws {
      for _ in 0..<(frames / block + 1) { out += try engine.render(block)[desk]?[0] ?? [] }
    }
    try play(2000); print(out.count)
    let gain = try engine.attach(.effect("gain", channels: 1), name: "gain")
    try engine.edit { () throws(EngineError) in
      try engine.disconnect(sine, from: desk)
      try engine.connect(sine, gain, desk)
    }
    print(engine.planText)
    out += try engine.render(block)[desk]?[0] ?? []; print(engine.planText)
    for _ in 0..<8 { out += try engine.render(block)[desk]?[0] ?? [] }; print(engine.planText)
    try play(2000)
    try engine.edit { () throws(EngineError) in
      try engine.detach(gain)
      try engine.connect(sine, desk)
    }
    try play(2000)
    let bend = zip(zip(out, out.dropFirst()), out.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }
    // Half of full scale at 100 Hz bends by at most (2π · 100 / 48000)² / 2 a frame.
    print(bend.indices.filter { bend[$0] > 1e-4 })
    let worst = bend.indices.max { bend[$0] < bend[$1] } ?? 0
    #expect(bend[worst] < 1e-4, "at frame \(worst)")
  }
}
