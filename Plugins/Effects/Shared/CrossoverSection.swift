// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The coefficients of one section of a crossover, at a frequency that moves in segments. They are interpolated linearly
/// within a segment.
struct CrossoverSection: BitwiseCopyable {
  /// The coefficients of two filters with the same poles.
  struct Coefficients: BitwiseCopyable {
    /// A low-pass of 12 dB an octave.
    var lowPass: BiquadCoefficients
    /// The all-pass with the low-pass's phase, twice.
    var allPass: BiquadCoefficients
  }

  /// 1/Q.
  private let damping: Double
  private let sampleRate: Double
  /// The coefficients at the start of the segment.
  private(set) var start: Coefficients
  /// Their step in each frame, and their value at the end of the segment.
  private var step: Coefficients, end: Coefficients

  /// Creates a section at rest.
  init(_ frequency: Double, damping: Double, _ sampleRate: Double) {
    self.damping = damping
    self.sampleRate = sampleRate
    start = Self.coefficients(frequency, damping, sampleRate)
    step = start
    end = start
  }

  /// Sets the frequency at once.
  @_noLocks @_noAllocation mutating func set(_ frequency: Double) {
    start = Self.coefficients(frequency, damping, sampleRate)
  }

  /// Begins a segment that ends at a frequency after `frames` frames.
  @_noLocks @_noAllocation mutating func begin(_ frequency: Double, over frames: Int) {
    end = Self.coefficients(frequency, damping, sampleRate)
    step = Coefficients(
      lowPass: start.lowPass.step(to: end.lowPass, over: frames),
      allPass: start.allPass.step(to: end.allPass, over: frames))
  }

  /// Ends the segment after `frames` frames, or at its end.
  @_noLocks @_noAllocation mutating func cut(after frames: Int) { start = value(after: frames) }
  @_noLocks @_noAllocation mutating func arrive() { start = end }

  /// Returns the coefficients `frames` frames after the start of the segment.
  @_noLocks @_noAllocation @inline(__always) func value(after frames: Int) -> Coefficients {
    guard frames > 0 else { return start }
    var now = start
    now.lowPass.add(step.lowPass, times: Double(frames))
    now.allPass.add(step.allPass, times: Double(frames))
    return now
  }

  @_noLocks @_noAllocation
  private static func coefficients(_ frequency: Double, _ damping: Double, _ sampleRate: Double)
    -> Coefficients
  {
    let corner = rt_tan_double(.pi * min(frequency, 0.49 * sampleRate) / sampleRate)
    return Coefficients(
      lowPass: BiquadCoefficients(corner: corner, damping: damping, through: 0, bandpass: 0, lowpass: 1),
      allPass: BiquadCoefficients(
        corner: corner, damping: damping, through: 1, bandpass: -2 * damping, lowpass: 0))
  }
}
