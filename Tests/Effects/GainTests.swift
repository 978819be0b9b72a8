// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct GainTests {
  @Test(arguments: [-95, -60, -20, -6.0206, -0.1, 6, 20, 24] as [Float])
  func `gain multiplies by ten to the power of decibels over twenty`(decibels: Float) throws {
    var rig = try EffectRig<Gain>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 1))
    rig.set(.gain, to: decibels)
    let input = Signals.noise(1000), output = rig.render([input])[0]
    for (sample, heard) in zip(input, output) {
      let expected = Double(sample) * pow(10, Double(decibels) / 20)
      #expect(abs(Double(heard) - expected) <= abs(expected) * 2e-7)
    }
  }

  @Test func `gain passes every sample unchanged at 0 dB and none at -96 dB`() throws {
    var rig = try EffectRig<Gain>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 2))
    let input = [Signals.noise(1000), Signals.noise(1000, seed: 2)]
    #expect(rig.render(input) == input)
    rig.set(.gain, to: -96)
    #expect(rig.render(input) == [[Float](repeating: 0, count: 1000), [Float](repeating: 0, count: 1000)])
  }

  @Test func `gain glides linearly in amplitude and ends on its frame`() throws {
    var rig = try EffectRig<Gain>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 1))
    let ones = [Float](repeating: 1, count: 3000)
    let heard = rig.render([ones], blockSize: 64, changes: [Change(at: 100, 0, to: -96, over: 2000)])[0]
    for frame in 0..<3000 {
      let line = 1 - Double(min(max(frame - 99, 0), 2000)) / 2000
      #expect(abs(Double(heard[frame]) - line) < 1e-6)
    }
    #expect(heard[2098] > 0 && heard[2099] == 0)
  }

  @Test func `no channels, and more than 64, are refused`() {
    #expect(throws: EffectError.channels(0)) {
      _ = try EffectRig<Gain>(Layout(sampleRate: 48_000, longestBlock: 64, channels: 0))
    }
    #expect(throws: EffectError.channels(65)) {
      _ = try EffectRig<Gain>(Layout(sampleRate: 48_000, longestBlock: 64, channels: 65))
    }
    #expect(throws: EffectError.sampleRate(0)) {
      _ = try EffectRig<Gain>(Layout(sampleRate: 0, longestBlock: 64))
    }
  }
}
