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
    ]
      as [(Float, Float, Double)])
  func `an equal time for all frequencies holds at every size and rate`(
    time: Float, size: Float, rate: Double
  ) throws {
    let responses = try ReverbFixture.responses(
      seconds: 1.2 * Double(time) + 0.2, rate: rate,
      [(.decayLow, time), (.decayHigh, time), (.size, size), (.balance, 100), (.highCut, 20_000)])
    for frequency in Self.octaves {
      let measured = t30(responses, frequency, rate: rate)
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

  @Test(arguments: ReverbFixture.presets) func `an impulse's tail does not flutter`(preset: String) throws {
    let time = ReverbFixture.value(.decayLow, preset)
    for response in try ReverbFixture.responses(
      preset, seconds: 0.15 + min(time, 1) / 2, [(.decayHigh, Float(time)), (.highCut, 20_000)])
    {
      let flutter = Reverberation.flutter(
        response[Int(0.15 * 48_000)...], lags: 0.004...0.15, decay: time, rate: 48_000)
      #expect(flutter < 0.25, "an echo of \(flutter)")
    }
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

  @Test(arguments: ReverbFixture.presets) func `no frequency of the tail rings above its neighbours`(
    preset: String
  )
    throws
  {
    let time = ReverbFixture.value(.decayLow, preset), from = Int(0.4 * time * 48_000),
      to = Int(0.9 * time * 48_000)
    let tails = try ReverbFixture.responses(preset, seconds: time).map { Array($0[from..<to]) }
    let ring = Reverberation.loudestRing(tails, low: 120, high: 8000, width: 8 / time, rate: 48_000)
    #expect(ring.decibels < 6, "\(ring.decibels) dB at \(ring.frequency) Hz")
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
    let ringing = zip(noise, Signals.sine(440, at: 48_000, 96_000, amplitude: 0.1)).map(+)
    #expect(Reverberation.loudestRing([noise], low: 120, high: 8000, rate: 48_000).decibels < 4)
    let ring = Reverberation.loudestRing([ringing], low: 120, high: 8000, rate: 48_000)
    #expect(ring.decibels > 6 && abs(ring.frequency - 440) < 20)
    let flutter = (0..<14_400).map { noise[$0] + ($0 >= 960 ? 0.5 * noise[$0 - 960] : 0) }
    #expect(Reverberation.flutter(flutter[...], lags: 0.004...0.05, decay: 1e9, rate: 48_000) > 0.3)
    #expect(Reverberation.flutter(noise[..<14_400], lags: 0.004...0.05, decay: 1e9, rate: 48_000) < 0.1)
  }
}
