// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The Hadamard matrix without its normalising factor: a mix that preserves energy except for that factor.
enum Hadamard {
  /// Returns four orthogonal sums of four signals. Two rounds, over neighbours and over every fourth signal, mix
  /// sixteen signals.
  @_noLocks @_noAllocation @inline(__always) static func mixed(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let ab = a + b, cd = c + d, notB = a - b, notD = c - d
    return (ab + cd, notB + notD, ab - cd, notB - notD)
  }
}
