// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct FlangerTests {
  private func rig(_ settings: [(Flanger.Parameter, Float)], rate: Double = 48_000) throws -> EffectRig<
    Flanger
  > {
    var rig = try EffectRig<Flanger>(Layout(sampleRate: rate, longestBlock: 256, channels: 1))
    rig.set(.depth, to: 0)
    rig.set(.feedback, to: 0)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  @Test(arguments: [0.25, 0.5, 1, 2.5, 10] as [Float], [44_100.0, 48_000, 96_000])
  func `a static flanger has notches at odd multiples of half the delay's rate`(
    delay: Float, rate: Double
  ) throws {
    var rig = try rig([(.delay, delay)], rate: rate)
    let output = rig.render([Signals.impulse(4096)])[0], seconds = Double(delay) / 1000
    for k in 0..<40 {
      let notch = (2 * Double(k) + 1) / (2 * seconds)
      // Above, interpolation between frames attenuates the copy.
      guard notch < 5000 else { break }
      #expect(Response.measured(output, notch, rate: rate) < -35, "\(notch) Hz")
      #expect(abs(Response.measured(output, Double(k) / seconds, rate: rate)) < 0.2)
    }
  }

  @Test(arguments: [-95, -50, 50, 95] as [Float])
  func `feedback makes the peaks of a comb filter's formula`(feedback: Float) throws {
    var rig = try rig([(.delay, 1), (.feedback, feedback), (.mix, 100)])
    let output = rig.render([Signals.impulse(48 * 600)])[0], gain = Double(feedback) / 100
    for frequency in stride(from: 0.0, through: 20_000, by: 250) {
      let angle = 2 * Double.pi * frequency / 1000
      let below = 1 + gain * gain - 2 * gain * cos(angle)
      #expect(abs(Response.measured(output, frequency, rate: 48_000) + 10 * log10(below)) < 0.01)
    }
  }

  @Test func `each channel swings ahead of the previous one by the stereo phase`() throws {
    var rig = try EffectRig<Flanger>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 2))
    for (parameter, value) in [(.feedback, 0), (.mix, 100), (.rate, 1), (.stereoPhase, 90)]
      as [(Flanger.Parameter, Float)]
    { rig.set(parameter, to: value) }
    let sine = Signals.sine(500, at: 48_000, 48_000), output = rig.render([sine, sine])
    var worst = 0.0
    for frame in 1000..<48_000 {
      let seconds = Double(frame) / 48_000
      for (channel, phase) in [(0, 0.0), (1, 0.25)] {
        let delay = 0.0005 + 0.0015 * (1 + sin(2 * .pi * (seconds + phase)))
        let expected = sin(2 * .pi * 500 * (seconds - delay))
        worst = max(worst, abs(Double(output[channel][frame]) - expected))
      }
    }
    #expect(worst < 2e-4)
  }

  @Test(arguments: [(0.3, 3), (2, 0.5)] as [(Double, Double)])
  func `a moving copy of 10 kHz has no spurs above -70 dB, and one of 18 kHz loses at most 1 dB`(
    swing: (Double, Double)
  ) throws {
    let settings: [(Flanger.Parameter, Float)] = [
      (.rate, Float(swing.0)), (.depth, Float(swing.1)), (.delay, 0.5), (.mix, 100),
    ]
    var rig = try rig(settings), treble = try self.rig(settings), errors = 0.0
    let output = rig.render([Signals.sine(10_000, at: 48_000, 96_000)])[0]
    for frame in 1000..<96_000 {
      let seconds = Double(frame) / 48_000, half = swing.1 / 2000
      let delay = 0.0005 + half * (1 + sin(2 * .pi * swing.0 * seconds))
      errors += pow(Double(output[frame]) - sin(2 * .pi * 10_000 * (seconds - delay)), 2)
    }
    #expect(10 * log10(errors / 95_000 * 2) < -70)
    let high = treble.render([Signals.sine(18_000, at: 48_000, 96_000)])[0]
    for start in stride(from: 2400, to: 96_000, by: 240) {
      let power = high[start..<start + 240].reduce(0) { $0 + Double($1) * Double($1) } / 120
      #expect(abs(10 * log10(power)) < 1)
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [-95, 95] as [Float])
  func `a minute at the extremes stays bounded`(feedback: Float) throws {
    for (rate, depth, delay) in [(10, 10, 0.05), (10, 10, 10), (0.01, 0, 0.05)] as [(Float, Float, Float)] {
      var rig = try rig([
        (.rate, rate), (.depth, depth), (.delay, delay), (.feedback, feedback), (.mix, 100),
      ])
      let loud = Signals.noise(48_000).map { $0 * 100 }
      // The loop holds 8, and the magnitudes of an interpolation's weights add up to 1.784.
      for _ in 0..<60 { #expect(rig.render([loud])[0].allSatisfy { abs($0) <= 8 * 1.784 }) }
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `a flanger at its extremes passes the conformance suite`() throws {
    typealias P = Flanger.Parameter
    // Sharp peaks that sweep through a sine bend it more than a fade does; other tests check for clicks.
    let suite = Conformance<Flanger>(
      settings: [(P.feedback.rawValue, 90), (P.delay.rawValue, 0.05), (P.shape.rawValue, 1)],
      without: [.latency, .clicks])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
