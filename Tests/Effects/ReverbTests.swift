// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// The sound of the reverb, by measures of room acoustics.
@Suite(.enabled(if: Effort.isFull, "runs in release"))
struct ReverbTests {
  static let octaves = [125.0, 250, 500, 1000, 2000, 4000]

  private func t30(_ responses: [[Float]], _ frequency: Double, rate: Double = 48_000) -> Double {
    Reverberation.t30(responses.map { Reverberation.octave($0, frequency, rate: rate) }, rate: rate)
  }

  @Test(arguments: ReverbFixture.presets)
  func `every preset decays in each octave with the time of its formula`(preset: String) throws {
    let low = ReverbFixture.value(.decayLow, preset), high = ReverbFixture.value(.decayHigh, preset)
    let responses = try ReverbFixture.responses(preset, seconds: 1.2 * low + 0.2)
    for frequency in Self.octaves {
      let requested = ReverbFixture.time(
        low: low, high: high, crossover: ReverbFixture.value(.crossover, preset), at: frequency)
      let measured = t30(responses, frequency)
      #expect(
        abs(measured / requested - 1) < 0.1, "\(measured) s at \(frequency) Hz, \(requested) s asked for")
    }
  }

  @Test(
    arguments: [
      (0.4, 4, 48_000), (1, 14, 44_100), (1, 40, 48_000), (3, 2, 48_000), (3, 14, 96_000), (8, 20, 48_000),
      (20, 4, 48_000), (30, 2, 48_000), (30, 40, 44_100),
    ]
      as [(Float, Float, Double)])
  func `an equal time for all frequencies holds at every size and rate`(
    time: Float, size: Float, rate: Double
  ) throws {
    let responses = try ReverbFixture.responses(
      seconds: 1.2 * Double(time) + 0.2, rate: rate,
      [(.decayLow, time), (.decayHigh, time), (.size, size), (.balance, 100), (.highCut, 20_000)])
    for frequency in Self.octaves + [8000] {
      let measured = t30(responses, frequency, rate: rate)
      #expect(abs(measured / Double(time) - 1) < 0.1, "\(measured) s at \(frequency) Hz")
    }
  }

  @Test(arguments: [0.1, 0.15] as [Float], [2, 14, 40] as [Float])
  func `a short time holds at every size`(time: Float, size: Float) throws {
    // A short tail in an octave is a handful of random numbers, so the mean over many impulses is measured.
    var responses: [[Float]] = []
    for clicked in 0..<2 {
      var rig = try ReverbFixture.rig(
        nil,
        [
          (.decayLow, time), (.decayHigh, time), (.size, size), (.balance, 100), (.highCut, 20_000),
          (.preDelay, 0),
        ])
      for _ in 0..<10 {
        let click = Signals.impulse(24_000), silence = Signals.impulse(24_000, amplitude: 0)
        responses += rig.render(clicked == 0 ? [click, silence] : [silence, click])
      }
    }
    for frequency in Self.octaves.dropFirst() + [8000] {
      let measured = t30(responses, frequency)
      #expect(abs(measured / Double(time) - 1) < 0.1, "\(measured) s at \(frequency) Hz")
    }
  }

  @Test(
    arguments: [(3, 0.75, 1000), (0.6, 1.8, 800), (2, 0.4, 4000), (1.5, 0.5, 250)] as [(Float, Float, Float)])
  func `between low and high the decay rate changes like a first-order shelf`(
    low: Float, high: Float, crossover: Float
  ) throws {
    let responses = try ReverbFixture.responses(
      seconds: 1.2 * Double(max(low, high)) + 0.2,
      [(.decayLow, low), (.decayHigh, high), (.crossover, crossover), (.balance, 100), (.highCut, 20_000)])
    for frequency in Self.octaves {
      let expected = Reverberation.expectedT30(around: frequency, rate: 48_000) {
        ReverbFixture.time(low: Double(low), high: Double(high), crossover: Double(crossover), at: $0)
      }
      let measured = t30(responses, frequency)
      #expect(
        abs(measured / expected - 1) < 0.1, "\(measured) s at \(frequency) Hz, \(expected) s by the rule")
    }
  }

  @Test(arguments: [0, 0.2, 1] as [Float])
  func `modulation neither shortens nor lengthens the tail`(depth: Float) throws {
    let responses = try ReverbFixture.responses(
      seconds: 4,
      [
        (.decayLow, 3), (.decayHigh, 3), (.balance, 100), (.highCut, 20_000), (.modulationDepth, depth),
        (.modulationRate, 2),
      ])
    for frequency in Self.octaves { #expect(abs(t30(responses, frequency) / 3 - 1) < 0.1) }
  }

  @Test(arguments: ReverbFixture.halls) func `a hall's echoes are as dense as noise within 100 ms`(
    hall: String
  ) throws {
    let responses = try ReverbFixture.responses(hall, seconds: 0.4)
    let densities = [0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3].map { time in
      responses.reduce(0) { $0 + Reverberation.echoDensity($1, at: time, rate: 48_000) } / 4
    }
    #expect(densities[2...].allSatisfy { $0 >= 0.9 }, "\(densities)")
  }

  /// Returns the left tails of four impulses, at different positions of the modulation.
  private func tails(_ preset: String, seconds: Double, _ values: [(Reverb.Parameter, Float)] = []) throws
    -> [[Float]]
  {
    try [0.5, 0.87, 1.31, 1.93].map { start in
      let before = Int(start * 48_000), count = before + Int(seconds * 48_000)
      var rig = try ReverbFixture.rig(preset, [(.preDelay, 0)] + values)
      var click = [Float](repeating: 0, count: count)
      click[before] = 1
      return Array(rig.render([click, Signals.impulse(count, amplitude: 0)])[0].dropFirst(before))
    }
  }

  @Test(arguments: ReverbFixture.presets) func `an impulse's tail repeats no echo`(preset: String) throws {
    let time = ReverbFixture.value(.decayLow, preset), most = time < 1 ? 0.12 : 0.06
    let from = time < 1 ? 4800 : 7200, count = Int(0.8 * min(time, 1.5) * 48_000)
    for tail in try tails(
      preset, seconds: time + 0.5, [(.decayHigh, Float(time)), (.highCut, 20_000), (.balance, 100)])
    {
      let echo = TailMeasures.echo(tail[from..<from + count], decay: time)
      #expect(echo < most, "an echo of \(echo)")
    }
  }

  @Test(arguments: ReverbFixture.presets) func `a tail rings hardly more than Gaussian noise`(preset: String)
    throws
  {
    let low = ReverbFixture.value(.decayLow, preset), high = ReverbFixture.value(.decayHigh, preset)
    let crossover = ReverbFixture.value(.crossover, preset)
    let ideal = TailMeasures.ringOfNoise(low) {
      ReverbFixture.time(low: low, high: high, crossover: crossover, at: $0)
    }
    let part = Int(0.4 * low * 48_000)..<Int(0.9 * low * 48_000)
    let rings = try tails(preset, seconds: low).map { TailMeasures.ring($0[part]) - ideal }.sorted()
    #expect((rings[1] + rings[2]) / 2 <= 2 && rings[3] <= 3, "\(rings) dB more than noise")
  }

  @Test(arguments: ReverbFixture.presets)
  func `left and right are uncorrelated, and do not cancel`(preset: String) throws {
    let responses = try ReverbFixture.responses(preset, seconds: 1), from = 4800
    for side in [0, 2] {
      let left = responses[side], right = responses[side + 1]
      #expect(abs(Reverberation.correlation(left[from...], right[from...])) < 0.2)
      let mono = Reverberation.energy(zip(left, right).map { $0 + $1 })
      let both = Reverberation.energy(left) + Reverberation.energy(right)
      #expect(abs(10 * log10(mono / both)) < 1)
    }
    // A mono source is centred between both.
    let centre = try ReverbFixture.responses(preset, seconds: 1, inputs: 1)
    #expect(abs(Reverberation.correlation(centre[0][from...], centre[1][from...])) < 0.2)
    let mono = Reverberation.energy(zip(centre[0], centre[1]).map { $0 + $1 })
    #expect(abs(10 * log10(mono / (Reverberation.energy(centre[0]) + Reverberation.energy(centre[1])))) < 1)
  }

  @Test(arguments: [(0.5, 4), (2, 14), (8, 26)] as [(Float, Float)], [0, 50, 100] as [Float])
  func `the wet sound is as loud as a steady input`(room: (time: Float, size: Float), balance: Float) throws {
    let responses = try ReverbFixture.responses(
      seconds: 1.5 * Double(room.time) + 0.5,
      [
        (.decayLow, room.time), (.decayHigh, room.time), (.size, room.size), (.balance, balance),
        (.lowCut, 10),
        (.highCut, 20_000), (.modulationDepth, 0),
      ])
    // Both inputs play: each output's energy is the sum of its responses to both.
    for output in 0..<2 {
      let energy = Reverberation.energy(responses[output]) + Reverberation.energy(responses[2 + output])
      #expect(abs(10 * log10(energy)) < 1.5, "\(10 * log10(energy)) dB")
    }
  }

  @Test func `the measures detect what they are made for`() {
    let noise = Signals.noise(96_000)
    let decaying = noise.enumerated().map { $1 * Float(pow(10, -3 * Double($0) / 48_000 / 0.7)) }
    #expect(abs(t30([decaying], 1000) / 0.7 - 1) < 0.05)
    #expect(Reverberation.echoDensity(noise, at: 1, rate: 48_000) > 1.2)
    #expect(Reverberation.echoDensity((0..<9600).map { $0 % 97 == 0 ? 1 : 0 }, at: 0.1, rate: 48_000) < 0.1)
    let flutter = (0..<28_800).map { noise[$0] + ($0 >= 960 ? 0.5 * noise[$0 - 960] : 0) }
    #expect(TailMeasures.echo(flutter[...], decay: 1e9) > 0.2)
    #expect(TailMeasures.echo(noise[..<28_800], decay: 1e9) < 0.04)
    let steady = TailMeasures.ringOfNoise(1) { _ in 1 }
    let tail = TailMeasures.noise(48_000, seed: 99) { _ in 1 }[19_200..<43_200]
    #expect(abs(TailMeasures.ring(tail) - steady) < 2.5)
    let hum = zip(tail, Signals.sine(440, at: 48_000, tail.count, amplitude: 0.03)).map(+)
    #expect(TailMeasures.ring(hum[...]) > steady + 4)
  }
}
