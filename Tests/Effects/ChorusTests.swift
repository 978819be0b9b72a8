// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct ChorusTests {
  private static let rate = 48_000.0

  private func rig(_ settings: [(Chorus.Parameter, Float)], channels: Int = 1) throws -> EffectRig<Chorus> {
    let layout = Layout(sampleRate: Self.rate, longestBlock: 256, channels: channels)
    var rig = try EffectRig<Chorus>(layout)
    rig.set(.voices, to: 1)
    rig.set(.mix, to: 100)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns a sine of `frequency` after a delay that is known at every instant.
  private func delayed(
    _ frequency: Double, _ frame: Int, rate: Double, depth: Double, delay: Double, phase: Double,
    triangle: Bool
  ) -> Double {
    let seconds = Double(frame) / Self.rate, swing = sin(2 * .pi * (rate * seconds + phase))
    let shape = triangle ? 2 / .pi * asin(swing) : swing
    return sin(2 * .pi * frequency * (seconds - (delay + depth * (1 + shape) / 2) / 1000))
  }

  @Test(arguments: [false, true], [(0.8, 3), (5, 0.7), (0.3, 20)] as [(Double, Double)])
  func `a voice is the sound after a delay that swings with rate and depth`(
    triangle: Bool, swing: (Double, Double)
  ) throws {
    var rig = try rig([
      (.rate, Float(swing.0)), (.depth, Float(swing.1)), (.delay, 8), (.shape, triangle ? 1 : 0),
    ])
    let output = rig.render([Signals.sine(1000, at: Self.rate, 96_000)])[0]
    var worst = 0.0
    for frame in 2000..<96_000 {
      let expected = delayed(
        1000, frame, rate: swing.0, depth: swing.1, delay: 8, phase: 0, triangle: triangle)
      worst = max(worst, abs(Double(output[frame]) - expected))
    }
    #expect(worst < 2e-4)
  }

  @Test(arguments: [(0.8, 3), (0.5, 10), (5, 0.7)] as [(Double, Double)])
  func `a moving voice of 10 kHz has no spurs above -70 dB, and one of 18 kHz loses at most 1 dB`(
    swing: (Double, Double)
  ) throws {
    let settings: [(Chorus.Parameter, Float)] = [
      (.rate, Float(swing.0)), (.depth, Float(swing.1)), (.delay, 8),
    ]
    var rig = try rig(settings), treble = try self.rig(settings)
    let output = rig.render([Signals.sine(10_000, at: Self.rate, 96_000)])[0]
    let errors = (2000..<96_000).reduce(0.0) {
      $0
        + pow(
          Double(output[$1])
            - delayed(10_000, $1, rate: swing.0, depth: swing.1, delay: 8, phase: 0, triangle: false), 2)
    }
    #expect(10 * log10(errors / 94_000 * 2) < -70)
    let high = treble.render([Signals.sine(18_000, at: Self.rate, 96_000)])[0]
    for start in stride(from: 2400, to: 96_000, by: 240) {
      let power = high[start..<start + 240].reduce(0) { $0 + Double($1) * Double($1) } / 120
      #expect(abs(10 * log10(power)) < 1)
    }
  }

  @Test(arguments: [(0.5, 4), (2, 1), (1, 10)] as [(Double, Double)])
  func `a triangle detunes by twice rate times depth, by the Doppler effect`(swing: (Double, Double)) throws {
    var rig = try rig([
      (.rate, Float(swing.0)), (.depth, Float(swing.1)), (.delay, 5), (.shape, 1),
    ])
    let output = rig.render([Signals.sine(2000, at: Self.rate, 144_000)])[0]
    // From one quarter to three quarters of the second cycle the delay shrinks, then it grows.
    let cycle = Self.rate / swing.0
    for (from, to, sign) in [(1.3, 1.7, 1.0), (0.8, 1.2, -1)] {
      let window = Int(from * cycle)..<min(Int(to * cycle), 144_000)
      let frequency = pitch(Array(output[window]))
      let expected = 2000 * (1 + sign * 2 * swing.0 * swing.1 / 1000)
      #expect(abs(frequency / expected - 1) < 1e-4, "\(frequency) against \(expected)")
    }
  }

  /// Returns the mean frequency, from the first upward zero crossing to the last.
  private func pitch(_ samples: [Float]) -> Double {
    let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }.map {
      Double($0) - Double(samples[$0] / (samples[$0] - samples[$0 - 1]))
    }
    return Double(crossings.count - 1) / (crossings[crossings.count - 1] - crossings[0]) * Self.rate
  }

  @Test(arguments: 1...4) func `voices are spread over the cycle and sum to equal power`(count: Int) throws {
    var rig = try rig([(.voices, Float(count)), (.rate, 1), (.depth, 5), (.spread, 0)])
    let output = rig.render([Signals.sine(500, at: Self.rate, 48_000)])[0]
    var worst = 0.0
    for frame in 2000..<48_000 {
      let sum = [0, 0.5, 0.25, 0.75].prefix(count).reduce(0.0) {
        $0 + delayed(500, frame, rate: 1, depth: 5, delay: 8, phase: $1, triangle: false)
      }
      worst = max(worst, abs(Double(output[frame]) - sum / Double(count).squareRoot()))
    }
    #expect(worst < 5e-4)
  }

  @Test(arguments: [0, 40, 100] as [Float])
  func `spread offsets the swings of the channels`(spread: Float) throws {
    var rig = try rig([(.rate, 1), (.depth, 5), (.spread, spread)], channels: 2)
    let sine = Signals.sine(500, at: Self.rate, 48_000), output = rig.render([sine, sine])
    var worst = 0.0
    for frame in 2000..<48_000 {
      for channel in 0..<2 {
        let phase = Double(spread) / 100 * 0.375 * Double(channel)
        let expected = delayed(500, frame, rate: 1, depth: 5, delay: 8, phase: phase, triangle: false)
        worst = max(worst, abs(Double(output[channel][frame]) - expected))
      }
    }
    #expect(worst < 2e-4)
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [-95, 95] as [Float])
  func `a minute at the extremes stays bounded`(feedback: Float) throws {
    for (voices, rate, depth, delay) in [(1, 10, 20, 1), (4, 10, 20, 50), (4, 0.01, 0, 1)]
      as [(Float, Float, Float, Float)]
    {
      var rig = try rig([
        (.voices, voices), (.rate, rate), (.depth, depth), (.delay, delay), (.feedback, feedback),
      ])
      let loud = Signals.noise(48_000).map { $0 * 100 }
      for _ in 0..<60 {
        // The loop holds 8, the magnitudes of an interpolation's weights add up to 1.784, and four voices double it.
        #expect(rig.render([loud])[0].allSatisfy { abs($0) <= 2 * 8 * 1.784 })
      }
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `a chorus with added, removed and feeding back voices passes the conformance suite`() throws {
    typealias P = Chorus.Parameter
    let suite = Conformance<Chorus>(
      settings: [(P.voices.rawValue, 4), (P.feedback.rawValue, -60), (P.delay.rawValue, 1)],
      without: [.latency])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
