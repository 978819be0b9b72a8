// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct GeneratorTests {
  private typealias P = Generator.Parameter

  private func rig(at rate: Double = 48_000) throws -> EffectRig<Generator> {
    try EffectRig(Layout(sampleRate: rate, longestBlock: 256, inputs: [], outputs: [1]))
  }

  private func heard(_ frames: Int, at rate: Double = 48_000, _ settings: [(Generator.Parameter, Float)])
    throws -> [Float]
  {
    var rig = try rig(at: rate)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig.render([[Float](repeating: 0, count: frames)])[0]
  }

  @Test func `a sine has its level and frequency`() throws {
    let heard = try heard(48_000, [(.level, -6), (.frequency, 997)])
    for frame in 0..<48_000 {
      let expected = pow(10, -6.0 / 20) * sin(2 * .pi * 997 * Double(frame) / 48_000)
      #expect(abs(Double(heard[frame]) - expected) < 1e-6)
    }
    #expect(try self.heard(1000, [(.level, -96)]).allSatisfy { $0 == 0 })
  }

  @Test func `a sweep is Farina's, and repeats`() throws {
    let heard = try heard(
      48_000, [(.signal, 1), (.level, 0), (.frequency, 20), (.end, 20_000), (.period, 0.5)])
    let rate = log(20_000.0 / 20)
    for frame in 0..<48_000 {
      let part = Double(frame % 24_000) / 24_000
      let cycles = 20 * 0.5 / rate * (exp(part * rate) - 1)
      #expect(abs(Double(heard[frame]) - sin(2 * .pi * cycles)) < 1e-4, "frame \(frame)")
    }
  }

  @Test func `an impulse is one full-scale sample per period`() throws {
    let heard = try heard(48_000, [(.signal, 4), (.level, 0), (.period, 0.25)])
    for frame in 0..<48_000 { #expect(heard[frame] == (frame % 12_000 == 0 ? 1 : 0)) }
  }

  @Test(arguments: [2, 3] as [Float], [44_100, 48_000, 96_000] as [Double])
  func `noise has the mean power of a sine of its level`(signal: Float, rate: Double) throws {
    let heard = try heard(Int(20 * rate), at: rate, [(.signal, signal), (.level, -20)])
    let power = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(heard.count)
    // Pink noise has much of its power at frequencies with few periods in twenty seconds.
    #expect(abs(10 * log10(power * 2) + 20) < (signal == 2 ? 0.05 : 0.4))
  }

  /// Returns the power of one octave around `frequency`, from Goertzel sums over many segments.
  private func density(_ samples: [Float], _ frequency: Double, rate: Double) -> Double {
    let length = 4096
    var sum = 0.0, count = 0.0
    for start in stride(from: 0, to: samples.count - length, by: length / 2) {
      for step in -4...4 {
        let omega = 2 * Double.pi * frequency * pow(2, Double(step) / 9) / rate
        var one = 0.0, two = 0.0
        for frame in 0..<length {
          let window = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(length))
          (one, two) = (window * Double(samples[start + frame]) + 2 * cos(omega) * one - two, one)
        }
        sum += one * one + two * two - 2 * cos(omega) * one * two
        count += 1
      }
    }
    return 10 * log10(sum / count)
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: [44_100, 48_000] as [Double])
  func `pink noise falls by 3 dB per octave, and white noise not at all`(rate: Double) throws {
    for (signal, slope) in [(Float(2), 0.0), (3, -3.0103)] {
      let heard = try heard(Int(10 * rate), at: rate, [(.signal, signal), (.level, 0)])
      let octaves = (0..<8).map { 62.5 * pow(2, Double($0)) }
      let levels = octaves.map { density(heard, $0, rate: rate) }
      for (low, high) in zip(levels, levels.dropFirst()) { #expect(abs(high - low - slope) < 0.5) }
      #expect(abs((levels[7] - levels[0]) / 7 - slope) < 0.1)
    }
  }

  @Test func `a level glides linearly in amplitude`() throws {
    var rig = try rig()
    rig.set(.signal, to: 4)
    rig.set(.period, to: 0.0001)
    rig.set(.level, to: 0)
    let silence = [[Float](repeating: 0, count: 1000)]
    let heard = rig.render(silence, changes: [Change(at: 0, P.level.rawValue, to: -96, over: 1000)])[0]
    for frame in stride(from: 0, to: 1000, by: 5) {
      #expect(abs(heard[frame] - (1 - Float(frame + 1) / 1000)) < 1e-6)
    }
  }

  @Test(.enabled(if: Effort.isFull, "runs in release"), arguments: 0..<5)
  func `a generator passes the conformance suite with every signal`(signal: Int) throws {
    let suite = Conformance<Generator>(
      settings: [(P.signal.rawValue, Float(signal))], without: [.clicks, .latency])
    let findings = try suite.findings()
    #expect(findings == [])
  }
}
