// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

extension Filter.Kind {
  /// Whether the filter is a low-pass or high-pass, whose slope can be chosen.
  public var isPass: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .lowPass, .highPass, .resonantLowPass, .resonantHighPass: true
      default: false
      }
    }
  }

  fileprivate var isHighPass: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .highPass, .resonantHighPass: true
      default: false
      }
    }
  }

  fileprivate var isResonantPass: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .resonantLowPass, .resonantHighPass: true
      default: false
      }
    }
  }
}

/// Low-pass and high-pass filters of any order, as second-order filters in series.
///
/// A Butterworth filter of order N has its poles at equal angles on a half circle (S. Butterworth, "On the Theory of
/// Filter Amplifiers", 1930). The pole pairs have 1/Q = 2·sin((2k − 1)·π / 2N), with k from 1 to N/2; if N is odd, one
/// real pole remains. So |H|² = 1 / (1 + w^2N), which is −3 dB at the cutoff for each N.
///
/// In a resonant filter, the Q of every pair is raised by the same factor, so that the gain at the cutoff is the Q of
/// the bandwidth for any order: with n pairs the factor is (√2·Q)^(1/n). A single real pole cannot resonate.
extension Filter {
  /// Returns the number of sections of a filter of `order`.
  @_noLocks @_noAllocation public func sectionCount(order: Int) -> Int {
    kind.isPass ? max(1, (order + 1) / 2) : 1
  }

  /// Returns the coefficients of a section at `sampleRate` frames a second.
  ///
  /// - Parameters:
  ///   - section: the section's index, from 0 to below ``sectionCount(order:)``. The section with the highest Q is
  ///     last.
  ///   - order: 6 dB an octave for each order, 1 or more. Kinds other than low-pass and high-pass are always of second
  ///     order.
  @_noLocks @_noAllocation
  public func coefficients(section: Int, order: Int, sampleRate: Double) -> BiquadCoefficients {
    if !kind.isPass || order == 2 { return coefficients(sampleRate: sampleRate) }
    let isHigh = kind.isHighPass, isOdd = order % 2 == 1
    let corner = corner(sampleRate: sampleRate)
    if isOdd && section == 0 {
      // The second pole and a zero coincide with the first pole, and cancel.
      let sign: Double = isHigh ? -1 : 1
      return .init(corner: corner, damping: 2, through: isHigh ? 1 : 0, bandpass: sign, lowpass: sign)
    }
    let pairs = order / 2, pair = pairs - section + (isOdd ? 1 : 0)
    var damping = 2 * rt_sin_double(Double(2 * pair - 1) * .pi / Double(2 * order))
    if kind.isResonantPass {
      damping *= rt_pow_double(resonance / rt_sqrt_double(2), 1 / Double(pairs))
    }
    return isHigh
      ? .init(corner: corner, damping: damping, through: 1, bandpass: -damping, lowpass: -1)
      : .init(corner: corner, damping: damping, through: 0, bandpass: 0, lowpass: 1)
  }
}
