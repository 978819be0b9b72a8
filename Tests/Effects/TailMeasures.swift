// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal

/// Measures of a reverb's tail against Gaussian noise with the same decay, which is the ideal tail.
enum TailMeasures {
  static let rate = 48_000.0

  /// Returns how far the loudest band of 8 Hz exceeds the median of the bands within a sixth of an octave, from 120 Hz
  /// to 8 kHz, in decibels.
  static func ring(_ tail: ArraySlice<Float>) -> Double {
    let count = tail.count
    let windowed = tail.enumerated().map { $1 * Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count))) }
    let power = transform(windowed).power, bin = rate / Double(2 * power.count)
    let levels = (0..<1300).map { band -> Double in
      let first = Int(8 * Double(band) / bin), last = max(Int(8 * Double(band + 1) / bin), first + 1)
      return 10 * log10(power[first..<last].reduce(1e-30, +) / Double(last - first))
    }
    let sixth = pow(2, 1.0 / 6)
    return (15..<1000).reduce(-Double.infinity) { worst, band in
      let near = levels[Int(Double(band) / sixth)...Int(Double(band) * sixth) + 1].sorted()
      return max(worst, levels[band] - near[near.count / 2])
    }
  }

  /// Returns the mean ``ring(_:)`` of 20 tails of Gaussian noise, in their part from 40 % to 90 % of `seconds`.
  ///
  /// - Parameter time: the decay time at a frequency.
  static func ringOfNoise(_ seconds: Double, time: (Double) -> Double) -> Double {
    let part = Int(0.4 * seconds * rate)..<Int(0.9 * seconds * rate)
    let sum = (1...20).reduce(0.0) { $0 + ring(noise(part.upperBound, seed: UInt64($1), time: time)[part]) }
    return sum / 20
  }

  /// Returns the highest peak of the autocorrelation at 3 to 150 ms, of a tail that is flattened in time by its decay
  /// time and in frequency by its spectrum in bands of 600 Hz.
  static func echo(_ tail: ArraySlice<Float>, decay: Double) -> Double {
    let flat = tail.enumerated().map { Float(Double($1) * pow(10, 3 * Double($0) / rate / decay)) }
    let padded = flat + [Float](repeating: 0, count: flat.count), power = transform(padded).power
    let reach = Int(300 / rate * Double(2 * power.count))
    var sums = [0.0]
    for value in power { sums.append(sums[sums.count - 1] + value) }
    let white = power.indices.map { bin -> Float in
      let first = max(bin - reach, 0), last = min(bin + reach + 1, power.count)
      return Float(power[bin] * Double(last - first) / (sums[last] - sums[first] + 1e-30))
    }
    let correlation = inverse(white, [Float](repeating: 0, count: white.count))
    return (144..<7200).reduce(0) { max($0, Double(abs(correlation[$1]))) } / Double(correlation[0])
  }

  /// Returns white Gaussian noise that decays at each frequency with `time`, in bands of half an octave.
  static func noise(_ count: Int, seed: UInt64, time: (Double) -> Double) -> [Float] {
    let uniform = Signals.noise(4 * count, seed: seed)
    // The sum of four uniform values is close to a Gaussian one.
    let white = (0..<count).map { uniform[4 * $0..<4 * $0 + 4].reduce(0, +) }
    let (real, imaginary, power) = transform(white), bin = rate / Double(2 * power.count)
    var edges = [0.0, 80]
    while let last = edges.last, last < rate / 2 { edges.append(last * 2.0.squareRoot()) }
    var sum = [Float](repeating: 0, count: count)
    for (low, high) in zip(edges, edges.dropFirst()) {
      let first = Int(low / bin), last = min(Int(high / bin), power.count)
      var partR = [Float](repeating: 0, count: real.count), partI = partR
      partR.replaceSubrange(first..<last, with: real[first..<last])
      partI.replaceSubrange(first..<last, with: imaginary[first..<last])
      let band = inverse(partR, partI), decay = time((max(low, 40) * min(high, rate / 2)).squareRoot())
      for frame in 0..<count { sum[frame] += band[frame] * Float(pow(10, -3 * Double(frame) / rate / decay)) }
    }
    return sum
  }

  /// Returns the power of each bin of a power of two of samples.
  static func power(_ samples: [Float]) -> [Double] { transform(samples).power }

  /// Returns the bins of the signal, padded to a power of two of frames, without the last one.
  private static func transform(_ samples: [Float]) -> (real: [Float], imaginary: [Float], power: [Double]) {
    var size = 16
    while size < samples.count { size *= 2 }
    let padded = samples + [Float](repeating: 0, count: size - samples.count), fft = RealFFT(count: size)
    var real = [Float](repeating: 0, count: size / 2), imaginary = real
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
        padded.withUnsafeBufferPointer { samples in
          guard let base = samples.baseAddress else { return }
          fft.forward(base, to: RealFFT.Spectrum(real: r, imaginary: i))
        }
      }
    }
    imaginary[0] = 0
    let power = zip(real, imaginary).map { one, other -> Double in
      let x = Double(one), y = Double(other)
      return x * x + y * y
    }
    return (real, imaginary, power)
  }

  private static func inverse(_ real: [Float], _ imaginary: [Float]) -> [Float] {
    let fft = RealFFT(count: 2 * real.count)
    var real = real, imaginary = imaginary, samples = [Float](repeating: 0, count: 2 * real.count)
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        samples.withUnsafeMutableBufferPointer { samples in
          guard let r = real.baseAddress, let i = imaginary.baseAddress, let base = samples.baseAddress else {
            return
          }
          fft.inverse(RealFFT.Spectrum(real: r, imaginary: i), to: base)
        }
      }
    }
    return samples
  }
}
