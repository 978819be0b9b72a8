// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

typealias DistortionRig = EffectRig<Distortion>

struct DistortionTests {
  /// Returns a rig that is fully wet, at a gain low enough for a linear clip by default.
  static func rig(
    _ values: [Distortion.Parameter: Float] = [:], oversampling: Int = 2, rate: Double = 48_000,
    channels: Int = 1
  ) throws -> DistortionRig {
    var rig = try DistortionRig(Layout(sampleRate: rate, longestBlock: 256, channels: channels))
    rig.set(.mix, to: 100)
    rig.set(.gain, to: -60)
    rig.set(.oversampling, to: Float(oversampling))
    for (parameter, value) in values { rig.set(parameter, to: value) }
    return rig
  }

  /// Returns the magnitudes at 0, 10, 20 Hz and so on to half the rate, of the last tenth of a second.
  private func spectrum(_ samples: [Float], rate: Double) -> [Double] {
    let count = Int(rate / 10), last = Array(samples.suffix(count))
    return (0...count / 2).map {
      pow(10, Response.measured(last, 10 * Double($0), rate: rate) / 20) * 2 / Double(count)
    }
  }

  /// Returns the level of the strongest frequency that is no harmonic of a sine, relative to the strongest that is.
  private func aliases(
    _ values: [Distortion.Parameter: Float], of frequency: Int = 5000, oversampling: Int, rate: Double
  ) throws -> Double {
    var rig = try Self.rig(values, oversampling: oversampling, rate: rate)
    let output = rig.render([Signals.sine(Double(frequency), at: rate, Int(rate))])[0]
    let lines = spectrum(output, rate: rate), step = frequency / 10
    let harmonics = lines.indices.filter { $0 % step == 0 && $0 > 0 }.map { lines[$0] }
    let rest = lines.indices.filter { $0 % step != 0 }.map { lines[$0] }
    return 20 * log10((rest.max() ?? 0) / (harmonics.max() ?? 0))
  }

  @Test(arguments: [48_000.0, 44_100], [0, 6, 8, 12, 20] as [Float])
  func `from 4x on a driven sine has no aliases above -80 dB`(rate: Double, gain: Float) throws {
    for (frequency, oversampling) in [(5000, 2), (10_000, 2), (10_000, 3)] {
      let level = try aliases([.gain: gain], of: frequency, oversampling: oversampling, rate: rate)
      #expect(level < -80, "\(frequency) Hz: \(level)")
    }
  }

