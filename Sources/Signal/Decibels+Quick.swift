// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Decibels {
  /// Returns the level of `amplitude` in decibels, within 0.0001 dB. It is meant for every frame of a loop: the
  /// compiler can vectorise it. The lowest result is −200 dB.
  ///
  /// The exponent of the floating-point number is the integer part of its logarithm. The rest of the number, m from √½
  /// to √2, is computed by the series of ln m = 2·artanh((m − 1) / (m + 1)).
  ///
  /// - Parameter amplitude: a finite number, 0 or more.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public static func quickLevel(_ amplitude: Float) -> Float {
    let rootHalf: UInt32 = 0x3F35_04F3
    let bits = max(amplitude, 1e-10).bitPattern &- rootHalf
    let octaves = Float(Int32(bitPattern: bits) &>> 23)
    let rest = Float(bitPattern: (bits & 0x007F_FFFF) &+ rootHalf)
    let ratio = (rest - 1) / (rest + 1), square = ratio * ratio
    let series = 2.885_390_1 + square * (0.961_796_7 + square * (0.577_078_0 + square * 0.412_198_58))
    return 6.020_599_9 * (octaves + ratio * series)
  }

  /// Returns the gain factor for `decibels`, within 0.0001 dB. It is meant for every frame of a loop: the compiler can
  /// vectorise it. Values are clamped to −750 dB to 750 dB.
  ///
  /// The result is exactly 1 at 0 dB. The whole octaves become the exponent of the floating-point number; the rest is
  /// computed by the series of 2ˣ.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public static func quickAmplitude(_ decibels: Float) -> Float {
    let octaves = min(max(decibels, -750), 750) * 0.166_096_4
    // A float of this size has a resolution of 1, so the addition rounds, and the lowest bits are the integer.
    let counting: Float = 12_582_912
    let rounded = octaves + counting
    let whole = rounded.bitPattern &- counting.bitPattern, rest = octaves - (rounded - counting)
    let upper = 0.055_504_11 + rest * (0.009_618_129 + rest * (0.001_333_356 + rest * 0.000_154_035))
    let series = 1 + rest * (0.693_147_2 + rest * (0.240_226_5 + rest * upper))
    return series * Float(bitPattern: (whole &+ 127) &<< 23)
  }
}
