// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A second-order filter in musical terms: kind, frequency, bandwidth and gain.
///
/// The formulas are those of the Audio EQ Cookbook (Robert Bristow-Johnson, W3C note of 8 June 2021), which does not
/// have the tilt filter.
public struct Filter: BitwiseCopyable, Sendable, Equatable {
  /// The kinds of filter.
  public enum Kind: Int, BitwiseCopyable, Sendable, CaseIterable {
    /// Boosts or cuts around the frequency. The bandwidth lies between the points of half the gain in decibels.
    case parametric
    /// Cuts above the frequency, 12 dB an octave, −3 dB at the frequency.
    case lowPass
    /// Cuts below the frequency, 12 dB an octave, −3 dB at the frequency.
    case highPass
    /// Cuts above the frequency, with a resonance at it that is sharper for a smaller bandwidth.
    case resonantLowPass
    /// Cuts below the frequency, with a resonance at it that is sharper for a smaller bandwidth.
    case resonantHighPass
    /// Passes a band around the frequency: 0 dB at the centre, −3 dB at the edges.
    case bandPass
    /// Rejects a band around the frequency: −∞ dB at the centre, −3 dB at the edges.
    case bandStop
    /// Boosts or cuts below the frequency; half the gain in decibels at the frequency.
    case lowShelf
    /// Boosts or cuts above the frequency; half the gain in decibels at the frequency.
    case highShelf
    /// A low shelf whose slope overshoots more for a smaller bandwidth.
    case resonantLowShelf
    /// A high shelf whose slope overshoots more for a smaller bandwidth.
    case resonantHighShelf
    /// Boosts by the gain above the frequency and cuts by the same amount below it, with 0 dB at the frequency. The
    /// gain is limited to ±24 dB.
    case tilt
    /// Passes all frequencies and shifts their phase: by 180° at the frequency, and over a narrower or wider range
    /// around it for a smaller or larger bandwidth.
    case allPass
  }

  /// The kind of filter.
  public var kind: Kind
  /// The centre, corner or edge frequency, in hertz. It is limited to 0.49 of the sample rate.
  public var frequency: Double
  /// The bandwidth in octaves, above 0; plain low-pass, high-pass and shelf filters do not use it.
  public var bandwidth: Double
  /// The gain in decibels; pass and stop filters do not use it.
  public var gain: Double

  /// Describes a filter.
  @_noLocks @_noAllocation public init(
    _ kind: Kind, frequency: Double, bandwidth: Double = 0.5, gain: Double = 0
  ) {
    self.kind = kind
    self.frequency = frequency
    self.bandwidth = bandwidth
    self.gain = gain
  }

  /// Returns the coefficients of the filter at `sampleRate` frames a second.
  @_noLocks @_noAllocation public func coefficients(sampleRate: Double) -> BiquadCoefficients {
    let angle = angle(sampleRate: sampleRate), corner = corner(sampleRate: sampleRate)
    switch kind {
    case .parametric:
      let root = rootGain, damping = damping(at: angle) / root
      return .init(
        corner: corner, damping: damping, through: 1, bandpass: damping * (root * root - 1), lowpass: 0)
    case .lowPass:
      return .init(corner: corner, damping: Self.flat, through: 0, bandpass: 0, lowpass: 1)
    case .highPass:
      return .init(corner: corner, damping: Self.flat, through: 1, bandpass: -Self.flat, lowpass: -1)
    case .resonantLowPass:
      return .init(corner: corner, damping: resonance, through: 0, bandpass: 0, lowpass: 1)
    case .resonantHighPass:
      let damping = resonance
      return .init(corner: corner, damping: damping, through: 1, bandpass: -damping, lowpass: -1)
    case .bandPass:
      let damping = damping(at: angle)
      return .init(corner: corner, damping: damping, through: 0, bandpass: damping, lowpass: 0)
    case .bandStop:
      let damping = damping(at: angle)
      return .init(corner: corner, damping: damping, through: 1, bandpass: -damping, lowpass: 0)
    case .lowShelf: return lowShelf(corner, damping: Self.flat)
    case .highShelf: return highShelf(corner, damping: Self.flat)
    case .resonantLowShelf: return lowShelf(corner, damping: resonance)
    case .resonantHighShelf: return highShelf(corner, damping: resonance)
    case .tilt: return tilt(corner)
    case .allPass:
      let damping = damping(at: angle)
      return .init(corner: corner, damping: damping, through: 1, bandpass: -2 * damping, lowpass: 0)
    }
  }

  /// Returns half the phase advance of the frequency in one frame, in radians.
  @_noLocks @_noAllocation private func angle(sampleRate: Double) -> Double {
    .pi * min(max(frequency, 0.001), 0.49 * sampleRate) / sampleRate
  }

  /// Returns the frequency, prewarped so that it is exact after sampling.
  @_noLocks @_noAllocation func corner(sampleRate: Double) -> Double {
    rt_tan_double(angle(sampleRate: sampleRate))
  }

  @_noLocks @_noAllocation private func lowShelf(_ corner: Double, damping: Double) -> BiquadCoefficients {
    let root = rootGain
    return .init(
      corner: corner / rt_sqrt_double(root), damping: damping, through: 1, bandpass: damping * (root - 1),
      lowpass: root * root - 1)
  }

  @_noLocks @_noAllocation private func highShelf(_ corner: Double, damping: Double) -> BiquadCoefficients {
    let root = rootGain
    return .init(
      corner: corner * rt_sqrt_double(root), damping: damping, through: root * root,
      bandpass: damping * (1 - root) * root, lowpass: 1 - root * root)
  }

  /// Returns `(v·s + 1) / (s + v)`, where v is the gain as a factor: 1/v far below the frequency, v far above it and 1
  /// at it.
  ///
  /// The filter is of first order; the second pole and a zero coincide with the first pole, and cancel.
  @_noLocks @_noAllocation private func tilt(_ corner: Double) -> BiquadCoefficients {
    let factor = Decibels.amplitude(max(-24, min(gain, 24))), rest = 1 / factor - factor
    return .init(corner: corner * factor, damping: 2, through: factor, bandpass: rest, lowpass: rest)
  }

  /// The square root of the gain factor: A in the cookbook.
  private var rootGain: Double { @_noLocks @_noAllocation get { Decibels.amplitude(gain / 2) } }

  /// 1/Q of a maximally flat filter, and of a shelf with slope 1.
  private static var flat: Double { @_noLocks @_noAllocation get { 1.414_213_562_373_095_1 } }

  /// 1/Q for the bandwidth in octaves of an analog filter.
  var resonance: Double {
    @_noLocks @_noAllocation get { 2 * rt_sinh_double(0.346_573_590_279_972_65 * bandwidth) }
  }

  /// Returns 1/Q for the bandwidth in octaves, widened so that the bandwidth is exact after sampling.
  @_noLocks @_noAllocation private func damping(at angle: Double) -> Double {
    let twice = 2 * angle
    return 2 * rt_sinh_double(0.346_573_590_279_972_65 * bandwidth * twice / rt_sin_double(twice))
  }
}
