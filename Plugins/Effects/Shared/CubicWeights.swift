// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Third-order Lagrange interpolation between the frames of a delay line.
enum CubicWeights {
  /// Returns the four Lagrange weights, oldest frame first, for a point that lies `f`, from 0 to 1, before the third
  /// frame. Between the middle two frames, as here, the interpolation amplifies no frequency.
  @_noLocks @_noAllocation @inline(__always) static func at(_ f: Float) -> SIMD4<Float> {
    let up = f + 1, down = f - 1, far = f - 2
    return SIMD4(up * f * down / 6, up * f * far / -2, up * down * far / 2, f * down * far / -6)
  }
}
