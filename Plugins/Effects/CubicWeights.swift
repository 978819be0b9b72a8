// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Third-order interpolation between the frames of a line.
enum CubicWeights {
  /// Lagrange's four weights, oldest first, for a point `f` from 0 to 1 on the older side of the third frame.
  /// Between the middle two frames, as here, they lift no frequency.
  @_noLocks @_noAllocation @inline(__always) static func at(_ f: Float) -> SIMD4<Float> {
    let up = f + 1, down = f - 1, far = f - 2
    return SIMD4(up * f * down / 6, up * f * far / -2, up * down * far / 2, f * down * far / -6)
  }

  /// The same for four points at once: the weights of the oldest frames first.
  @_noLocks @_noAllocation @inline(__always)
  static func at(_ f: SIMD4<Float>) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let up = f + 1, down = f - 1, far = f - 2, sixth: Float = 1.0 / 6
    return (
      up * f * down * sixth, up * f * far * -0.5, up * down * far * 0.5, f * down * far * -sixth
    )
  }
}
