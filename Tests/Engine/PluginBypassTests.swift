// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import Swiftlet

/// A plugin with an `lv2:enabled` input is bypassed through it while it plays.
@Suite struct PluginBypassTests {
  //  sine ──► x42's equalizer, 18 dB louder ──► desk
  @Test func `a plugin that bypasses itself fades alone, without an added crossfade`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let input = try engine.attach(.capture(channels: 1), name: "in")
    let tone = try engine.attach(.plugin("http://gareus.org/oss/lv2/fil4#mono", channels: 1), name: "tone")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(input, tone, output)
    try tone.set("gain", to: 18)
    var heard: [Float] = []
    let sine = (0..<96_000).map { 0.1 * sin(2 * .pi * 100 * Float($0) / 48_000) }
    for start in stride(from: 0, to: 96_000, by: 64) {
      if start == 32_000 { try tone.setBypassed(true) }
      if start == 64_000 { try tone.setBypassed(false) }
      let block = AudioBuffer([Array(sine[start..<start + 64])])
      heard += try #require(try engine.render(64, from: [input: block])[output])[0]
    }
    func peak(_ range: Range<Int>) -> Float { heard[range].map(abs).max() ?? 0 }
    let gain = Float(pow(10, 18.0 / 20))
    #expect(abs(peak(16_000..<31_000) - 0.1 * gain) < 0.01)
    #expect((zip(heard[48_000..<64_000], sine[48_000..<64_000]).allSatisfy { abs($0 - $1) < 1e-6 }) as Bool)
    #expect(abs(peak(80_000..<96_000) - 0.1 * gain) < 0.01)
    // The loud sine's own steps are 0.0104; a hard switch would step by up to 0.69.
    let steps = zip(heard[16_000...], heard[16_001...]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.02)
    #expect(tone.isBypassed == false)
  }

  //   sine ──► eg-amp, which has no such input ──► desk
  @Test func `a plugin without a bypass input is bypassed by a crossfade`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let input = try engine.attach(.capture(channels: 1), name: "in")
    let amp = try engine.attach(.plugin("http://lv2plug.in/plugins/eg-amp", channels: 1), name: "amp")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(input, amp, output)
    try amp.set("gain", to: 18)
    var heard: [Float] = []
    for block in 0..<300 {
      if block == 100 { try amp.setBypassed(true) }
      let ones = AudioBuffer([[Float](repeating: 0.1, count: 64)])
      heard += try #require(try engine.render(64, from: [input: ones])[output])[0]
    }
    #expect(abs(heard[6000] - 0.1 * Float(pow(10, 18.0 / 20))) < 1e-4 && heard.last == 0.1)
    let steps = zip(heard[5000...], heard[5001...]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 1.5 * 0.69 / 240 * 1.05)
  }
}
