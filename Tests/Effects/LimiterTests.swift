// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct LimiterTests {
  private static let rate = 48_000.0

  private func rig(
    ceiling: Float = -1, release: Float = 150, gain: Float = 0, channels: Int = 1, rate: Double = rate
  ) throws -> EffectRig<Limiter> {
    var rig = try EffectRig<Limiter>(Layout(sampleRate: rate, longestBlock: 256, channels: channels))
    rig.set(.ceiling, to: ceiling)
    rig.set(.release, to: release)
    rig.set(.gain, to: gain)
    return rig
  }

  @Test func `no programme exceeds the ceiling, at samples or between them`() throws {
    var random = RandomPrograms(seed: 7), worst = -100.0
    for number in 0..<Effort.of(1000, debug: 8) {
      let ceiling = Float(random.number(in: -20...0)), gain = Float(random.number(in: 0...24))
      var rig = try rig(ceiling: ceiling, release: Float(random.number(in: 10...300)), gain: gain)
      let output = rig.render([random.program(1500)])[0]
      let limit = Float(pow(10, Double(ceiling) / 20))
      #expect(output.allSatisfy { abs($0) <= limit }, "programme \(number)")
      worst = max(worst, 20 * log10(Oversampling.truePeak(output)) - Double(ceiling))
    }
    #expect(worst <= 0.1, "by \(worst) dB")
    // It does not stay far below either.
    #expect(worst > -0.1)
  }

  @Test func `no programme exceeds the ceiling on a meter with a short filter`() throws {
    var random = RandomPrograms(seed: 11), worst = -100.0
    for _ in 0..<Effort.of(1000, debug: 8) {
      let ceiling = Float(random.number(in: -20...0)), gain = Float(random.number(in: 0...24))
      var rig = try rig(ceiling: ceiling, release: Float(random.number(in: 10...300)), gain: gain)
      let output = rig.render([random.program(1500)])[0]
      worst = max(worst, 20 * log10(Oversampling.meterPeak(output)) - Double(ceiling))
    }
    #expect(worst <= 0.1 && worst > -0.2, "by \(worst) dB")
  }

  @Test(arguments: [10, 150] as [Float])
  func `bursts of broadband noise stay below the ceiling on meters`(release: Float) throws {
    var rig = try rig(release: release, gain: 12)
    let levels = Signals.noise(1000, seed: 3).map { pow(10, 1.5 * $0) * 0.3 }
    let output = rig.render([Signals.noise(240_000).enumerated().map { $1 * levels[$0 / 300] }])[0]
    let worst = 20 * log10(Oversampling.meterPeak(output))
    #expect(worst <= -0.9 && worst > -1.1, "\(worst) dB")
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func `a sine with peaks between samples is limited by these peaks`(rate: Double) throws {
    for (frequency, phase) in [(rate / 4, 0.25), (rate / 6, 1 / 3), (997, 0), (19_000, 0.1)] {
      var rig = try rig(ceiling: -3, release: 20, gain: 9, rate: rate)
      let input = (0..<24_000).map {
        Float(sin(Double.pi * (2 * frequency * Double($0) / rate + phase)))
      }
      let output = Array(rig.render([input])[0][9600...])
      let level = 20 * log10(Oversampling.truePeak(output))
      #expect(abs(level + 3.04) < 0.06, "\(frequency) Hz: \(level)")
    }
  }

  @Test func `sound below the ceiling is only delayed`() throws {
    var rig = try rig(channels: 2)
    let input = [Signals.noise(9600).map { $0 * 0.3 }, Signals.noise(9600, seed: 2).map { $0 * 0.3 }]
    let output = rig.render(input)
    #expect(rig.meters == [0])
    for channel in 0..<2 {
      #expect(Array(output[channel][rig.latency...]) == Array(input[channel][..<(9600 - rig.latency)]))
    }
  }

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
  func `the latency is less than 2 ms, and that of an impulse`(rate: Double) throws {
    var rig = try rig(rate: rate)
    #expect(Double(rig.latency) < 0.002 * rate)
    let output = rig.render([Signals.impulse(4800)])[0]
    #expect(output.indices.filter { output[$0] != 0 } == [rig.latency])
    #expect(abs(20 * log10(output[rig.latency]) + 1.05) < 0.02)
  }

  @Test(arguments: [20, 150, 1000] as [Float])
  func `gain reduction is released at the release time when no longer needed`(release: Float) throws {
    var rig = try rig(ceiling: -10, release: release)
    let wave = Signals.sine(3000.3, at: Self.rate, 9600 + Int(release * 480))
    let input = wave.enumerated().map { $0 < 9600 ? $1 : $1 * 0.01 }
    let gain = GainTrace(input, rig.render([input])[0], latency: rig.latency)
    let end = 9600 + rig.latency
    #expect(abs(gain.decibels[end - 1] + 10.05) < 0.05)
    // It stays reduced for the samples around a peak, and rises as smoothly as it fell, within one millisecond.
    let time = Double(gain.frames(from: end - 1, to: input.count - 1)) / 48
    #expect(abs(time - Double(release) - 1) < 0.02 * Double(release), "\(time)")
  }

  @Test func `gain falls in a straight line of decibels, and is down when the peak arrives`() throws {
    var rig = try rig(ceiling: -12)
    let input = (0..<4800).map { Float($0 < 2400 ? 0.05 : 1) }
    let output = rig.render([input])[0], edge = 2400 + rig.latency
    // Before the step the wave is constant, and shows the gain. The step's own ripple begins ten frames before it.
    let gain = GainTrace(input, output, latency: rig.latency).decibels
    #expect(gain[edge - 90] == 0)
    #expect(gain[edge] < -11.9)
    let steps = ((edge - 80)..<(edge - 20)).map { gain[$0 + 1] - gain[$0] }
    #expect((steps.max() ?? 1) <= 1e-4 && (steps.min() ?? -1) > -0.3)
  }

  @Test(arguments: [1, 64, 256])
  func `between bursts the gain is 0 dB, and a burst does not affect the next one`(blockSize: Int) throws {
    let period = 24_010, noise = Signals.noise(period)
    let once = noise.enumerated().map { $0 < 3000 ? $1 : $1 * 0.1 }
    var rig = try rig(ceiling: -6, release: 10), odd = try self.rig(ceiling: -6, release: 10)
    let input = once + once + once, output = rig.render([input], blockSize: blockSize)[0]
    #expect(output == odd.render([input], blockSize: 37)[0])
    // Seventeen release times take ten decibels to where they round to zero. The gain falls again just before the
    // next burst.
    let rest = (period - 8000)..<(period - 2 * rig.latency)
    #expect(rest.allSatisfy { output[$0 + rig.latency] == input[$0] })
    #expect(output[period..<2 * period] == output[(2 * period)...])
  }

  @Test func `all channels get one gain, and the meter shows it`() throws {
    var rig = try rig(ceiling: -6, channels: 2)
    let loud = Signals.sine(500, at: Self.rate, 9600), soft = Signals.noise(9600).map { $0 * 0.01 }
    let output = rig.render([loud, soft])
    let first = GainTrace(loud, output[0], latency: rig.latency).decibels[9599]
    #expect(abs(first - GainTrace(soft, output[1], latency: rig.latency).decibels[9599]) < 0.01)
    #expect(abs(Double(rig.meters[0]) + first) < 0.05)
  }
}
