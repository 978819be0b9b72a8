// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A signal between its samples.
enum Oversampling {
  /// Returns the largest magnitude at eight times the rate, by a long sinc, without the first and last samples.
  static func truePeak(_ samples: [Float]) -> Double { peak(samples, exact) }

  /// Returns the same as loudness meters measure it: four times the rate, by a sinc of 49 points with a Hann window.
  static func meterPeak(_ samples: [Float]) -> Double { peak(samples, metering) }

  /// Returns the largest magnitude at sixteen times the rate, for signals up to 0.47 of the rate.
  static func finePeak(_ samples: [Float]) -> Double { peak(samples, fine) }

  private static let fine = kernels(reach: 64, factor: 16) {
    0.42 + 0.5 * cos(.pi * $0) + 0.08 * cos(2 * .pi * $0)
  }
  private static let exact = kernels(reach: 48, factor: 8) {
    0.42 + 0.5 * cos(.pi * $0) + 0.08 * cos(2 * .pi * $0)
  }
  // Two zeros beside it pad to groups of eight.
  private static let metering = kernels(reach: 8, factor: 4) {
    abs($0) < 0.75 ? 0.5 + 0.5 * cos(.pi * $0 / 0.75) : 0
  }

  /// Returns a sinc of `reach` samples in both directions, with a window from −1 to 1, for each position between two
  /// samples.
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
