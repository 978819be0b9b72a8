// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A first-order high-pass, 6 dB an octave: the input minus the output of a trapezoidal low-pass.
///
/// For every coefficient between 0 and 1, also while it changes, the magnitude of the state does not exceed the largest
/// input.
struct HighPass: BitwiseCopyable {
  private var state = 0.0

  @_noLocks @_noAllocation init() {}

  /// Returns the coefficient that puts −3.01 dB exactly at `frequency`: g / (1 + g) with g = tan(π · frequency / rate).
  @_noLocks @_noAllocation static func share(_ frequency: Float, _ sampleRate: Double) -> Float {
    let warped = rt_tan_double(.pi * min(Double(frequency), 0.49 * sampleRate) / sampleRate)
    return Float(warped / (1 + warped))
  }

  /// Returns an upper bound for the number of frames for which `count` of these filters in series ring above −120 dB.
  @_noLocks @_noAllocation static func tail(share: Float, count: Int) -> Int {
    Int(Float(14 + 6 * count) / max(2 * min(share, 1 - share), 1e-7)) + 2
  }

  /// Filters one frame.
  @_noLocks @_noAllocation @inline(__always) mutating func next(_ x: Double, share: Double) -> Double {
    let way = (x - state) * share, low = state + way
    state = low + way
    return x - low
  }
}
