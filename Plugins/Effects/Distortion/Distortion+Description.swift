// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Distortion {
  public static var description: EffectDescription {
    EffectDescription(
      "distortion", name: "Distortion",
      "Echo, bit crusher, waveshaper, ring modulator and soft clipper in series",
      uri: "urn:swiftlet:distortion", lv2Class: "DistortionPlugin", worksInPlace: true)
  }

  /// The default oversampling factor.
  static var initialOversampling: Oversampling { .fourTimes }
  /// The default values of the other parameters.
  static var initial: PresetValues { PresetValues() }
  /// The default proportion of distorted signal, in percent.
  static var initialMix: Float { 50 }
}

extension Distortion {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The time between echoes.
    /// Range: 0.1 ms to 500 ms. Default: 0.1 ms.
    public var delay: TypedParameter<Parameter, Duration> {
      .init(
        .delay, "delay", name: "Delay", "The time between echoes, rounded to frames",
        range: 0.1...DecayingEcho.longest, default: Duration(Distortion.initial.delay, in: .milliseconds),
        curve: .logarithmic, glide: 0.05)
    }
    /// The decay rate of the echoes; a larger value is faster.
    /// Range: 0.1 to 50. Default: 1.
    public var decay: TypedParameter<Parameter, Float> {
      .init(
        .decay, "decay", name: "Decay",
        "The decay rate of the echoes: after t seconds their amplitude is e^(-decay t) of the source",
        range: 0.1...50,
        default: Distortion.initial.decay, curve: .logarithmic)
    }
    /// The proportion of echoes.
    /// Range: 0 % to 100 %. Default: 0 %.
    public var delayMix: TypedParameter<Parameter, Percentage> {
      .share(
        .delayMix, "delay-mix", name: "Delay mix", "The proportion of echoes",
        default: .percent(Distortion.initial.delayMix))
    }
    /// The decimation: how long samples are held.
    /// Range: 0 % to 100 %. Default: 0 %.
    public var decimation: TypedParameter<Parameter, Percentage> {
      .share(
        .decimation, "decimation", name: "Decimation",
        "The time for which a sample is held: 1 ms times the square of this value; a step passes all times in between",
        default: .percent(Distortion.initial.decimation))
    }
    /// The rounding: the coarseness of the sample values.
    /// Range: 0 % to 100 %. Default: 0 %.
    public var rounding: TypedParameter<Parameter, Percentage> {
      .share(
        .rounding, "rounding", name: "Rounding",
        "The size of the rounding steps: the fourth power of this value; 1 at 100 %; a step passes all sizes in between",
        default: .percent(Distortion.initial.rounding))
    }
    /// The proportion of decimated and rounded signal.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var decimationMix: TypedParameter<Parameter, Percentage> {
      .share(
        .decimationMix, "decimation-mix", name: "Decimation mix",
        "The proportion of decimated and rounded signal",
        default: .percent(Distortion.initial.decimationMix))
    }
    /// The coefficient of x in the polynomial.
    /// Range: 0 to 1. Default: 1.
    public var linearTerm: TypedParameter<Parameter, Float> {
      .init(
        .linearTerm, "linear-term", name: "Linear term", "The coefficient of x in the polynomial",
        range: 0...1, default: Distortion.initial.linear)
    }
    /// The coefficient of x² in the polynomial.
    /// Range: 0 to 20. Default: 0.
    public var squaredTerm: TypedParameter<Parameter, Float> {
      .init(
        .squaredTerm, "squared-term", name: "Squared term",
        "The coefficient of x squared: even harmonics", range: 0...20,
        default: Distortion.initial.squared)
    }
    /// The coefficient of x³ in the polynomial.
    /// Range: 0 to 20. Default: 0.
    public var cubicTerm: TypedParameter<Parameter, Float> {
      .init(
        .cubicTerm, "cubic-term", name: "Cubic term",
        "The coefficient of x cubed: odd harmonics", range: 0...20,
        default: Distortion.initial.cubic)
    }
    /// The proportion of the polynomial's output; the rest is its input.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var polynomialMix: TypedParameter<Parameter, Percentage> {
      .share(
        .polynomialMix, "polynomial-mix", name: "Polynomial mix",
        "The proportion of the polynomial's output; the rest is its input",
        default: .percent(Distortion.initial.polynomialMix))
    }
    /// The frequency of the first sine of the ring modulation.
    /// Range: 0.5 Hz to 8000 Hz. Default: 100 Hz.
    public var ringFrequency1: TypedParameter<Parameter, Frequency> {
      .init(
        .ringFrequency1, "ring-frequency-1", name: "Ring frequency 1",
        "The first sine of the ring modulation", range: 0.5...8000,
        default: .hertz(Distortion.initial.ringFrequencies.0), curve: .logarithmic)
    }
    /// The frequency of the second sine of the ring modulation.
    /// Range: 0.5 Hz to 8000 Hz. Default: 100 Hz.
    public var ringFrequency2: TypedParameter<Parameter, Frequency> {
      .init(
        .ringFrequency2, "ring-frequency-2", name: "Ring frequency 2",
        "The second sine of the ring modulation", range: 0.5...8000,
        default: .hertz(Distortion.initial.ringFrequencies.1), curve: .logarithmic)
    }
    /// The proportion of the second sine in the sum of both.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var ringBalance: TypedParameter<Parameter, Percentage> {
      .share(
        .ringBalance, "ring-balance", name: "Ring balance",
        "The proportion of the second sine in the modulator",
        default: .percent(Distortion.initial.ringBalance))
    }
    /// The proportion of ring-modulated signal.
    /// Range: 0 % to 100 %. Default: 0 %.
    public var ringMix: TypedParameter<Parameter, Percentage> {
      .share(
        .ringMix, "ring-mix", name: "Ring mix", "The proportion of ring-modulated signal",
        default: .percent(Distortion.initial.ringMix))
    }
    /// The level before the soft clip.
    /// Range: −80 dB to 20 dB. Default: −6 dB.
    public var gain: TypedParameter<Parameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The level before the soft clip", range: -80...20,
        default: .decibels(Distortion.initial.gain))
    }
    /// The proportion of distorted signal in the output.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .share(
        .mix, "mix", name: "Mix", "The proportion of distorted signal in the output",
        default: .percent(Distortion.initialMix))
    }
    /// The cutoff of the distorted signal's low cut.
    /// Range: 10 Hz to 2000 Hz. Default: 10 Hz.
    public var lowCut: TypedParameter<Parameter, Frequency> {
      .init(
        .lowCut, "low-cut", name: "Low cut",
        "The cutoff of the distorted signal's low cut, 12 dB an octave", range: 10...2000,
        default: .hertz(Distortion.initial.lowCut), curve: .logarithmic)
    }
    /// The cutoff of the distorted signal's high cut.
    /// Range: 200 Hz to 20000 Hz. Default: 20000 Hz.
    public var highCut: TypedParameter<Parameter, Frequency> {
      .init(
        .highCut, "high-cut", name: "High cut",
        "The cutoff of the distorted signal's high cut, 12 dB an octave; at 20 kHz it is off",
        range: 200...20000,
        default: .hertz(Distortion.initial.highCut), curve: .logarithmic)
    }
    /// The oversampling factor. From 4x on, a drive of more than 8 dB is processed at 16x.
    /// Values: 1x, 2x, 4x, 8x. Default: 4x.
    public var oversampling: TypedParameter<Parameter, Oversampling> {
      .init(
        .oversampling, "oversampling", name: "Oversampling",
        "The oversampling factor; from 4x on, a drive above 8 dB is processed at 16x",
        default: Distortion.initialOversampling, glide: 0.02)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .delay: delay.description
      case .decay: decay.description
      case .delayMix: delayMix.description
      case .decimation: decimation.description
      case .rounding: rounding.description
      case .decimationMix: decimationMix.description
      case .linearTerm: linearTerm.description
      case .squaredTerm: squaredTerm.description
      case .cubicTerm: cubicTerm.description
      case .polynomialMix: polynomialMix.description
      case .ringFrequency1: ringFrequency1.description
      case .ringFrequency2: ringFrequency2.description
      case .ringBalance: ringBalance.description
      case .ringMix: ringMix.description
      case .gain: gain.description
      case .mix: mix.description
      case .lowCut: lowCut.description
      case .highCut: highCut.description
      case .oversampling: oversampling.description
      }
    }
  }

  /// The oversampling factor of the distortion, for a drive of up to 8 dB: see ``Parameters/oversampling``.
  public enum Oversampling: Int, ParameterChoice {
    /// The sample rate itself.
    case once
    /// Twice the sample rate.
    case twice
    /// Four times the sample rate.
    case fourTimes
    /// Eight times the sample rate.
    case eightTimes

    public var symbol: StaticString {
      switch self {
      case .once: "1x"
      case .twice: "2x"
      case .fourTimes: "4x"
      case .eightTimes: "8x"
      }
    }
  }
}

extension TypedParameter where Value == Percentage {
  /// Describes a proportion from 0 % to 100 %.
  fileprivate static func share(
    _ key: Key, _ symbol: StaticString, name: StaticString, _ meaning: StaticString,
    default initial: Percentage
  ) -> Self {
    Self(key, symbol, name: name, meaning, range: 0...100, default: initial)
  }
}
