// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How fast a reverb's tail dies away, at each frequency.
///
/// The rule: the *rate* of decay, in decibels a second, goes from the low one to the high one as a
/// first-order shelf does, and lies half-way at the crossover. With T for the time to −60 dB, `1/T(f) =
/// (1/T_low + (f/crossover)² / T_high) / (1 + (f/crossover)²)`.
struct ReverbDecay: BitwiseCopyable {
  /// Logarithms to base ten, in which times and frequencies glide by equal ratios.
  private var low: Ramp, high: Ramp, crossover: Ramp

  /// At rest at these seconds and hertz.
  init(low: Float, high: Float, crossover: Float) {
    self.low = Ramp(rt_log10(low))
    self.high = Ramp(rt_log10(high))
    self.crossover = Ramp(rt_log10(crossover))
  }

  /// What glides.
  enum Knob: Sendable { case low, high, crossover }

  /// Turns a knob, to seconds or hertz.
  @_noLocks @_noAllocation mutating func set(_ knob: Knob, to value: Float, over frames: Int) {
    switch knob {
    case .low: low.glide(to: rt_log10(value), over: frames)
    case .high: high.glide(to: rt_log10(value), over: frames)
    case .crossover: crossover.glide(to: rt_log10(value), over: frames)
    }
  }

  /// Whether a knob is on its way.
  var isMoving: Bool { @_noLocks @_noAllocation get { low.isMoving || high.isMoving || crossover.isMoving } }

  /// Moves on.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    low.skip(frames)
    high.skip(frames)
    crossover.skip(frames)
  }

  /// Finishes all glides at their targets.
  @_noLocks @_noAllocation mutating func finish() { skip(.max / 2) }

  /// The shorter of both times `frames` from now, in seconds.
  @_noLocks @_noAllocation func shortest(after frames: Int) -> Double {
    rt_pow_double(10, Double(min(low.value(after: frames), high.value(after: frames))))
  }

  /// The longer of the times it is heading for, in seconds.
  var longest: Double {
    @_noLocks @_noAllocation get { rt_pow_double(10, Double(max(low.target, high.target))) }
  }

  /// The time to −60 dB at `frequency` by the rule, in seconds, once all glides have ended.
  @_noLocks @_noAllocation func time(at frequency: Double) -> Double {
    let ratio = frequency / rt_pow_double(10, Double(crossover.target)), above = ratio * ratio
    let low = rt_pow_double(10, Double(low.target)), high = rt_pow_double(10, Double(high.target))
    return (1 + above) / (1 / low + above / high)
  }

  /// What the knobs ask for `frames` from now, ready to make filters of.
  @_noLocks @_noAllocation func asked(after frames: Int, sampleRate: Double) -> Asked {
    Asked(
      low: -6.907_755_278_982_137 / (rt_pow_double(10, Double(low.value(after: frames))) * sampleRate),
      high: -6.907_755_278_982_137 / (rt_pow_double(10, Double(high.value(after: frames))) * sampleRate),
      crossover: rt_pow_double(10, Double(crossover.value(after: frames))) / sampleRate)
  }

  /// Decay in nepers a frame, and where it is half-way, in cycles a frame.
  struct Asked: BitwiseCopyable {
    fileprivate let low: Double, high: Double, crossover: Double

    /// The filter behind a line of `length` frames.
    ///
    /// A first-order shelf, `(high·s + low·w) / (s + w)` with the gains at both ends. Its gain is the
    /// geometric mean of them, half-way in decibels, at `w·√(low/high)`. Bilinear, as low-pass plus straight
    /// part; a low-pass above a quarter of the sample rate stays there, so that what it remembers is a mean
    /// of what came in.
    @_noLocks @_noAllocation func shelf(length: Double) -> (a: Float, b: Float, c: Float, d: Float) {
      let atLow = rt_exp_double(low * length), atHigh = rt_exp_double(high * length)
      let corner = min(crossover * rt_exp_double((high - low) * length / 2), 0.25)
      let tangent = rt_tan_double(.pi * corner), share = tangent / (1 + tangent)
      return (
        Float(atHigh + (atLow - atHigh) * share), Float((atLow - atHigh) * (1 - share)), Float(1 - 2 * share),
        Float(2 * share)
      )
    }
  }
}
