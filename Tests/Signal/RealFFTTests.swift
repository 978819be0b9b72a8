// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

struct RealFFTTests {
  static let counts = (4...16).map { 1 << $0 }

  /// White noise from −1 to 1, the same each time.
  private func noise(_ count: Int) -> [Float] {
    var state = UInt64(count)
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
  }

  /// The bins of a transform, and the samples of the inverse transform. `stride` is the distance between blocks of
  /// eight bins; the default is 8, without gaps.
  private func transformed(_ samples: [Float], stride: Int = 8, portions: Int = .max) -> (
    bins: [(Double, Double)], back: [Float]
  ) {
    let fft = RealFFT(count: samples.count), half = samples.count / 2
    var real = [Float](repeating: .nan, count: half / 8 * stride)
    var imaginary = real, back = [Float](repeating: .nan, count: samples.count)
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        let spectrum = RealFFT.Spectrum(real: real, imaginary: imaginary, stride: stride)
        for isInverse in [false, true] {
          for step in 0..<fft.stepCount {
            var done = 0
            while done < fft.portionCount {
              let end = portions < fft.portionCount - done ? done + portions : fft.portionCount
              if isInverse {
                fft.inverse(spectrum, to: &back, step: step, done..<end)
              } else {
                fft.forward(samples, to: spectrum, step: step, done..<end)
              }
              done = end
            }
          }
        }
      }
    }
    let bins = (0..<half).map { bin in
      (Double(real[bin / 8 * stride + bin % 8]), Double(imaginary[bin / 8 * stride + bin % 8]))
    }
    return (bins, back)
  }

  /// One bin, computed by the definition of the transform.
  private func bin(_ number: Int, of samples: [Float], _ cosines: [Double], _ sines: [Double]) -> (
    Double, Double
  ) {
    var sum = (0.0, 0.0)
    let mask = samples.count - 1
    for (frame, sample) in samples.enumerated() {
      sum.0 += Double(sample) * cosines[frame * number & mask]
      sum.1 -= Double(sample) * sines[frame * number & mask]
    }
    return sum
  }

  @Test(arguments: counts) func `each bin matches the discrete Fourier transform`(count: Int) {
    let samples = noise(count), half = count / 2
    let cosines = (0..<count).map { cos(2 * .pi * Double($0) / Double(count)) }
    let sines = (0..<count).map { sin(2 * .pi * Double($0) / Double(count)) }
    let bins = transformed(samples).bins
    // Every bin up to 2048 samples; above that about 400 evenly spaced bins.
    let indices =
      count <= 2048 ? Array(0..<half) : Array(stride(from: 0, to: half, by: half / 401)) + [half - 1]
    var error = 0.0, energy = 0.0, worst = 0.0
    for index in indices {
      var expected = bin(index, of: samples, cosines, sines)
      if index == 0 { expected.1 = bin(half, of: samples, cosines, sines).0 }
      let way = hypot(bins[index].0 - expected.0, bins[index].1 - expected.1)
      error += way * way
      energy += expected.0 * expected.0 + expected.1 * expected.1
      worst = max(worst, way)
    }
    #expect(sqrt(error / energy) < 3e-7)
    #expect(worst / sqrt(energy / Double(indices.count)) < 1e-6)
  }

  @Test(arguments: counts) func `the inverse transform restores the samples`(count: Int) {
    let samples = noise(count), back = transformed(samples).back
    #expect(zip(samples, back).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test(arguments: counts) func `portions and stride do not change the result`(count: Int) {
    let samples = noise(count), whole = transformed(samples)
    for portions in [1, 3, 64] {
      let other = transformed(samples, stride: 24, portions: portions)
      #expect(whole.back == other.back)
      #expect(zip(whole.bins, other.bins).allSatisfy { $0 == $1 })
    }
  }

  @Test func `a cosine fills one bin, and silence none`() {
    let cosine = (0..<256).map { Float(cos(2 * .pi * 5 * Double($0) / 256)) }
    for (index, bin) in transformed(cosine).bins.enumerated() {
      #expect(abs(bin.0 - (index == 5 ? 128 : 0)) < 1e-4 && abs(bin.1) < 1e-4)
    }
    #expect(transformed([Float](repeating: 0, count: 256)).bins.allSatisfy { $0 == (0, 0) })
  }
}
