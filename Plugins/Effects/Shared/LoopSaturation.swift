// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The saturation of feedback loops, which keeps them stable for any input.
enum LoopSaturation {
  /// Returns the sample after saturation: linear up to a magnitude of 4, 12 dB above full scale, then with decreasing
  /// slope towards 8, without a corner.
  @_noLocks @_noAllocation @inline(__always) static func bend(_ sample: Float) -> Float {
    let size = abs(sample), above = max(size - 4, 0)
    let bent = min(size, 4) + 4 * (above / (above + 4))
    return sample < 0 ? -bent : bent
  }

  /// Returns eight samples after the same saturation.
  @_noLocks @_noAllocation @inline(__always) static func bend(_ samples: SIMD8<Float>) -> SIMD8<Float> {
    let sizes = samples.replacing(with: -samples, where: samples .< 0)
    let above = (sizes - 4).replacing(with: 0, where: sizes .< 4)
    let bent = sizes.replacing(with: 4, where: sizes .> 4) + 4 * (above / (above + 4))
    return bent.replacing(with: -bent, where: samples .< 0)
  }
}
