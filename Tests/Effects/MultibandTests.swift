// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct MultibandTests {
  private static let rate = 48_000.0

  /// An effect whose bands leave sound unchanged, except for `settings`.
  private func rig(
    _ crossovers: [Float], _ settings: [(Multiband.Parameter, Float)] = [], channels: Int = 1,
    rate: Double = rate, slope: Float = 0
  ) throws -> EffectRig<Multiband> {
    var rig = try EffectRig<Multiband>(Layout(sampleRate: rate, longestBlock: 256, channels: channels))
    for (number, frequency) in crossovers.enumerated() { rig.set(.crossover(number), to: frequency) }
    for band in 0..<4 { rig.set(.band(band, .ratio), to: 1) }
    rig.set(.knee, to: 0)
    rig.set(.slope, to: slope)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns the gain of `band` at `frequency`: Linkwitz and Riley's low-pass 1/(1 + wⁿ) and high-pass wⁿ/(1 + wⁿ),
  /// warped by the bilinear transform, with n = 4 for a slope of 24 dB an octave and n = 8 for 48 dB.
  private func gain(
    _ band: Int, _ frequency: Double, _ crossovers: [Float], rate: Double, order: Double = 4
  ) -> Double {
    func low(_ number: Int) -> Double {
      let w = tan(.pi * frequency / rate) / tan(.pi * Double(crossovers[number]) / rate)
      return 1 / (1 + pow(w, order))
    }
    switch band {
    case 0: return low(1) * low(0)
    case 1: return low(1) * (1 - low(0))
    case 2: return (1 - low(1)) * low(2)
    default: return (1 - low(1)) * (1 - low(2))
    }
  }

  @Test(
    arguments: [[120, 700, 3000], [20, 100, 1000], [1000, 5000, 20_000], [900, 200, 1000]] as [[Float]],
    [44_100.0, 48_000, 96_000, 192_000])
  func `the bands have a flat sum`(crossovers: [Float], rate: Double) throws {
    for slope in 0...1 {
      var rig = try rig(crossovers, rate: rate, slope: Float(slope))
      let answer = rig.render([Signals.impulse(Int(rate))])[0]
      for frequency in Response.frequencies(200, rate: rate) {
        #expect(abs(Response.measured(answer, frequency, rate: rate)) < 0.001, "\(frequency) Hz, \(slope)")
      }
    }
  }

  @Test(arguments: 0..<4, [[120, 700, 3000], [300, 1500, 8000]] as [[Float]])
  func `each band falls by 24 or 48 dB per octave, with 6 dB at its crossovers`(
    band: Int, crossovers: [Float]
  ) throws {
    for (slope, order) in [(0, 4), (1, 8)] as [(Float, Double)] {
      var flat = try rig(crossovers, slope: slope)
      var lifted = try rig(crossovers, [(.band(band, .gain), 20)], slope: slope)
      let impulse = [Signals.impulse(48_000)]
      // Ten times the band adds nine times the band.
      let answer = zip(lifted.render(impulse)[0], flat.render(impulse)[0]).map { ($0 - $1) / 9 }
      for frequency in Response.frequencies(200, rate: Self.rate) {
        let expected = 20 * log10(gain(band, frequency, crossovers, rate: Self.rate, order: order))
        guard expected > -70 else { continue }
        let error = Response.measured(answer, frequency, rate: Self.rate) - expected
        #expect(abs(error) < 0.05, "\(frequency) Hz, order \(order)")
      }
    }
  }

  @Test(
    arguments: [(0, 60), (1, 240), (1, 290), (1, 350), (2, 1450), (3, 6000), (3, 9000)] as [(Int, Double)])
  func `with 48 dB a tone an octave inside its band falls within 1 dB of the curve`(
    band: Int, frequency: Double
  ) throws {
    let input = [Signals.sine(frequency, at: Self.rate, 144_000, amplitude: 0.5)]
    // Reductions of 15, 20 and 25 dB.
    for threshold in [-26, -32.7, -39.3] {
      var short: [Double] = []
      for slope in [0, 1] as [Float] {
        var rig = try rig(
          [120, 700, 3000], [(.band(band, .threshold), Float(threshold)), (.band(band, .ratio), 4)],
          slope: slope)
        let peak = Double(rig.render(input)[0].suffix(9600).reduce(0) { max($0, abs($1)) })
        let level = 20 * log10(0.5), curve = threshold + (level - threshold) / 4
        short.append(20 * log10(peak) - curve)
      }
      #expect(abs(short[1]) < 1, "\(short[1]) dB")
      // As the description states.
      #expect(threshold < -30 || short[0] < 4, "\(short[0]) dB")
    }
  }

  @Test(arguments: [100, 1000] as [Double])
  func `a change of the slope does not click`(frequency: Double) throws {
    var rig = try rig([120, 700, 3000], [(.band(1, .gain), 6), (.band(2, .gain), -6)])
    let input = [Signals.sine(frequency, at: Self.rate, 48_000, amplitude: 0.5)]
    let output = rig.render(
      input, changes: [Change(at: 12_001, 5, to: 1, over: 1440), Change(at: 30_003, 5, to: 0, over: 1440)])[0]
    // A high-pass at 6 kHz with 120 dB of attenuation.
    let reach = 200, cut = 6000 / Self.rate
    let kernel = (-reach...reach).map { tap in
      let angle = Double.pi * Double(tap)
      let window = KaiserWindow.value(at: Double(tap) / Double(reach), beta: KaiserWindow.beta(120))
      return window * (tap == 0 ? 1 - 2 * cut : -sin(2 * cut * angle) / angle)
    }
    let worst = (4000..<48_000 - reach).reduce(0.0) { worst, frame in
      max(worst, abs(kernel.indices.reduce(0.0) { $0 + kernel[$1] * Double(output[frame + $1 - reach]) }))
    }
    #expect(20 * log10(worst) < -80, "\(20 * log10(worst)) dBFS")
  }

  @Test(arguments: [(0, 60), (1, 300), (2, 1500), (3, 9000)] as [(Int, Double)], [1.5, 4, 20] as [Float])
  func `a band is compressed by its own level, and the others are not`(
    point: (Int, Double), ratio: Float
  ) throws {
    let crossovers: [Float] = [120, 700, 3000], (band, frequency) = point
    for threshold in [-40, -20] as [Float] {
      var rig = try rig(
        crossovers, [(.band(band, .threshold), threshold), (.band(band, .ratio), ratio)])
      _ = rig.render([Signals.sine(frequency, at: Self.rate, 96_000, amplitude: 0.5)])
      let level = 20 * log10(0.5 * gain(band, frequency, crossovers, rate: Self.rate))
      let expected = max(level - Double(threshold), 0) * (1 - 1 / Double(ratio))
      for other in 0..<4 {
        #expect(abs(Double(rig.meters[other]) - (other == band ? expected : 0)) < 0.1)
      }
    }
  }

  @Test(arguments: [(1, 50), (20, 120), (100, 600)] as [(Float, Float)])
  func `attack and release are the times to 63 % of the change in decibels`(times: (Float, Float)) throws {
    // All of the sound is in the third band.
    var rig = try rig(
      [20, 100, 20_000],
      [
        (.band(2, .threshold), -30), (.band(2, .ratio), 4), (.band(2, .attack), times.0),
        (.band(2, .release), times.1),
      ])
    // Returns the frames until the meter passes a reading, in steps of `step` frames.
    func wait(_ amplitude: Double, _ step: Int, until isThere: (Float) -> Bool) -> Double {
      for start in stride(from: 0, to: 96_000, by: step) {
        let wave = (start..<start + step).map { amplitude * sin(2 * .pi * 4000.3 / Self.rate * Double($0)) }
        _ = rig.render([wave.map { Float($0) }])
        if isThere(rig.meters[2]) { return Double(start + step) / 48 }
      }
      return .infinity
    }
    let full: Float = 22.5
    let attack = wait(1, 4) { $0 >= full * Float(1 - exp(-1.0)) }
    #expect(abs(attack - Double(times.0)) < max(0.05 * Double(times.0), 0.2), "\(attack)")
    _ = wait(1, 95_904) { $0 > 0 }
    #expect(abs(rig.meters[2] - full) < 0.05)
    let release = wait(0.001, Int(times.1 / 12)) { $0 <= full * Float(exp(-1.0)) }
    #expect(abs(release / Double(times.1) - 1) < 0.05, "\(release)")
  }

  @Test func `the sum stays flat while crossovers glide`() throws {
    // Sine and cosine: two channels whose length as a vector is the level at every frame.
    var rig = try rig([20, 100, 1000], channels: 2)
    let omega = 2 * Double.pi * 600 / Self.rate
    let input = [
      (0..<96_000).map { Float(0.5 * sin(omega * Double($0))) },
      (0..<96_000).map { Float(0.5 * cos(omega * Double($0))) },
    ]
    let goals: [Float] = [1000, 5000, 20_000]
    let output = rig.render(
      input, changes: goals.enumerated().map { Change(at: 24_000, $0, to: $1, over: 48_000) })
    for frame in 12_000..<96_000 {
      let size = hypot(Double(output[0][frame]), Double(output[1][frame]))
      #expect(abs(20 * log10(size / 0.5)) < 0.1, "frame \(frame)")
    }
  }

  @Test func `a glide of crossovers ends exactly at the set value`() throws {
    let noise = [Signals.noise(1000)], silence = [[Float](repeating: 0, count: 2000)]
    var glided = try rig([120, 700, 3000]), set = try rig([345.6, 700, 3000])
    _ = glided.render(silence, changes: [Change(at: 3, 0, to: 345.6, over: 977)])
    #expect(glided.render(noise) == set.render(noise))
  }

  @Test func `all channels of a band get one gain`() throws {
    var flat = try rig([20, 100, 20_000], channels: 3)
    var rig = try rig(
      [20, 100, 20_000], [(.band(2, .threshold), -30), (.band(2, .ratio), 10)], channels: 3)
    let soft = Signals.sine(3000, at: Self.rate, 24_000, amplitude: 0.01)
    let input = [soft, Signals.sine(2000, at: Self.rate, 24_000), soft]
    let dry = flat.render(input), wet = rig.render(input)
    // The level of 10 ms, in whole periods.
    func level(_ samples: [Float]) -> Float { 10 * log10(samples.suffix(480).reduce(0) { $0 + $1 * $1 }) }
    for channel in 0..<3 { #expect(abs(level(wet[channel]) - level(dry[channel]) + 27) < 0.1) }
    #expect(wet[0] == wet[2])
  }

  @Test func `any number of bands other than four is refused`() {
    #expect(throws: EffectError.bands(3)) {
      _ = try EffectRig<Multiband>(Layout(sampleRate: Self.rate, longestBlock: 64, bandCount: 3))
    }
  }
}
