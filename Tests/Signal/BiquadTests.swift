// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

struct BiquadTests {
  private static let kinds = Filter.Kind.allCases

  /// The output of `filter` for an impulse in the left channel and silence in the right one.
  private func impulse(_ filter: Filter, _ count: Int, rate: Double = 48_000) -> [SIMD2<Double>] {
    var samples = [SIMD2<Double>](repeating: SIMD2(), count: count), biquad = Biquad()
    samples[0].x = 1
    let coefficients = filter.coefficients(sampleRate: rate)
    samples.withUnsafeMutableBufferPointer {
      if let base = $0.baseAddress { biquad.run(base, count: count, coefficients) }
    }
    return samples
  }

  @Test(arguments: kinds)
  func `the gain at 0 Hz matches the formula`(kind: Filter.Kind) {
    let sum = impulse(Filter(kind, frequency: 500, bandwidth: 1, gain: -12), 40_000).reduce(SIMD2(), +)
    let expected: Double =
      switch kind {
      case .parametric, .lowPass, .resonantLowPass, .bandStop, .highShelf, .resonantHighShelf, .allPass: 1
      case .highPass, .resonantHighPass, .bandPass: 0
      case .lowShelf, .resonantLowShelf: pow(10, -12.0 / 20)
      case .tilt: pow(10, 12.0 / 20)
      }
    #expect(abs(sum.x - expected) < 1e-9)
    #expect(sum.y == 0)
  }

  @Test func `two filters in one loop equal the two filters in series`() {
    let one = Filter(.parametric, frequency: 200, bandwidth: 1, gain: 9).coefficients(sampleRate: 48_000)
    let two = Filter(.resonantHighPass, frequency: 900, bandwidth: 0.2).coefficients(sampleRate: 48_000)
    var apart = (0..<500).map { SIMD2(sin(Double($0)), cos(Double($0 * $0))) }, together = apart
    var first = Biquad(), second = Biquad(), third = Biquad(), fourth = Biquad()
    apart.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { return }
      first.run(base, count: 500, one)
      second.run(base, count: 500, two)
    }
    together.withUnsafeMutableBufferPointer {
      if let base = $0.baseAddress { third.run(base, count: 500, one, then: &fourth, two) }
    }
    #expect(apart == together)
  }

  @Test(arguments: kinds, [20.0, 1000, 23_000])
  func `the state matrix of any filter or mix has a norm ≤ 1`(kind: Filter.Kind, frequency: Double) {
    let fixed = Filter(.resonantLowPass, frequency: 4000, bandwidth: 0.05).coefficients(sampleRate: 48_000)
    for octaves in [0.05, 1, 5] {
      for gain in [-96.0, 0, 24] {
        let filter = Filter(kind, frequency: frequency, bandwidth: octaves, gain: gain)
        let coefficients = filter.coefficients(sampleRate: 48_000)
        for amount in [0, 0.1, 0.5, 0.9] {
          let mix = coefficients.mixed(with: fixed, amount)
          // The larger singular value of the matrix, from its trace and determinant.
          let squares = mix.a11 * mix.a11 + mix.a12 * mix.a12 + mix.a21 * mix.a21 + mix.a22 * mix.a22
          let determinant = mix.a11 * mix.a22 - mix.a12 * mix.a21
          let norm = (squares / 2 + max(0, squares * squares / 4 - determinant * determinant).squareRoot())
            .squareRoot()
          #expect(norm <= 1 + 1e-7)
        }
      }
    }
  }

  @Test(arguments: kinds)
  func `the impulse response is below -120 dB after the tail`(kind: Filter.Kind) {
    for (frequency, octaves, gain) in [(50, 0.1, 12), (1000, 5, 24), (15_000, 1, -20)]
      as [(Double, Double, Double)]
    {
      let filter = Filter(kind, frequency: frequency, bandwidth: octaves, gain: gain)
      let tail = filter.coefficients(sampleRate: 48_000).tail
      let late = impulse(filter, tail + 2000)[tail...].map { abs($0.x) }.max() ?? 0
      #expect(late < 1e-6, "\(frequency) Hz")
    }
  }

  @Test func `stepped coefficients reach their target`() {
    let start = Filter(.lowPass, frequency: 100).coefficients(sampleRate: 48_000)
    let end = Filter(.highPass, frequency: 9000).coefficients(sampleRate: 48_000)
    var samples = [SIMD2<Double>](repeating: SIMD2(1, -1), count: 16), biquad = Biquad()
    let reached = samples.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { biquad.run($0, count: 16, from: start, step: start.step(to: end, over: 16)) }
    }
    #expect(abs((reached?.a11 ?? 0) - end.a11) < 1e-12 && abs((reached?.d ?? 0) - end.d) < 1e-12)
  }

  @Test func `a one-pole filter attenuates its frequency by 3 dB, up to half the sample rate`() {
    for frequency in [10.0, 440, 12_000, 24_000] {
      var pole = OnePole()
      let share = OnePole.share(frequency: frequency, sampleRate: 48_000),
        omega = 2 * Double.pi * frequency / 48_000
      var real = 0.0, imaginary = 0.0
      for frame in 0..<40_000 {
        let sample = Double(pole.next(frame == 0 ? 1 : 0, share: share))
        real += sample * cos(omega * Double(frame))
        imaginary += sample * sin(omega * Double(frame))
      }
      #expect(abs(10 * log10(real * real + imaginary * imaginary) + 3.0103) < 0.001, "\(frequency) Hz")
    }
  }

  @Test func `decibels are 20 times the logarithm of the amplitude`() {
    let whole: [Float] = [0, 20, -6.0206]
    #expect(whole.map(Decibels.amplitude).prefix(2) == [1, 10])
    #expect(abs(Decibels.amplitude(whole[2]) - 0.5) < 1e-6)
    for (decibels, amplitude) in [(0.0, 1.0), (20, 10), (60, 1000), (-40, 0.01), (-120, 1e-6)] {
      #expect(abs(Decibels.amplitude(decibels) / amplitude - 1) < 1e-14)
      #expect(abs(Decibels.level(amplitude) - decibels) < 1e-12)
      #expect(abs(Decibels.level(Float(amplitude)) - Float(decibels)) < 1e-5)
      #expect(abs(Decibels.power(decibels) / (amplitude * amplitude) - 1) < 1e-14)
      #expect(abs(Decibels.level(ofPower: amplitude * amplitude) - decibels) < 1e-12)
    }
    #expect(Decibels.level(0.0) == -.infinity && Decibels.level(Float(-1)).isNaN)
    #expect(abs(Decibels.silentAmplitude / Decibels.amplitude(Double(Decibels.silence)) - 1) < 1e-14)
    #expect(Decibels.fader(-96) == 0 && Decibels.fader(-200) == 0 && Decibels.fader(-95.9) > 0)
  }
}
