// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A wave between its samples, by a long windowed sinc: not the limiter's way.
enum Oversampling {
  private static let reach = 48, factor = 8
  private static let kernels: [[Float]] = (0..<factor).map { phase in
    (1 - reach...reach).map { tap in
      let distance = Double(tap) - Double(phase) / Double(factor), angle = Double.pi * distance
      let window = 0.42 + 0.5 * cos(angle / Double(reach)) + 0.08 * cos(2 * angle / Double(reach))
      return Float(window * (distance == 0 ? 1 : sin(angle) / angle))
    }
  }

  /// The largest magnitude at eight times the rate, but for the first and last samples.
  static func truePeak(_ samples: [Float]) -> Double {
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
