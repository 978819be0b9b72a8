// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@Suite struct MeasurementTests {
  //  sine ──► equalizer ──► compressor ──► polarity ──► desk
  @Test func `in measurement mode level and tone effects are bypassed, and others run`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 512))
    let sine = try engine.attach(.source(channels: 1, sineWave), name: "sine")
    let tone = try engine.attach(.effect("equalizer", channels: 1, bands: 1), name: "tone")
    let press = try engine.attach(.effect("compressor", channels: 1), name: "press")
    let inverter = try engine.attach(.effect("polarity", channels: 1), name: "turn")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try tone.set("bands[1].type", to: "high-pass")
    try tone.set("bands[1].frequency", to: 4000)
    try inverter.set("invert-left", to: 1)
    try engine.connect(sine, tone, press, inverter, output)
    /// Returns the peak of the last of some blocks, after all fades. A block is one period of the sine.
    func peak() throws -> Float {
      for _ in 0..<30 { _ = try engine.render(480) }
      return try engine.render(480)[output]?[0].map(abs).max() ?? 0
    }
    #expect(try peak() < 0.01)
    try engine.setSession(AudioSession(mode: .measurement))
    #expect(abs(try peak() - 0.5) < 1e-3)
    // Effects added in measurement mode are bypassed, too.
    try engine.disconnect(inverter, from: output)
    let second = try engine.attach(.effect("equalizer", channels: 1, bands: 1), name: "second")
    try second.set("bands[1].type", to: "high-pass")
    try second.set("bands[1].frequency", to: 4000)
    try engine.connect(inverter, second, output)
    #expect(abs(try peak() - 0.5) < 1e-3)
    #expect(!tone.isBypassed && !second.isBypassed)
    try engine.setSession(nil)
    #expect(try peak() < 0.01)
  }
}
