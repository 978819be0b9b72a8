// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A second-order filter as a musician describes it: what kind, where, how wide, how much.
///
/// The formulas are those of the Audio EQ Cookbook (Robert Bristow-Johnson, W3C note of 8 June 2021), which
/// lacks the tilt.
public struct Filter: BitwiseCopyable, Sendable, Equatable {
  /// The kinds of filter.
  public enum Kind: Int, BitwiseCopyable, Sendable, CaseIterable {
    /// Lifts or cuts around the frequency; the bandwidth lies between the
    /// points of half the gain in decibels.
    case parametric
    /// Cuts above the frequency, 12 dB an octave, −3 dB at it.
    case lowPass
    /// Cuts below the frequency, 12 dB an octave, −3 dB at it.
    case highPass
    /// Cuts above the frequency, with a peak at it that is sharper for a smaller bandwidth.
    case resonantLowPass
    /// Cuts below the frequency, with a peak at it that is sharper for a smaller bandwidth.
    case resonantHighPass
    /// Keeps a band around the frequency: 0 dB in its middle, −3 dB at its edges.
    case bandPass
    /// Takes a band around the frequency out: nothing in its middle, −3 dB at its edges.
    case bandStop
    /// Lifts or cuts all below the frequency; half the gain in decibels at it.
    case lowShelf
    /// Lifts or cuts all above the frequency; half the gain in decibels at it.
    case highShelf
    /// A low shelf whose step overshoots more for a smaller bandwidth.
    case resonantLowShelf
    /// A high shelf whose step overshoots more for a smaller bandwidth.
    case resonantHighShelf
    /// Lifts all above the frequency by the gain and cuts all below it by as much, 0 dB at it. It turns no
    /// further than 24 dB.
    case tilt
    /// Lets everything through, and turns its phase: by half a turn at the frequency, sooner or later around
    /// it for a smaller or larger bandwidth.
    case allPass
  }

  /// What kind of filter.
  public var kind: Kind
  /// Its middle, corner or edge, in hertz. Near and above half the sample rate it acts at 0.49 of the rate.
  public var frequency: Double
  /// How wide it is, in octaves, above 0; not used by the plain passes and shelves.
  public var bandwidth: Double
  /// How much it lifts or cuts, in decibels; not used by passes and stops.
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

  /// What the filter multiplies with at `sampleRate` frames a second.
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

  /// Half of how far the frequency turns in a frame.
  @_noLocks @_noAllocation private func angle(sampleRate: Double) -> Double {
    .pi * min(max(frequency, 0.001), 0.49 * sampleRate) / sampleRate
  }

  /// The frequency, warped so that it lies exact after sampling.
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

  /// `(v·s + 1) / (s + v)`, in which v is the gain's factor: 1/v far below, v far above and 1 between them.
  ///
  /// It is of first order; the second pole and a zero lie on the first, and cancel.
  @_noLocks @_noAllocation private func tilt(_ corner: Double) -> BiquadCoefficients {
    let factor = Decibels.amplitude(max(-24, min(gain, 24))), rest = 1 / factor - factor
    return .init(corner: corner * factor, damping: 2, through: factor, bandpass: rest, lowpass: rest)
  }

  /// The square root of the gain's factor: the cookbook's A.
  private var rootGain: Double { @_noLocks @_noAllocation get { Decibels.amplitude(gain / 2) } }

  /// 1/Q of a maximally flat filter, and of a shelf of slope 1.
  private static var flat: Double { @_noLocks @_noAllocation get { 1.414_213_562_373_095_1 } }

  /// 1/Q for the bandwidth in octaves, as an analog filter has it.
  var resonance: Double {
    @_noLocks @_noAllocation get { 2 * rt_sinh_double(0.346_573_590_279_972_65 * bandwidth) }
  }

  /// 1/Q for the bandwidth in octaves, stretched so that it stays what it says after sampling.
  @_noLocks @_noAllocation private func damping(at angle: Double) -> Double {
    let turn = 2 * angle
    return 2 * rt_sinh_double(0.346_573_590_279_972_65 * bandwidth * turn / rt_sin_double(turn))
  }
}
