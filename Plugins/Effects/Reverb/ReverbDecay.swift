// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The decay of a reverb's tail at each frequency.
///
/// The *rate* of decay, in decibels per second, follows a first-order shelf from the low one to the high one, and is
/// halfway at the crossover. With T as the time to −60 dB,
/// `1/T(f) = (1/T_low + (f/crossover)² / T_high) / (1 + (f/crossover)²)`.
struct ReverbDecay: BitwiseCopyable {
  /// The values' logarithms to base ten, so that times and frequencies glide logarithmically.
  private var low: Ramp, high: Ramp, crossover: Ramp

  /// Creates a decay at rest, with times in seconds and the crossover in hertz.
  init(low: Float, high: Float, crossover: Float) {
    self.low = Ramp(rt_log10(low))
    self.high = Ramp(rt_log10(high))
    self.crossover = Ramp(rt_log10(crossover))
  }

  /// The values that can glide.
  enum Quantity: Sendable { case low, high, crossover }

  /// Glides a value to seconds or hertz.
  @_noLocks @_noAllocation mutating func set(_ quantity: Quantity, to value: Float, over frames: Int) {
    switch quantity {
    case .low: low.glide(to: rt_log10(value), over: frames)
    case .high: high.glide(to: rt_log10(value), over: frames)
    case .crossover: crossover.glide(to: rt_log10(value), over: frames)
    }
  }

  /// Whether a value is gliding.
  var isMoving: Bool { @_noLocks @_noAllocation get { low.isMoving || high.isMoving || crossover.isMoving } }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    low.skip(frames)
    high.skip(frames)
    crossover.skip(frames)
  }

  /// Finishes all glides at their targets.
  @_noLocks @_noAllocation mutating func finish() { skip(.max / 2) }

  /// Returns the shorter of both times `frames` frames from now, in seconds.
  @_noLocks @_noAllocation func shortest(after frames: Int) -> Double {
    rt_pow_double(10, Double(min(low.value(after: frames), high.value(after: frames))))
  }

  /// Returns the time of the mean rate of decay `frames` frames from now, in seconds.
  @_noLocks @_noAllocation func middle(after frames: Int) -> Double {
    let low = rt_pow_double(10, Double(-low.value(after: frames)))
    return 2 / (low + rt_pow_double(10, Double(-high.value(after: frames))))
  }

  /// Returns the mean length of the network's lines for a mean time between walls, both in seconds, after all glides.
  ///
  /// A tail has as many resonances per hertz as its lines have seconds, so short lines would ring with a long decay.
  /// Much longer lines than the decay would make steps.
  @_noLocks @_noAllocation func mean(forWalls seconds: Double, longest: Double) -> Double {
    let low = rt_pow_double(10, Double(low.target)), high = rt_pow_double(10, Double(high.target))
    let walls = 0.7 * seconds, least = 0.05 * min(low, 1)
    return min(min(rt_sqrt_double(walls * walls + least * least), min(low, high) / 5), longest)
  }

  /// The longer of both target times, in seconds.
  var longest: Double {
    @_noLocks @_noAllocation get { rt_pow_double(10, Double(max(low.target, high.target))) }
  }

  /// Returns the time to −60 dB at `frequency`, in seconds, after all glides.
  @_noLocks @_noAllocation func time(at frequency: Double) -> Double {
    let ratio = frequency / rt_pow_double(10, Double(crossover.target)), above = ratio * ratio
    let low = rt_pow_double(10, Double(low.target)), high = rt_pow_double(10, Double(high.target))
    return (1 + above) / (1 / low + above / high)
  }

  /// Returns the values `frames` frames from now in the form from which filters are computed.
  @_noLocks @_noAllocation func requested(after frames: Int, sampleRate: Double) -> Requested {
    Requested(
      low: -6.907_755_278_982_137 / (rt_pow_double(10, Double(low.value(after: frames))) * sampleRate),
      high: -6.907_755_278_982_137 / (rt_pow_double(10, Double(high.value(after: frames))) * sampleRate),
      crossover: rt_pow_double(10, Double(crossover.value(after: frames))) / sampleRate)
  }

  /// The decay in nepers per frame at low and high frequencies, and the crossover in cycles per frame.
  struct Requested: BitwiseCopyable {
    fileprivate let low: Double, high: Double, crossover: Double

    /// Returns the filter after a line of `length` frames.
    ///
    /// It is a first-order shelf, `(high·s + low·w) / (s + w)`, where `low` and `high` are the gains at both ends. Its
    /// gain is their geometric mean, halfway in decibels, at `w·√(low/high)`. It is computed by the bilinear transform
    /// as low-pass plus direct part. The corner of the low-pass is limited to a quarter of the sample rate, so that its
    /// state is a weighted mean of the input.
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
