// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

struct CompressorTests {
  private static let rate = 48_000.0

  private func rig(_ settings: [(Compressor.Parameter, Float)] = [], channels: Int = 1, rate: Double = rate)
    throws -> EffectRig<Compressor>
  {
    let layout = Layout(
      sampleRate: rate, longestBlock: 256, inputs: [channels, channels], outputs: [channels])
    var rig = try EffectRig<Compressor>(layout)
    rig.set(.knee, to: 0)
    for (parameter, value) in settings { rig.set(parameter, to: value) }
    return rig
  }

  /// Equation 4 of Giannoulis, Massberg and Reiss (2012), case by case as printed.
  private func curve(_ x: Double, threshold t: Double, ratio r: Double, knee w: Double) -> Double {
    if 2 * (x - t) < -w { return x }
    if 2 * abs(x - t) <= w, w > 0 { return x + (1 / r - 1) * pow(x - t + w / 2, 2) / (2 * w) }
    return t + (x - t) / r
  }

  @Test(arguments: [1, 2, 4, 50] as [Float], [0, 6, 24] as [Float])
  func `a sine is compressed along the curve, by its peak level`(ratio: Float, knee: Float) throws {
    for level in stride(from: -48.0, through: 0, by: 3) {
      var rig = try rig([(.threshold, -20), (.ratio, ratio), (.knee, knee)])
      let input = Signals.sine(997, at: Self.rate, 48_000, amplitude: pow(10, level / 20))
      let heard = rig.render([input])[0][43_200...].reduce(0) { max($0, abs($1)) }
      let expected = curve(level, threshold: -20, ratio: Double(ratio), knee: Double(knee))
      #expect(abs(20 * log10(Double(heard)) - expected) < 0.05, "\(level) dB")
      #expect(abs(Double(rig.meters[0]) - (level - expected)) < 0.05, "\(level) dB")
    }
  }

  @Test func `low and high sines, and DC, are compressed along the curve, too`() throws {
    for frequency in [0, 100, 250, 4000, 11_000.0] {
      var rig = try rig([(.threshold, -20), (.ratio, 4)])
      let sine = Signals.sine(frequency, at: Self.rate, 96_000, amplitude: 0.5)
      let input = frequency > 0 ? sine : [Float](repeating: 0.5, count: 96_000)
      let heard = rig.render([input])[0][86_400...].reduce(0) { max($0, abs($1)) }
      let expected = curve(20 * log10(0.5), threshold: -20, ratio: 4, knee: 0)
      #expect(abs(20 * log10(Double(heard)) - expected) < 0.1, "\(frequency) Hz")
    }
  }

  @Test func `in RMS mode a sine counts 3 dB less than its peak, and a square wave as much`() throws {
    let sine = Signals.sine(2000, at: Self.rate, 96_000, amplitude: 0.5)
    for (input, level) in [
      (sine, 20 * log10(0.5 / 2.0.squareRoot())), (sine.map { $0 < 0 ? -0.5 : 0.5 }, 20 * log10(0.5)),
    ] {
      var rig = try rig([(.threshold, -20), (.ratio, 4), (.detector, 1)])
      _ = rig.render([input])
      #expect(abs(Double(rig.meters[0]) - (level + 20) * 0.75) < 0.1)
    }
  }

  @Test(
    arguments: [(1, 20), (10, 120), (50, 400), (200, 1000)] as [(Float, Float)], [44_100.0, 48_000, 96_000])
  func `attack and release are the times to 63 % of the change in decibels`(
    times: (Float, Float), rate: Double
  )
    throws
  {
    var rig = try rig([(.threshold, -30), (.ratio, 4), (.attack, times.0), (.release, times.1)], rate: rate)
    let loud = Int(rate) / 2 + Int(Double(times.0) * rate / 100), quiet = Int(rate / 100 * Double(times.1))
    let sine = Signals.sine(2000, at: rate, 4800 + loud + quiet)
    let input = sine.enumerated().map { frame, sample in
      (4800..<4800 + loud).contains(frame) ? sample : sample * 0.01
    }
    let gain = GainTrace(input, rig.render([input])[0])
    let attack = Double(gain.frames(from: 4799, to: 4799 + loud)) / rate * 1000
    let release = Double(gain.frames(from: 4799 + loud, to: input.count - 1)) / rate * 1000
    // The peaks of the rectified sine are a quarter of a millisecond apart.
    #expect(abs(attack - Double(times.0)) < max(0.05 * Double(times.0), 0.25), "attack \(attack)")
    #expect(abs(release / Double(times.1) - 1) < 0.05, "release \(release)")
  }

