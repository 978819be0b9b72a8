// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct EqualizerGlideTests {
  private static let rate = 48_000.0

  /// Returns the output of a parametric filter recomputed at every frame, which a glide approximates.
  private func reference(
    _ input: [Float], frequency: (Int) -> Double, octaves: Double, gain: (Int) -> Double
  ) -> [Double] {
    var one = 0.0, two = 0.0
    return input.enumerated().map { frame, sample in
      let w = 2 * Double.pi * frequency(frame) / Self.rate, g = tan(w / 2), root = pow(10, gain(frame) / 40)
      let k = 2 * sinh(log(2) / 2 * octaves * w / sin(w)) / root
      // Two trapezoidal integrators, solved for the sample between them.
      let band = (one + g * (Double(sample) - two)) / (1 + g * (g + k)), low = two + g * band
      one = 2 * band - one
      two = 2 * low - two
      return Double(sample) + k * (root * root - 1) * band
    }
  }

  private func rig(octaves: Float, frequency: Float, gain: Float) throws -> EffectRig<Equalizer> {
    var rig = try EffectRig<Equalizer>(
      Layout(sampleRate: Self.rate, longestBlock: 256, channels: 1, bandCount: 1))
    rig.set(.band(0, .bandwidth), to: octaves)
    rig.set(.band(0, .frequency), to: frequency)
    rig.set(.band(0, .gain), to: gain)
    return rig
  }

  /// Returns the largest deviation of `heard` from `expected`, in decibels relative to full scale.
  private func distance(_ heard: [Float], _ expected: [Double]) -> Double {
    20 * log10(zip(heard, expected).map { abs(Double($0) - $1) }.max() ?? 0)
  }

  @Test func `a gliding gain sounds as if recomputed at every frame`() throws {
    var rig = try rig(octaves: 1, frequency: 1000, gain: -20)
    let input = Signals.sine(1000, at: Self.rate, 48_000, amplitude: 0.1),
      number = Equalizer.Parameter.band(0, .gain).rawValue
    let heard = rig.render([input], changes: [Change(at: 4800, number, to: 20, over: 24_000)])[0]
    let expected = reference(input, frequency: { _ in 1000 }, octaves: 1) {
      -20 + 40 * Double(min(max($0 - 4799, 0), 24_000)) / 24_000
    }
    #expect(distance(heard, expected) < -90)
  }

  @Test func `a frequency that glides over two decades sounds as if recomputed at every frame`() throws {
    var rig = try rig(octaves: 0.5, frequency: 100, gain: 18)
    let input = Signals.noise(48_000).map { $0 * 0.1 },
      number = Equalizer.Parameter.band(0, .frequency).rawValue
    let heard = rig.render([input], changes: [Change(at: 4800, number, to: 10_000, over: 24_000)])[0]
    let expected = reference(
      input,
      frequency: { 100 * pow(100, Double(min(max($0 - 4799, 0), 24_000)) / 24_000) }, octaves: 0.5,
      gain: { _ in 18 })
    #expect(distance(heard, expected) < -70)
  }

  @Test func `a glide ends exactly at the set value`() throws {
    var glided = try rig(octaves: 1, frequency: 200, gain: 6),
      set = try rig(octaves: 1, frequency: 200, gain: 6)
    let number = Equalizer.Parameter.band(0, .frequency).rawValue
    _ = glided.render(
      [[Float](repeating: 0, count: 2000)], changes: [Change(at: 3, number, to: 3456.7, over: 977)])
    set.set(.band(0, .frequency), to: 3456.7)
    let noise = [Signals.noise(1000)]
    #expect(glided.render(noise) == set.render(noise))
  }

  @Test func `a new type crossfades smoothly from the old one`() throws {
    // Both filters receive DC: the low-pass passes it, and the high-pass does not.
    var rig = try rig(octaves: 1, frequency: 2000, gain: 0)
    rig.set(.band(0, .type), to: 1)
    let ones = [Float](repeating: 1, count: 6000), number = Equalizer.Parameter.band(0, .type).rawValue
    let heard = rig.render([ones], changes: [Change(at: 3000, number, to: 2, over: 960)])[0]
    for frame in 2000..<6000 {
      let share = Double(min(max(frame - 2999, 0), 960)) / 960
      // It is linear over 16 frames at a time, which deviates by (16/960)² · 6/8 at most.
      #expect(abs(Double(heard[frame]) - (1 - share * share * (3 - 2 * share))) < 2.2e-4)
    }
  }

  @Test func `the output stays bounded, however fast the parameters change`() throws {
    var rig = try EffectRig<Equalizer>(
      Layout(sampleRate: Self.rate, longestBlock: 256, channels: 2, bandCount: 4))
    var changes: [Change] = [], state: UInt64 = 7
    func random(_ range: ClosedRange<Float>) -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + (range.upperBound - range.lowerBound) * Float(state >> 40) / Float(1 << 24)
    }
    for frame in stride(from: 10, to: 96_000, by: 5) {
      let band = Int(random(0...3.99)), over = Int(random(0...40))
      switch Int(random(0...2.99)) {
      case 0:
        let number = Equalizer.Parameter.band(band, .frequency).rawValue
        changes.append(Change(at: frame, number, to: 20 * pow(1000, random(0...1)), over: over))
      case 1:
        let number = Equalizer.Parameter.band(band, .bandwidth).rawValue
        changes.append(Change(at: frame, number, to: random(0.05...5), over: over))
      default:
        // The types without gain: passes and stops, which lift by 30 dB at most.
        let number = Equalizer.Parameter.band(band, .type).rawValue
        changes.append(Change(at: frame, number, to: Float(Int(random(1...6.99))), over: over))
      }
    }
    let silence = [Float](repeating: 0, count: 48_000)
    let output = rig.render(
      [Signals.noise(48_000) + silence, Signals.noise(48_000, seed: 2) + silence], changes: changes)
    for channel in output {
      let loud = channel[..<48_000].reduce(0) { max($0, abs($1)) },
        quiet = channel[72_000...].reduce(0) { max($0, abs($1)) }
      #expect(loud < 100)
      // Without input the filters can only lose energy; the parameter changes add none.
      #expect(quiet < 1e-3)
    }
  }
}
