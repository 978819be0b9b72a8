// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A one-pole low-pass, 6 dB an octave: `y += share · (x − y)`.
///
/// For every coefficient `share` from 0 to 1, also while it changes, the output lies between the smallest and the
/// largest input so far. So the filter never adds energy to a feedback loop.
public struct OnePole: BitwiseCopyable, Sendable {
  /// The last output.
  @usableFromInline var last = 0.0

  /// Creates a filter with cleared state.
  @_noLocks @_noAllocation @inlinable public init() {}

  /// Returns the coefficient that puts −3 dB exactly at `frequency`, for frequencies up to half the sample rate.
  @_noLocks @_noAllocation public static func share(frequency: Double, sampleRate: Double) -> Double {
    let sine = rt_sin_double(.pi * min(max(frequency, 0), sampleRate / 2) / sampleRate)
    let rise = 2 * sine * sine
    return rt_sqrt_double(rise * (rise + 2)) - rise
  }

  /// Filters one frame. With the coefficient 1, `x` passes unchanged.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public mutating func next(_ x: Float, share: Double) -> Float {
    last = (1 - share) * last + share * Double(x)
    return Float(last)
  }
}