  @Test(arguments: [50, 120, 400, 1000] as [Float], [44_100.0, 48_000, 192_000])
  func `with the RMS detector a release of 50 ms or more is exact, whatever the step`(
    release: Float, rate: Double
  ) throws {
    for step in [10.0, 39] {
      var rig = try rig(
        [(.threshold, -45), (.ratio, 4), (.attack, 5), (.release, release), (.detector, 1)], rate: rate)
      let loud = Int(0.3 * rate), quiet = Int(rate / 100 * Double(release))
      let input = Signals.sine(2000.3, at: rate, loud + quiet).enumerated().map { frame, sample in
        frame < loud ? sample : sample * Float(pow(10, -step / 20))
      }
      let gain = GainTrace(input, rig.render([input])[0])
      let time = Double(gain.frames(from: loud - 1, to: input.count - 1)) / rate * 1000
      #expect(abs(time / Double(release) - 1) < 0.05, "\(time) ms after a step of \(step) dB")
    }
  }

  @Test func `the RMS level is constant for waves of 50 Hz, and that of the last 10 ms`() throws {
    var rig = try rig([(.threshold, -40), (.ratio, 2), (.attack, 0.05), (.release, 5), (.detector, 1)])
    let sine = Signals.sine(50, at: Self.rate, 24_000, amplitude: 0.5)
    let gain = GainTrace(sine, rig.render([sine])[0]).decibels[12_000...]
    #expect((gain.max() ?? 1) - (gain.min() ?? 0) < 0.01)
  }

  @Test func `all channels get the gain that the loudest channel requires`() throws {
    var rig = try rig([(.threshold, -20), (.ratio, 10)], channels: 3)
    let loud = Signals.sine(500, at: Self.rate, 9600), soft = Signals.noise(9600).map { $0 * 0.01 }
    let heard = rig.render([soft, loud, soft])
    #expect(heard[0] == heard[2])
    for frame in 4800..<9600 where abs(loud[frame]) > 0.01 && abs(soft[frame]) > 0.0001 {
      #expect(abs(heard[0][frame] / soft[frame] - heard[1][frame] / loud[frame]) < 1e-5)
    }
    #expect(rig.meters[0] > 15)
  }

  @Test func `the side-chain is used only if it is switched on, and then exclusively`() throws {
    let soft = [Signals.sine(500, at: Self.rate, 24_000, amplitude: 0.01)]
    let loud = [Signals.sine(700, at: Self.rate, 24_000)]
    var own = try rig([(.threshold, -20), (.ratio, 4)])
    #expect(own.render(soft, further: loud) == soft)
    #expect(own.meters == [0])
    var aside = try rig([(.threshold, -20), (.ratio, 4), (.sidechain, 1)])
    _ = aside.render(soft, further: loud)
    #expect(abs(aside.meters[0] - 15) < 0.05)
    _ = aside.render(loud.map { $0 + $0 }, further: [[Float](repeating: 0, count: 48_000)])
    #expect(aside.meters[0] < 0.05)
  }

  @Test func `a compressor without a side-chain bus works`() throws {
    var rig = try EffectRig<Compressor>(Layout(sampleRate: Self.rate, longestBlock: 256, channels: 1))
    rig.set(.sidechain, to: 1)
    _ = rig.render([Signals.sine(500, at: Self.rate, 9600)])
    #expect(rig.meters[0] > 10)
  }

  @Test func `make-up gain and mix apply, and a ratio of 1 changes nothing`() throws {
    let noise = [Signals.noise(4800)]
    var same = try rig([(.ratio, 1)])
    #expect(same.render(noise) == noise)
    var louder = try rig([(.ratio, 1), (.makeUp, 6)])
    for (sample, heard) in zip(noise[0], louder.render(noise)[0]) {
      #expect(abs(heard - sample * Float(pow(10, 0.3))) < 1e-5)
    }
    var dry = try rig([(.threshold, -60), (.ratio, 50), (.mix, 0), (.makeUp, 20)])
    #expect(dry.render(noise) == noise)
    let steady = [[Float](repeating: 0.5, count: 48_000)]
    var half = try rig([(.threshold, -20), (.ratio, 4), (.mix, 50)])
    let gain = pow(10, -(20 + 20 * log10(0.5)) * 0.75 / 20)
    #expect(abs(Double(half.render(steady)[0][47_999]) - 0.5 * (0.5 + 0.5 * gain)) < 1e-4)
  }
}
