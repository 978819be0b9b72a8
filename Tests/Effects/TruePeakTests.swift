// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// True peaks, measured at sixteen times the rate. Frequencies are proportions of the sample rate.
struct TruePeakTests {
  private static let frameCount = 1400

  /// Programmes with peaks between samples, deterministic by seed.
  private struct Programs {
    private var random: RandomPrograms
    private let lowPass: [Double]

    /// Creates programmes without anything above a frequency.
    init(seed: UInt64, upTo limit: Double) {
      random = RandomPrograms(seed: seed)
      // 80 dB of attenuation from the limit on, 6 dB halfway through the transition.
      let reach = 150, width = (80 - 7.95) / (28.72 * Double(reach)), edge = limit - width / 2
      lowPass = (-reach...reach).map { tap in
        let angle = Double.pi * Double(tap)
        let window = KaiserWindow.value(at: Double(tap) / Double(reach), beta: KaiserWindow.beta(80))
        return window * (tap == 0 ? 2 * edge : sin(2 * edge * angle) / angle)
      }
    }

    mutating func number(in range: ClosedRange<Double>) -> Double { random.number(in: range) }

    /// Returns the programme with a number, between silent frames.
    mutating func program(_ number: Int) -> [Float] {
      var raw = [Double](repeating: 0, count: TruePeakTests.frameCount)
      let length = Int(pow(2, self.number(in: 2...9))), sound = 350..<350 + length
      switch number % 5 {
      case 0: for frame in sound { raw[frame] = self.number(in: -1...1) }
      case 1: for frame in sound { raw[frame] = self.number(in: -1...1) < 0 ? -1 : 1 }
      case 2:
        let frequency = self.number(in: 0.005...0.45), phase = self.number(in: 0...1)
        for frame in sound { raw[frame] = sin(2 * .pi * (frequency * Double(frame) + phase)) < 0 ? -1 : 1 }
      case 3:
        // The crest lies between two samples.
        let frequency = self.number(in: 0.2...0.45),
          centre = Double(sound.lowerBound) + Double(length) / 2 + 0.5
        for frame in sound { raw[frame] = cos(2 * .pi * frequency * (Double(frame) - centre)) }
      default:
        // Noise around a high frequency.
        let frequency = self.number(in: 0.3...0.45), width = self.number(in: 0.005...0.1)
        var level = 0.0
        for frame in sound {
          level += (self.number(in: -1...1) - level) * width
          raw[frame] = level * cos(2 * .pi * frequency * Double(frame))
        }
      }
      let kernel = lowPass, reach = kernel.count / 2
      let filtered = raw.indices.map { frame in
        let from = max(frame - reach, 0), to = min(frame + reach, raw.count - 1)
        return (from...to).reduce(0.0) { $0 + raw[$1] * kernel[frame - $1 + reach] }
      }
      let peak = filtered.reduce(1e-9) { max($0, abs($1)) }
      return filtered.map { Float($0 / peak) }
    }
  }

  /// Returns the most decibels by which programmes exceed the ceiling of a limiter, by sixteen times the rate.
  private func excess(_ programs: inout Programs, _ count: Int, rate: Double) throws -> Double {
    var worst = -100.0
    for number in 0..<count {
      var rig = try EffectRig<Limiter>(Layout(sampleRate: rate, longestBlock: 256, channels: 1))
      let ceiling = Float(programs.number(in: -20...0)), latency = rig.latency
      rig.set(.ceiling, to: ceiling)
      rig.set(.gain, to: Float(programs.number(in: 0...24)))
      rig.set(.release, to: Float(programs.number(in: 10...300)))
      let output = rig.render([programs.program(number)])[0], limit = Float(pow(10, Double(ceiling) / 20))
      #expect(output.allSatisfy { abs($0) <= limit }, "programme \(number)")
      #expect(rig.latency == latency)
      worst = max(worst, 20 * log10(Oversampling.finePeak(output)) - Double(ceiling))
    }
    return worst
  }

  @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
  func `a limiter keeps programmes up to 0.45 of the rate within 0.1 dB of the ceiling`(rate: Double) throws {
    var programs = Programs(seed: UInt64(rate), upTo: 0.45)
    let worst = try excess(&programs, Effort.of(1000, debug: 10), rate: rate)
    #expect(worst <= 0.1, "by \(worst) dB")
    #expect(worst > -0.1)
  }

  // docs/manifest.md states what was measured.
  @Test func `a limiter keeps programmes up to 0.46 of the rate within 0.2 dB of the ceiling`() throws {
    var programs = Programs(seed: 3, upTo: 0.46)
    let worst = try excess(&programs, Effort.of(1000, debug: 10), rate: 48_000)
    #expect(worst <= 0.2, "by \(worst) dB")
  }

  @Test func `a meter reads the true peak of programmes up to 0.45 of the rate within 0.1 dB`() {
    var programs = Programs(seed: 5, upTo: 0.45), least = 0.0, most = 0.0
    for number in 0..<Effort.of(1000, debug: 10) {
      let sound = programs.program(number)
      var meter = TruePeakMeter(channelCount: 1)
      sound.withUnsafeBufferPointer { memory in
        guard let base = memory.baseAddress else { return }
        meter.add(Samples(base, count: memory.count), from: 0, count: memory.count, of: 0)
      }
      meter.finish()
      let error = 20 * log10(Double(meter.take(0)) / Oversampling.finePeak(sound))
      (least, most) = (min(least, error), max(most, error))
    }
    #expect(least > -0.1, "\(least) dB")
    #expect(most < 0.2, "\(most) dB")
  }

  @Test func `a meter measures the last frames when it finishes, and then forgets them`() {
    var meter = TruePeakMeter(channelCount: 2)
    let end: [Float] = [0, 0, 0.25, 0.5]
    end.withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      meter.add(Samples(base, count: 4), from: 0, count: 4, of: 1)
    }
    meter.finish()
    #expect(meter.take(0) == 0)
    #expect(meter.take(1) >= 0.5)
    meter.finish()
    #expect(meter.take(1) == 0)
  }
}
