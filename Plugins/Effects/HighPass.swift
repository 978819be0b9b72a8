// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A gentle high-pass, 6 dB an octave: what is left of a sound without what a trapezoidal integrator follows.
///
/// For every share between 0 and 1, and however it changes, the integrator's state stays within the largest
/// value that went in.
struct HighPass: BitwiseCopyable {
  private var state = 0.0

  @_noLocks @_noAllocation init() {}

  /// The share that puts −3.01 dB at `frequency` exactly; with g = tan(π · frequency / rate), g / (1 + g).
  @_noLocks @_noAllocation static func share(_ frequency: Float, _ sampleRate: Double) -> Float {
    let warped = rt_tan_double(.pi * min(Double(frequency), 0.49 * sampleRate) / sampleRate)
    return Float(warped / (1 + warped))
  }

  /// For how many frames `count` of these in a row ring on above −120 dB; an upper bound.
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
