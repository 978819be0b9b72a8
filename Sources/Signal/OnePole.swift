// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A gentle low-pass, 6 dB an octave: `y += share · (x − y)`.
///
/// For every share from 0 to 1, and however it changes, what comes out lies between the smallest and the
/// largest value that went in. In a feedback loop it can only take energy away.
public struct OnePole: BitwiseCopyable, Sendable {
  /// The last value that came out.
  @usableFromInline var last = 0.0

  /// A filter that has heard silence.
  @_noLocks @_noAllocation @inlinable public init() {}

  /// The share that puts −3 dB at `frequency` exactly, for frequencies up to half the sample rate.
  @_noLocks @_noAllocation public static func share(frequency: Double, sampleRate: Double) -> Double {
    let sine = rt_sin_double(.pi * min(max(frequency, 0), sampleRate / 2) / sampleRate)
    let rise = 2 * sine * sine
    return rt_sqrt_double(rise * (rise + 2)) - rise
  }

  /// Filters one frame. A share of 1 lets `x` pass unchanged.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public mutating func next(_ x: Float, share: Double) -> Float {
    last = (1 - share) * last + share * Double(x)
    return Float(last)
  }
}
