// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

extension Filter.Kind {
  /// Whether it cuts all on one side, and may do so more or less steeply.
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

/// Passes that are steeper than 12 dB an octave, or less so: filters of second order in a row.
///
/// A Butterworth filter of order N has its poles at equal angles on a half circle (S. Butterworth, "On the
/// Theory of Filter Amplifiers", 1930). The pairs among them have 1/Q = 2·sin((2k − 1)·π / 2N), k from 1 to
/// N/2; where N is odd, one pole stands alone. So |H|² = 1 / (1 + w^2N), −3 dB at the frequency for each N.
///
/// In a resonant pass every pair is sharper by the same factor, such that all together they lift the
/// frequency itself by the Q that the bandwidth says, whatever the order: with n pairs the factor is
/// (√2·Q)^(1/n). A single pole cannot resonate.
extension Filter {
  /// How many sections a filter of `order` has.
  @_noLocks @_noAllocation public func sectionCount(order: Int) -> Int {
    kind.isPass ? max(1, (order + 1) / 2) : 1
  }

  /// What a section multiplies with at `sampleRate` frames a second.
  ///
  /// - Parameters:
  ///   - section: its number, from 0 to below ``sectionCount(order:)``. The sharpest comes last.
  ///   - order: 6 dB an octave for each, 1 or more; kinds that are no passes are of second order always.
  @_noLocks @_noAllocation
  public func coefficients(section: Int, order: Int, sampleRate: Double) -> BiquadCoefficients {
    if !kind.isPass || order == 2 { return coefficients(sampleRate: sampleRate) }
    let isHigh = kind.isHighPass, isOdd = order % 2 == 1
    let corner = corner(sampleRate: sampleRate)
    if isOdd && section == 0 {
      // The second pole and a zero lie on the first, and cancel.
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
