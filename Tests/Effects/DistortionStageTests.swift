// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

@testable import SwiftletEffects

/// The separate stages of the distortion.
struct DistortionStageTests {
  /// Runs a crusher over one channel, in slices of 64 frames.
  private func crush(_ input: [Float], _ set: (inout Crusher) -> Void) -> [Float] {
    var crusher = Crusher(channelCount: 1, sampleRate: 48_000, sliceLength: 64)
    crusher.mix = Ramp(1)
    set(&crusher)
    var samples = input
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: input.count, by: 64) {
        let count = min(64, input.count - start)
        if crusher.begin(count) { crusher.run(0, base + start, count: count) }
      }
    }
    return samples
  }

  @Test(arguments: [10, 40, 63, 70.710_68, 100] as [Float])
  func `rounding goes to the nearest step`(percent: Float) {
    let step = pow(Double(percent) / 100, 4), input = (0...20_000).map { Float($0) / 10_000 - 1 }
    let output = crush(input) { $0.setRounding(percent, over: 0) }
    for (before, after) in zip(input, output) {
      let steps = Double(after) / step
      #expect(abs(steps - steps.rounded()) < 1e-3 * max(1, abs(steps)))
      #expect(abs(Double(before - after)) < step / 2 + 1e-6)
    }
    let levels = Set(output).count
    #expect(abs(levels - (2 * Int((1 / step).rounded(.down)) + 1)) <= 2)
  }

  @Test(arguments: [(100, 48), (50, 12), (80, 30.72), (20, 1.92), (10, 1)] as [(Float, Float)])
  func `decimation holds a sample for the given frames`(percent: Float, frames: Float) {
    let input = (0..<48_000).map { Float($0) }
    let output = crush(input) { $0.setDecimation(percent, over: 0) }
    #expect(output[0] == 0)
    var taken = 1
    for frame in 1..<48_000 {
      // It is an earlier sample, no older than its holding time, and only ever replaced by a new one.
      #expect(output[frame] <= input[frame] && input[frame] - output[frame] < frames.rounded(.up))
      #expect(output[frame] == output[frame - 1] || output[frame] == input[frame])
      if output[frame] != output[frame - 1] { taken += 1 }
    }
    #expect(abs(Float(taken) - 48_000 / frames) < 2 + 0.001 * Float(taken))
  }

  @Test func `a gliding rounding deviates by at most half of its current step`() {
    let input = Signals.sine(220, at: 48_000, 9600)
    let output = crush(input) { $0.setRounding(100, over: 9600) }
    for frame in input.indices {
      #expect(abs(input[frame] - output[frame]) <= 0.5 * Float(frame + 1) / 9600 + 1e-6)
    }
  }

  @Test func `the decimation's mix is a linear fade between sound and held samples`() {
    let input = Signals.noise(2000)
    let held = crush(input) { $0.setDecimation(100, over: 0) }
    let output = crush(input) {
      $0.setDecimation(100, over: 0)
      $0.mix = Ramp(0)
      $0.mix.glide(to: 1, over: 1000)
    }
    for frame in input.indices {
      let share = min(Float(frame + 1) / 1000, 1)
      #expect(abs(output[frame] - (input[frame] * (1 - share) + held[frame] * share)) < 1e-6)
    }
  }

  /// Runs a shaper's polynomial over 64 values.
  private func bend(_ input: [Float], _ shaper: inout Waveshaper, number: Int = 0, of streams: Int = 1)
    -> [Float]
  {
    var samples = input + [Float](repeating: 0, count: 16)
    shaper.advance(input.count)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      shaper.bend(base, number: number, of: streams, count: input.count)
    }
    return Array(samples.prefix(input.count))
  }

  @Test func `the polynomial is a x + b x2 + c x3`() {
    let input = (0..<64).map { Float($0) / 32 - 1 }
    for (a, b, c) in [(1, 0, 0), (0.5, 3, 0), (0, 0, 20), (1, 20, 20)] as [(Float, Float, Float)] {
      var shaper = Waveshaper(sliceLength: 64)
      shaper.mix = Ramp(1)
      shaper.linear = Ramp(a)
      shaper.squared = Ramp(b)
      shaper.cubic = Ramp(c)
      for (x, y) in zip(input, bend(input, &shaper)) {
        #expect(abs(y - (a * x + b * x * x + c * x * x * x)) < 1e-5)
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func `a gliding term lies on a straight line at every multiple of the rate`(streams: Int) {
    for number in 0..<streams {
      var shaper = Waveshaper(sliceLength: 64)
      shaper.mix = Ramp(1)
      shaper.cubic.glide(to: 16, over: 64)
      let output = bend([Float](repeating: 1, count: 64), &shaper, number: number, of: streams)
      for frame in 0..<64 {
        let position = Float(frame) + Float(number + 1) / Float(streams)
        #expect(abs(output[frame] - (1 + 16 * position / 64)) < 1e-5)
      }
    }
  }

  @Test func `the soft clip is a hyperbolic tangent, odd, rising and at most 1`() {
    var last: Float = -1
    for position in -100_000...100_000 {
      let x = Float(position) / 10_000, y = Waveshaper.clip(SIMD8(repeating: x))[3]
      #expect(abs(Double(y) - tanh(Double(x))) < 1e-4 && abs(y) <= 1)
      #expect(y == -Waveshaper.clip(SIMD8(repeating: -x))[0])
      #expect(y >= last - 5e-7)
      last = y
    }
    for huge in [1e10, 1e30, .infinity] as [Float] {
      #expect(abs(Waveshaper.clip(SIMD8(repeating: huge))[5] - 1) < 1e-6)
    }
  }

  @Test(arguments: [1, 2, 3], [44_100.0, 48_000, 96_000])
  func `an oversampler passes audible frequencies and stops those that alias`(doublings: Int, rate: Double) {
    var oversampler = Oversampler(doublings: doublings, channelCount: 1, sampleRate: rate, longest: 64)
    let streams = 1 << doublings
    /// Returns a wave at the multiple of the rate, downsampled.
    func lowered(_ frequency: Double) -> [Float] {
      oversampler.clear()
      var output = [Float](repeating: 0, count: 4096 + 16)
      output.withUnsafeMutableBufferPointer { buffer in
        guard let sink = buffer.baseAddress else { return }
        for start in stride(from: 0, to: 4096, by: 64) {
          for number in 0..<streams {
            let stream = oversampler.stream(number, of: 0)
            for frame in 0..<64 {
              let position = Double((start + frame) * streams + number)
              stream[frame] = Float(sin(2 * .pi * frequency * position / (rate * Double(streams))))
            }
          }
          oversampler.lower(0, to: sink + start, count: 64)
        }
      }
      return Array(output[1000..<4096])
    }
    let pass = min(20_000, 0.43 * rate)
    for frequency in [100, 1000, 0.5 * pass, 0.99 * pass] {
      let level = 20 * log10(Oversampling.truePeak(lowered(frequency)))
      #expect(abs(level) < 0.01, "\(frequency): \(level)")
    }
    // Everything from half the rate on; then what aliases into the audible range.
    for share in stride(from: 0.505, to: 0.5 * Double(streams), by: 0.0501) {
      let folded = abs(share - share.rounded()) * rate
      let most = share < 1.5 || folded <= pass ? -87.0 : -60
      let level = 20 * log10(Double(lowered(share * rate).map(abs).max() ?? 0))
      #expect(level < most, "\(share) of the rate: \(level)")
    }
  }
}
