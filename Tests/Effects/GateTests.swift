// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct GateTests {
  private static let rate = 48_000.0

  private func rig(_ settings: [(Gate.Parameter, Float)], channels: Int = 1) throws -> EffectRig<Gate> {
    let layout = Layout(
      sampleRate: Self.rate, longestBlock: 256, inputs: [channels, channels], outputs: [channels])
    var rig = try EffectRig<Gate>(layout)
    rig.set(.hysteresis, to: 0)
    rig.set(.hold, to: 0)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  private func sine(_ decibels: Double, _ frameCount: Int) -> [Float] {
    Signals.sine(997, at: Self.rate, frameCount, amplitude: pow(10, decibels / 20))
  }

  @Test(arguments: [(1, 60), (1.5, 96), (2, 20), (10, 60), (50, 96)] as [(Float, Float)])
  func `a sine below the threshold is lowered by ratio and range, and one above is not`(
    ratio: Float, range: Float
  ) throws {
    for level in stride(from: -70.0, through: 0, by: 7) {
      var rig = try rig([(.threshold, -30), (.ratio, ratio), (.range, range), (.release, 150)])
      let input = sine(level, 96_000), output = rig.render([input])[0]
      let expected = max(min(0, (Double(ratio) - 1) * (level + 30)), -Double(range))
      #expect(abs((GainTrace(input, output).decibels.last ?? 0) - expected) < 0.05, "\(level) dB")
      #expect(abs(Double(rig.meters[0]) + expected) < 0.05)
    }
  }

  @Test func `an open gate passes every sample unchanged`() throws {
    var rig = try rig([(.threshold, -40), (.attack, 0.05)])
    let input = Signals.noise(24_000), output = rig.render([input])[0]
    for frame in 4800..<24_000 { #expect(abs(output[frame] - input[frame]) <= 1e-6 * abs(input[frame])) }
    #expect(rig.meters[0] < 1e-5)
  }

  @Test(arguments: [(0.5, 50), (5, 100), (50, 500)] as [(Float, Float)], [0, 30, 250] as [Float])
  func `attack, hold and release have their set durations`(times: (Float, Float), hold: Float) throws {
    var rig = try rig([
      (.threshold, -20), (.ratio, 50), (.range, 40), (.attack, times.0), (.release, times.1), (.hold, hold),
    ])
    // Full scale, so that it exceeds the threshold within a frame. Its peaks are too close to be distinguished.
    let loud = 48_000, quiet = 192_000
    let wave = Signals.sine(6000.7, at: Self.rate, 9600 + loud + quiet)
    let input = wave.enumerated().map { (9600..<9600 + loud).contains($0) ? $1 : $1 * 0.001 }
    let gain = GainTrace(input, rig.render([input])[0])
    let perMillisecond = Self.rate / 1000, end = 9600 + loud
    let attack = Double(gain.frames(from: 9599, to: end - 1)) / perMillisecond
    #expect(abs(attack - Double(times.0)) < max(0.05 * Double(times.0), 0.05), "\(attack)")
    // The level is held for up to 1/25 of the release, or for the hold if that is longer.
    let closing = (end..<gain.decibels.count).first { gain.decibels[$0] < -0.01 } ?? 0
    let window = min(5, Double(times.1) / 25), held = Double(closing - end) / perMillisecond
    #expect(abs(held - max(Double(hold), window)) < 0.3, "\(held)")
    let release = Double(gain.frames(from: closing, to: gain.decibels.count - 1)) / perMillisecond
    #expect(abs(release / Double(times.1) - 1) < 0.02, "\(release)")
  }

  @Test func `between opening and closing level the gate keeps its state`() throws {
    let parts: [(Double, Float)] = [(-36, 40), (-28, 0), (-36, 0), (-42, 40), (-36, 40)]
    var rig = try rig([(.threshold, -30), (.hysteresis, 10), (.ratio, 50), (.range, 40), (.release, 50)])
    for (level, reduction) in parts {
      _ = rig.render([sine(level, 48_000)])
      #expect(abs(rig.meters[0] - reduction) < 0.01, "\(level) dB")
    }
  }

  @Test func `a sine at the threshold does not chatter`() throws {
    for frequency in [110, 440.0] {
      var rig = try rig([(.threshold, -30), (.ratio, 50), (.attack, 0.05), (.release, 150)])
      let input = Signals.sine(frequency, at: Self.rate, 48_000, amplitude: pow(10, -29.9 / 20))
      let gain = GainTrace(input, rig.render([input])[0]).decibels[4800...]
      #expect((gain.min() ?? -1) > -0.01)
    }
  }

  @Test func `all channels open together, and the side-chain alone can open them`() throws {
    var rig = try rig([(.threshold, -30)], channels: 2)
    let loud = Signals.noise(9600), soft = loud.map { $0 * 0.001 }
    let output = rig.render([soft, loud])
    for frame in 4800..<9600 { #expect(abs(output[0][frame] - soft[frame]) < 1e-6) }
    rig.reset()
    rig.set(.sidechain, to: 1)
    _ = rig.render([loud, loud], further: [soft, soft])
    #expect(rig.meters[0] > 25)
    _ = rig.render([soft, soft], further: [soft, loud])
    #expect(rig.meters[0] < 60)
    _ = rig.render([soft, soft], further: [soft, loud])
    #expect(rig.meters[0] < 0.01)
  }
}
