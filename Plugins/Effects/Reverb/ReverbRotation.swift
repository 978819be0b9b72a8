// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Rotations of pairs of lines by four angles that move slowly.
///
/// A rotation preserves energy at every frequency. A network whose matrix changes in this way has no fixed resonances
/// that could ring, and needs fewer lines for a smooth tail.
///
/// S. J. Schlecht, E. A. P. Habets, "Time-varying feedback matrices in feedback delay networks and their application in
/// artificial reverberation", 2015.
struct ReverbRotation: BitwiseCopyable {
  /// The cosines and sines at the start of the segment, and their growth until its end.
  private(set) var cosines = SIMD4<Float>(), sines = SIMD4<Float>()
  private(set) var cosineGrowth = SIMD4<Float>(), sineGrowth = SIMD4<Float>()
  /// The relative speeds, in alternating directions.
  private var speeds = SIMD4<Float>()

  /// Creates rotations by different angles, at rest.
  init() {
    for pair in 0..<4 {
      let speed = 0.7 + 0.6 * (Double(pair) * 0.569_840_291 + 0.1).truncatingRemainder(dividingBy: 1)
      speeds[pair] = Float(pair % 2 == 1 ? -speed : speed)
    }
    rest()
  }

  /// Returns to the initial angles, at rest.
  @_noLocks @_noAllocation mutating func rest() {
    for pair in 0..<4 {
      let angle = 2 * Float.pi * Float(pair) * 0.754_877_67
      cosines[pair] = rt_cos(angle)
      sines[pair] = rt_sin(angle)
    }
    cosineGrowth = SIMD4()
    sineGrowth = SIMD4()
  }

  /// Begins a segment.
  ///
  /// - Parameters:
  ///   - share: the proportion of the last segment that has elapsed, from 0 to 1.
  ///   - angle: the average rotation in a segment, in radians; at most 0.1.
  @_noLocks @_noAllocation mutating func begin(after share: Float, angle: Float) {
    cosines += cosineGrowth * share
    sines += sineGrowth * share
    guard angle > 0 else {
      cosineGrowth = SIMD4()
      sineGrowth = SIMD4()
      return
    }
    // The first terms of the series suffice; the last factor keeps the sum of squares at 1.
    let angles = speeds * angle, squares = angles * angles
    let forth = 1 - squares * (0.5 - squares * (1.0 / 24)), aside = angles * (1 - squares * (1.0 / 6))
    let size = 1.5 - 0.5 * (cosines * cosines + sines * sines)
    cosineGrowth = (cosines * forth - sines * aside) * size - cosines
    sineGrowth = (sines * forth + cosines * aside) * size - sines
  }
}
