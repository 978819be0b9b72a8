// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct PhaserTests {
  private func rig(_ settings: [(Phaser.Parameter, Float)], rate: Double = 48_000) throws -> EffectRig<Phaser>
  {
    var rig = try EffectRig<Phaser>(Layout(sampleRate: rate, longestBlock: 256, channels: 1))
    rig.set(.depth, to: 0)
    rig.set(.feedback, to: 0)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns the phase lag of n first-order all-pass filters with this centre.
  private func phaseLag(_ stages: Int, _ frequency: Double, centre: Double, rate: Double) -> Double {
    2 * Double(stages) * atan(tan(.pi * frequency / rate) / tan(.pi * centre / rate))
  }

  @Test func `a moving copy of 10 kHz has no spurs above -70 dB, and one of 18 kHz keeps its level`() throws {
    var rig = try rig([(.rate, 0.4), (.depth, 3), (.mix, 100)]),
      treble = try self.rig([(.depth, 3), (.mix, 100)])
    let count = 65_536
    let output = rig.render([Signals.sine(10_000, at: 48_000, 4800 + count)])[0].suffix(count)
    let windowed = output.enumerated().map {
      $1 * Float(pow(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)), 2))
    }
    let power = TailMeasures.power(windowed), middle = Int(10_000 / 48_000 * Double(count))
    let spurs = power.indices.filter { abs($0 - middle) > 300 }.reduce(0.0) { $0 + power[$1] }
    #expect(10 * log10(spurs / power.reduce(0, +)) < -70)
    let high = treble.render([Signals.sine(18_000, at: 48_000, 48_000)])[0]
    for start in stride(from: 2400, to: 48_000, by: 240) {
      let power = high[start..<start + 240].reduce(0) { $0 + Double($1) * Double($1) } / 120
      #expect(abs(10 * log10(power)) < 0.2)
    }
  }

  @Test(arguments: 2...12, [(200, 44_100), (800, 48_000), (5000, 96_000)] as [(Double, Double)])
  func `static stages have notches where the all-pass formula gives them`(
    stages: Int, at setting: (centre: Double, rate: Double)
  ) throws {
    var rig = try rig([(.stages, Float(stages)), (.centre, Float(setting.centre))], rate: setting.rate)
    let output = rig.render([Signals.impulse(Int(setting.rate))])[0]
    let corner = tan(.pi * setting.centre / setting.rate)
    for k in 0..<stages / 2 {
      let notch = atan(corner * tan(Double(2 * k + 1) * .pi / Double(2 * stages))) * setting.rate / .pi
      #expect(Response.measured(output, notch, rate: setting.rate) < -60, "\(notch) Hz")
    }
    for frequency in Response.frequencies(50, rate: setting.rate) {
      let half = phaseLag(stages, frequency, centre: setting.centre, rate: setting.rate) / 2
      guard abs(cos(half)) > 0.05 else { continue }
      let expected = 20 * log10(abs(cos(half)))
      #expect(abs(Response.measured(output, frequency, rate: setting.rate) - expected) < 0.02)
    }
  }

  @Test(arguments: [-95, -40, 40, 95] as [Float])
  func `feedback is one frame late, as in its formula`(feedback: Float) throws {
    var rig = try rig([(.stages, 4), (.centre, 1000), (.feedback, feedback), (.mix, 100)])
    let output = rig.render([Signals.impulse(96_000)])[0], gain = Double(feedback) / 100
    for frequency in Response.frequencies(60, rate: 48_000) {
      let angle = phaseLag(4, frequency, centre: 1000, rate: 48_000) + 2 * .pi * frequency / 48_000
      let expected = -10 * log10(1 + gain * gain - 2 * gain * cos(angle))
      #expect(abs(Response.measured(output, frequency, rate: 48_000) - expected) < 0.02)
    }
  }

  @Test func `the centre swings by half the depth, with channels offset by the stereo phase`() throws {
    var rig = try EffectRig<Phaser>(Layout(sampleRate: 48_000, longestBlock: 256, channels: 2))
    // Slow enough that the filters are nearly static within a period of the sine.
    for (parameter, value) in [
      (.feedback, 0), (.mix, 100), (.rate, 0.1), (.centre, 1000), (.depth, 4), (.stages, 2),
      (.stereoPhase, 180),
    ] as [(Phaser.Parameter, Float)] { rig.set(parameter, to: value) }
    let sine = Signals.sine(1000, at: 48_000, 480_000), output = rig.render([sine, sine])
    // At a quarter of the cycle the left centre is at its maximum and the right one at its minimum; later the reverse.
    for (second, left) in [(2.5, 4000.0), (7.5, 250)] {
      for (channel, centre) in [(0, left), (1, 1_000_000 / left)] {
        let back = phaseLag(2, 1000, centre: centre, rate: 48_000)
        let start = Int(second * 48_000)
        for frame in start..<start + 480 {
          let expected = sin(2 * .pi * 1000 * Double(frame) / 48_000 - back)
          #expect(abs(Double(output[channel][frame]) - expected) < 5e-3)
        }
      }
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [-95, 95] as [Float])
  func `a minute at the extremes stays bounded`(feedback: Float) throws {
    for (stages, rate, centre, depth) in [(12, 10, 50, 6), (12, 10, 10_000, 6), (2, 0.01, 50, 0)]
      as [(Float, Float, Float, Float)]
    {
      var rig = try rig([
        (.stages, stages), (.rate, rate), (.centre, centre), (.depth, depth), (.feedback, feedback),
        (.mix, 100),
      ])
      let loud = Signals.noise(48_000).map { $0 * 100 }
      // The input is below 8; moving filters amplify it by a few times at most.
      for _ in 0..<60 { #expect(rig.render([loud])[0].allSatisfy { abs($0) <= 64 }) }
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"))
  func `a phaser with added, removed and feeding back stages passes the conformance suite`() throws {
    typealias P = Phaser.Parameter
    // Sharp peaks that sweep through a sine bend it more than a fade does; other tests check for clicks.
    let suite = Conformance<Phaser>(
      settings: [(P.stages.rawValue, 12), (P.feedback.rawValue, -80), (P.shape.rawValue, 1)],
      without: [.latency, .clicks])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