  @Test func `oversampling reduces aliases, also for a strong polynomial`() throws {
    let strong: [Distortion.Parameter: Float] = [
      .squaredTerm: 20, .cubicTerm: 20, .polynomialMix: 100, .gain: -6,
    ]
    for (oversampling, most) in [(1, -26.0), (2, -90), (3, -90)] {
      let level = try aliases(strong, oversampling: oversampling, rate: 48_000)
      #expect(level < most, "\(1 << oversampling)x: \(level)")
    }
    // Without it, aliases are audible.
    let without = try aliases([.gain: 12], oversampling: 0, rate: 48_000)
    #expect(without > -50)
  }

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000], [0, 1, 2, 3])
  func `the latency is that of an impulse, and dry and wet are aligned`(
    rate: Double, oversampling: Int
  ) throws {
    var rig = try Self.rig([.gain: 0], oversampling: oversampling, rate: rate)
    let latency = rig.latency
    #expect(oversampling == 0 ? latency == 0 : latency > 0 && Double(latency) < 0.002 * rate)
    let answer = rig.render([Signals.impulse(8192, amplitude: 0.01)])[0].map { $0 * 100 }
    // The remaining phase at 1 and 15 kHz, after removing the latency.
    for frequency in [1000.0, 5000, 15_000] {
      var sine = 0.0, cosine = 0.0
      for (frame, sample) in answer.enumerated() {
        let angle = 2 * Double.pi * frequency / rate * Double(frame - latency)
        sine += Double(sample) * sin(angle)
        cosine += Double(sample) * cos(angle)
      }
      let early = atan2(sine, cosine) / (2 * .pi * frequency) * rate
      // The low cut, two filters of 10 Hz · √(√2 − 1), turns the phase a little.
      let phase = 2 * atan(10 * (2.0.squareRoot() - 1).squareRoot() / frequency)
      let late = early + phase / (2 * .pi * frequency) * rate
      #expect(abs(late) < 0.01, "\(frequency) Hz: \(late) frames")
      #expect(abs(20 * log10(cosine)) < 0.01)
    }
    rig.set(.mix, to: 50)
    let wave = Signals.sine(7000, at: rate, 20_000, amplitude: 0.01)
    let output = rig.render([wave])[0]
    for frame in 10_000..<20_000 { #expect(abs(output[frame] - wave[frame - latency]) < 2e-5) }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `the polynomial makes the harmonics of its formula`(oversampling: Int) throws {
    for (a, b, c) in [(1, 0, 0), (0.3, 5, 0), (0, 0, 20), (1, 20, 20), (0.5, 1, 4)] as [(Float, Float, Float)]
    {
      for mix in [100, 40] as [Float] {
        var rig = try Self.rig(
          [.linearTerm: a, .squaredTerm: b, .cubicTerm: c, .polynomialMix: mix], oversampling: oversampling)
        let output = rig.render([Signals.sine(500, at: 48_000, 96_000, amplitude: 0.5)])[0]
        let lines = spectrum(output, rate: 48_000).map { $0 * 1000 }
        let share = Double(mix) / 100, x = 0.5
        // sin² = (1 − cos 2w)/2, sin³ = (3 sin w − sin 3w)/4.
        let first = (1 - share) * x + share * (Double(a) * x + 0.75 * Double(c) * x * x * x)
        let second = share * Double(b) * x * x / 2, third = share * Double(c) * x * x * x / 4
        #expect(abs(lines[50] - first) < 1e-3 * first)
        #expect(abs(lines[100] - second) < 1e-3 * second + 1e-5)
        #expect(abs(lines[150] - third) < 1e-3 * third + 1e-5)
        #expect(lines[0] < 1e-5, "what is constant is blocked")
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `ring modulation multiplies by the balance of two sines`(oversampling: Int) throws {
    var rig = try Self.rig(
      [.ringFrequency1: 1000, .ringFrequency2: 300, .ringBalance: 25, .ringMix: 60],
      oversampling: oversampling)
    let output = rig.render([Signals.sine(5000, at: 48_000, 96_000, amplitude: 0.5)])[0]
    let lines = spectrum(output, rate: 48_000).map { $0 * 2000 }
    // sin u · sin v = (cos(u − v) − cos(u + v)) / 2.
    let expected = [500: 0.4, 400: 0.225, 600: 0.225, 470: 0.075, 530: 0.075]
    for (line, level) in expected { #expect(abs(lines[line] - level) < 5e-4, "\(line): \(lines[line])") }
    for line in lines.indices where expected[line] == nil { #expect(lines[line] < 1e-5, "\(line)") }
  }

  @Test(arguments: [(10, 20), (0.1, 50), (83.31, 4), (500, 0.1)] as [(Float, Float)])
  func `echoes come at the given time and decay at the given rate`(time: Float, rate: Float) throws {
    var rig = try Self.rig([.delay: time, .decay: rate, .delayMix: 100, .gain: 0], oversampling: 0)
    let frames = max(1, Int((Double(time) * 48).rounded()))
    let output = rig.render([Signals.impulse(frames * 6, amplitude: 0.01)])[0]
    // The difference between frames removes the slow effect of the low cut.
    let jumps = output.indices.dropFirst().map { output[$0] - output[$0 - 1] }
    #expect(abs(output[0]) < 1e-7)
    for echo in 1...5 where frames > 10 {
      let expected = 0.01 * exp(-Double(rate) * Double(echo) * Double(time) / 1000)
      #expect(abs(Double(jumps[echo * frames - 1]) / expected - 1) < 0.01, "\(echo)")
    }
    let strongest = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(strongest == frames)
  }

  @Test func `cuts attenuate by 3 dB at their frequencies and 12 dB per octave beyond`() throws {
    for (low, high) in [(10, 20_000), (300, 3400), (2000, 20_000), (10, 200)] as [(Float, Float)] {
      var rig = try Self.rig([.lowCut: low, .highCut: high, .gain: 0], oversampling: 0)
      let answer = rig.render([Signals.impulse(96_000, amplitude: 1e-3)])[0].map { $0 * 1000 }
      func level(_ frequency: Double) -> Double { Response.measured(answer, frequency, rate: 48_000) }
      /// Two first-order filters with 1.5 dB at the cut-off.
      func cut(_ ratio: Double) -> Double { -20 * log10(1 + ratio * ratio * (2.0.squareRoot() - 1)) }
      let from = Double(low), to = Double(high)
      let band = to < 20_000 ? cut(from / to) : 0
      #expect(abs(level(from) - cut(1) - (to < 20_000 ? cut(from / to) : 0)) < 0.05)
      if to < 20_000 { #expect(abs(level(to) - cut(1) - band) < 0.05) }
      #expect(level(from / 16) - level(from / 8) < -11.5)
      if to < 1000 { #expect(level(to * 8) - level(to * 4) < -11) }
      #expect(level(0) < -60)
    }
  }

  @Test func `no input exceeds full scale, except for the overshoot of cuts and filters`() throws {
    for preset in Distortion.presets {
      var rig = try Self.rig(channels: 2)
      for (number, value) in preset.values { rig.set(number, to: value) }
      rig.set(.gain, to: 20)
      let loud = Signals.noise(48_000).map { $0 * 1e6 }
      let output = rig.render([loud, Signals.sine(997, at: 48_000, 48_000, amplitude: 2)])
      #expect(output.allSatisfy { $0.allSatisfy { abs($0) < 3 } }, "\(preset.name)")
    }
  }

  @Test func `invalid samples leave no trace`() throws {
    for preset in Distortion.presets {
      var rig = try Self.rig()
      for (number, value) in preset.values { rig.set(number, to: value) }
      var input = Signals.noise(4800)
      for (index, bad) in [Float.nan, .infinity, -.infinity, 1e38, -1e38, 1e15].enumerated() {
        input[1000 + 100 * index] = bad
      }
      let output = rig.render([input + [Float](repeating: 0, count: min(rig.tail, 960_000) + 4800)])[0]
      #expect(output.allSatisfy { $0.isFinite }, "\(preset.name)")
      #expect(output.suffix(4800).allSatisfy { abs($0) < 1e-5 }, "\(preset.name)")
    }
  }

  @Test func `there are 22 presets, in their order, and none sets mix or oversampling`() {
    let presets = Distortion.presets
    let names = """
      drums-bit-brush drums-buffer-beats drums-lo-fi multi-broken-speaker multi-cellphone-concert \
      multi-decimated-1 multi-decimated-2 multi-decimated-3 multi-decimated-4 multi-distorted-funk \
      multi-distorted-cubed multi-distorted-squared multi-echo-1 multi-echo-2 multi-echo-tight-1 \
      multi-echo-tight-2 multi-everything-is-broken speech-alien-chatter speech-cosmic-interference \
      speech-golden-pi speech-radio-tower speech-waves
      """
    #expect(presets.map { "\($0.name)" } == names.split(separator: " ").map(String.init))
    let untouched: Set = [Distortion.Parameter.mix.rawValue, Distortion.Parameter.oversampling.rawValue]
    for preset in presets {
      let touched = Set(preset.values.map(\.parameter))
      #expect(touched.isDisjoint(with: untouched) && touched.count == Distortion.parameters.count - 2)
    }
  }

  @Test func `all presets sound different, and none is silent`() throws {
    var outputs: [[Float]] = []
    let input = Signals.noise(24_000).enumerated().map { $1 * Float(0.5 + 0.5 * sin(Double($0) / 900)) }
    for preset in Distortion.presets {
      var rig = try Self.rig()
      for (number, value) in preset.values { rig.set(number, to: value) }
      outputs.append(rig.render([input])[0])
    }
    for (index, output) in outputs.enumerated() {
      let power = output.reduce(0) { $0 + Double($1) * Double($1) } / 24_000
      #expect(10 * log10(power) > -30 && 10 * log10(power) < 0, "\(index): \(power)")
      #expect(!outputs[..<index].contains(output))
    }
  }
}
