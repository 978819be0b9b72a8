// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Test signals from formulas.
enum Signals {
  /// One full-scale sample, then silence.
  static func impulse(_ frameCount: Int, amplitude: Float = 1) -> [Float] {
    var samples = [Float](repeating: 0, count: frameCount)
    samples[0] = amplitude
    return samples
  }

  /// A sine that starts at phase 0.
  static func sine(_ frequency: Double, at rate: Double, _ frameCount: Int, amplitude: Double = 1) -> [Float]
  {
    (0..<frameCount).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  /// Returns white noise between −1 and 1, deterministic by seed.
  static func noise(_ frameCount: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<frameCount).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
  }
}
