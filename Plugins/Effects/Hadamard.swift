// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The Hadamard matrix, which mixes without taking energy away, but for its factor.
enum Hadamard {
  /// Four signals as four sums of them. In two rounds, of neighbours and of those four apart, sixteen.
  @_noLocks @_noAllocation @inline(__always) static func mixed(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let ab = a + b, cd = c + d, notB = a - b, notD = c - d
    return (ab + cd, notB + notD, ab - cd, notB - notD)
  }
}
