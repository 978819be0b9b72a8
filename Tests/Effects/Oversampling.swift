// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A wave between its samples.
enum Oversampling {
  /// The largest magnitude at eight times the rate, by a long sinc, but for the first and last samples.
  static func truePeak(_ samples: [Float]) -> Double { peak(samples, exact) }

  /// The same as loudness meters read it: four times the rate, by a sinc of 49 points under a Hann window.
  static func meterPeak(_ samples: [Float]) -> Double { peak(samples, metering) }

  private static let exact = kernels(reach: 48, factor: 8) {
    0.42 + 0.5 * cos(.pi * $0) + 0.08 * cos(2 * .pi * $0)
  }
  // Two zeros beside it, for the sake of groups of eight.
  private static let metering = kernels(reach: 8, factor: 4) {
    abs($0) < 0.75 ? 0.5 + 0.5 * cos(.pi * $0 / 0.75) : 0
  }

  /// A sinc that reaches so many samples either way, under a window from −1 to 1, for each place between two.
  private static func kernels(reach: Int, factor: Int, window: (Double) -> Double) -> [[Float]] {
    (0..<factor).map { phase in
      (1 - reach...reach).map { tap in
        let distance = Double(tap) - Double(phase) / Double(factor), angle = Double.pi * distance
        return Float(window(distance / Double(reach)) * (distance == 0 ? 1 : sin(angle) / angle))
      }
    }
  }

  private static func peak(_ samples: [Float], _ kernels: [[Float]]) -> Double {
    var peak: Float = 0
    samples.withUnsafeBytes { samples in
      for kernel in kernels {
        kernel.withUnsafeBytes { kernel in
          for start in stride(from: 0, to: max(samples.count - kernel.count, 0), by: 4) {
            var lanes = SIMD8<Float>()
            for tap in stride(from: 0, to: kernel.count, by: 32) {
              let taps = kernel.loadUnaligned(fromByteOffset: tap, as: SIMD8<Float>.self)
              lanes += taps * samples.loadUnaligned(fromByteOffset: start + tap, as: SIMD8<Float>.self)
            }
            peak = max(peak, abs(lanes.sum()))
          }
        }
      }
    }
    return Double(peak)
  }
}
