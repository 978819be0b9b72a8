// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct EqualizerTests {
  /// An equalizer with one band.
  private func rig(
    _ type: Int, _ frequency: Float, _ octaves: Float, _ gain: Float, rate: Double = 48_000, channels: Int = 1
  ) throws -> EffectRig<Equalizer> {
    var rig = try EffectRig<Equalizer>(
      Layout(sampleRate: rate, longestBlock: 256, channels: channels, bandCount: 1))
    rig.set(.band(0, .type), to: Float(type))
    rig.set(.band(0, .frequency), to: frequency)
    rig.set(.band(0, .bandwidth), to: octaves)
    rig.set(.band(0, .gain), to: gain)
    return rig
  }

  @Test(arguments: 0..<13, Effort.of([44_100.0, 48_000, 96_000, 192_000], debug: [48_000]))
  func `each type follows the cookbook's formula at 200 frequencies`(type: Int, rate: Double) throws {
    for (frequency, octaves, gain) in [(1000, 1, 12), (120, 0.4, -18), (9000, 2.5, 6), (300, 0.1, 24)]
      as [(Float, Float, Float)]
    {
      var rig = try rig(type, frequency, octaves, gain, rate: rate)
      let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
      let book = Cookbook(
        type: type, frequency: Double(frequency), octaves: Double(octaves), gain: Double(gain), rate: rate)
      for tone in Response.frequencies(Effort.of(200, debug: 20), rate: rate) {
        let expected = Response.formula(b: book.b, a: book.a, tone, rate: rate)
        // At lower levels, one would measure the rounding of the samples to Float.
        guard expected > -100 else { continue }
        let heard = Response.measured(impulse, tone, rate: rate)
        #expect(abs(heard - expected) < 0.05, "\(tone) Hz: \(heard) dB, expected \(expected) dB")
      }
    }
  }

  @Test(arguments: Filter.Kind.allCases)
  func `each parameter that a type needs is audible`(kind: Filter.Kind) throws {
    let type = try #require(Equalizer.bands?.parameters.first?.choices[kind.rawValue])
    for (index, parameter) in try #require(Equalizer.bands).parameters.enumerated() {
      guard let needs = parameter.needs, needs.choices.contains(where: { "\($0)" == "\(type)" }) else {
        continue
      }
      let ends = try [parameter.range.lowerBound, parameter.range.upperBound].map { value in
        var rig = try rig(kind.rawValue, 1000, 1, 6)
        rig.set(Equalizer.parameters.count + index, to: value)
        return rig.render([Signals.impulse(2048)])
      }
      #expect(ends[0] != ends[1], "\(parameter.symbol)")
    }
  }

  @Test(arguments: [0.25, 1, 2] as [Double], [12, -9] as [Double])
  func `a parametric band has its bandwidth between the points of half its gain`(
    octaves: Double, gain: Double
  ) throws {
    var rig = try rig(0, 1000, Float(octaves), Float(gain))
    let impulse = rig.render([Signals.impulse(rig.tail + 4096)])[0]
    #expect(abs(Response.measured(impulse, 1000, rate: 48_000) - gain) < 0.001)
    /// Returns the frequency of half the gain, between `inner` and `outer`.
    func edge(_ inner: Double, _ outer: Double) -> Double {
      var inner = inner, outer = outer
      for _ in 0..<40 {
        let middle = (inner * outer).squareRoot()
        let isInside = abs(Response.measured(impulse, middle, rate: 48_000)) > abs(gain) / 2
        if isInside { inner = middle } else { outer = middle }
      }
      return inner
    }
    let width = log2(edge(1000, 12_000) / edge(1000, 80))
    #expect(abs(width - octaves) < 0.01 * octaves)
  }

  @Test func `passes are 3 dB down at their frequency, and a band-stop is silent at its centre`() throws {
    for type in [1, 2] {
      var rig = try rig(type, 2000, 1, 0)
      let impulse = rig.render([Signals.impulse(8192)])[0]
      #expect(abs(Response.measured(impulse, 2000, rate: 48_000) + 3.0103) < 0.001)
    }
    var stop = try rig(6, 2000, 1, 0)
    #expect(Response.measured(stop.render([Signals.impulse(8192)])[0], 2000, rate: 48_000) < -120)
  }

  @Test func `a frequency above 0·49 of the rate acts there, and keeps its set value`() throws {
    var high = try rig(1, 20_000, 1, 0, rate: 32_000), clamped = try rig(1, 0.49 * 32_000, 1, 0, rate: 32_000)
    let noise = [Signals.noise(1000)]
    let heard = high.render(noise)[0], expected = clamped.render(noise)[0]
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `at rest and flat it passes every sample unchanged`() throws {
    var rig = try EffectRig<Equalizer>(
      Layout(sampleRate: 48_000, longestBlock: 256, channels: 3, bandCount: 32))
    let input = [Signals.noise(1000), Signals.noise(1000, seed: 2), Signals.noise(1000, seed: 3)]
    #expect(rig.render(input) == input)
  }

  @Test func `a disabled band changes nothing`() throws {
    var rig = try rig(2, 3000, 1, 0)
    rig.set(.band(0, .enabled), to: 0)
    let input = [Signals.noise(1000)]
    #expect(rig.render(input) == input)
    #expect(rig.tail == 0)
  }

  @Test(arguments: [1, 2, 3, 64]) func `every channel is filtered as if alone`(channels: Int) throws {
    var wide = try rig(3, 700, 0.3, 0, channels: channels)
    let input = (0..<channels).map { Signals.noise(600, seed: UInt64($0 + 1)) }
    let output = wide.render(input)
    for channel in 0..<channels {
      var alone = try rig(3, 700, 0.3, 0)
      #expect(alone.render([input[channel]])[0] == output[channel])
    }
  }

  @Test func `the output gain is exact, and silent at -96 dB`() throws {
    var rig = try rig(0, 1000, 1, 0)
    rig.set(.gain, to: -20)
    #expect(abs(rig.render([[1]])[0][0] - 0.1) < 1e-8)
    rig.set(.gain, to: -96)
    #expect(rig.render([[1, 1]])[0] == [0, 0])
  }

  @Test func `more than 32 bands are refused`() {
    #expect(throws: EffectError.bands(33)) {
      _ = try EffectRig<Equalizer>(Layout(sampleRate: 48_000, longestBlock: 64, bandCount: 33))
    }
  }
}
