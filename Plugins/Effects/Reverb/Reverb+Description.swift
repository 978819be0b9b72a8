// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Reverb {
  public static var description: EffectDescription {
    EffectDescription(
      "reverb", name: "Reverb", "Puts sound into a room, from a booth to a cathedral",
      uri: "urn:swiftlet:reverb", lv2Class: "ReverbPlugin", outputs: [EffectBus("out", .atLeast(2))],
      worksInPlace: true)
  }

  /// The longest pre-delay, in milliseconds.
  static var longestPreDelay: Float { 250 }
  /// The largest room, in metres from wall to wall.
  static var largest: Float { @_noLocks @_noAllocation get { 40 } }
  /// The maximum modulation of a line's length, in milliseconds.
  static var deepest: Float { 1 }
  /// The cutoff at and above which the high cut is off, in hertz.
  static var openHighCut: Float { @_noLocks @_noAllocation get { 20000 } }
  /// The maximum length of a crossfade from one size or pre-delay to another, in seconds.
  static var longestFade: Double { 0.1 }
  /// The default proportion of reverb, in percent.
  static var initialMix: Float { 30 }
  /// The default values: those of the preset `medium-hall`.
  static var initial: Room { mediumHall }
}

extension Reverb {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The proportion of reverb in the output.
    /// Range: 0 % to 100 %. Default: 30 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "The proportion of reverb in the output", range: 0...100,
        default: .percent(Reverb.initialMix))
    }
    /// The time until the first reflection.
    /// Range: 0 ms to 250 ms. Default: 18 ms.
    public var preDelay: TypedParameter<Parameter, Duration> {
      .init(
        .preDelay, "pre-delay", name: "Pre-delay", "The time until the first reflection",
        range: 0...Reverb.longestPreDelay, default: .milliseconds(Int(Reverb.initial.preDelay)), glide: 0.05)
    }
    /// The average distance from wall to wall.
    /// Range: 2 m to 40 m. Default: 14 m.
    public var size: TypedParameter<Parameter, Distance> {
      .init(
        .size, "size", name: "Size", "The average distance from wall to wall",
        range: 2...Reverb.largest, default: .metres(Reverb.initial.size), curve: .logarithmic, glide: 0.1)
    }
    /// The time in which low frequencies fall by 60 dB.
    /// Range: 0.1 s to 30 s. Default: 1.7 s.
    public var decayLow: TypedParameter<Parameter, Duration> {
      .init(
        .decayLow, "decay-low", name: "Low decay", "The time in which low frequencies decay by 60 dB",
        unit: .seconds,
        range: 0.1...30, default: .seconds(Double(Reverb.initial.low)), curve: .logarithmic, glide: 0.1)
    }
    /// The time in which high frequencies fall by 60 dB.
    /// Range: 0.1 s to 30 s. Default: 1 s.
    public var decayHigh: TypedParameter<Parameter, Duration> {
      .init(
        .decayHigh, "decay-high", name: "High decay", "The time in which high frequencies decay by 60 dB",
        unit: .seconds,
        range: 0.1...30, default: .seconds(Double(Reverb.initial.high)), curve: .logarithmic, glide: 0.1)
    }
    /// The frequency at which the rate of decay is halfway between low and high.
    /// Range: 100 Hz to 10000 Hz. Default: 3500 Hz.
    public var crossover: TypedParameter<Parameter, Frequency> {
      .init(
        .crossover, "crossover", name: "Crossover",
        "The frequency at which the rate of decay is halfway between low and high", range: 100...10_000,
        default: .hertz(Reverb.initial.crossover), curve: .logarithmic, glide: 0.1)
    }
    /// The diffusion: the speed at which single echoes merge.
    /// Range: 0 % to 100 %. Default: 90 %.
    public var diffusion: TypedParameter<Parameter, Percentage> {
      .init(
        .diffusion, "diffusion", name: "Diffusion", "The diffusion: the speed at which single echoes merge",
        range: 0...100,
        default: .percent(Reverb.initial.diffusion))
    }
    /// The proportion of the tail in the reverb; the rest is early reflections.
    /// Range: 0 % to 100 %. Default: 65 %.
    public var balance: TypedParameter<Parameter, Percentage> {
      .init(
        .balance, "balance", name: "Early/late balance",
        "The proportion of the tail in the reverb; the rest is early reflections", range: 0...100,
        default: .percent(Reverb.initial.late))
    }
    /// The modulation rate of the echoes' delays.
    /// Range: 0.05 Hz to 2 Hz. Default: 0.5 Hz.
    public var modulationRate: TypedParameter<Parameter, Frequency> {
      .init(
        .modulationRate, "modulation-rate", name: "Modulation rate",
        "The modulation rate of the echoes' delays",
        range: 0.05...2, default: .hertz(Reverb.initial.rate), curve: .logarithmic)
    }
    /// The modulation depth of the echoes' delays, in both directions.
    /// Range: 0 ms to 1 ms. Default: 0.12 ms.
    public var modulationDepth: TypedParameter<Parameter, Duration> {
      .init(
        .modulationDepth, "modulation-depth", name: "Modulation depth",
        "The modulation depth of the echoes' delays in both directions; 0 is off", range: 0...Reverb.deepest,
        default: .milliseconds(Double(Reverb.initial.depth)), glide: 0.1)
    }
    /// The stereo width of the reverb; 0 % is mono.
    /// Range: 0 % to 100 %. Default: 100 %.
    public var width: TypedParameter<Parameter, Percentage> {
      .init(
        .width, "width", name: "Width", "The stereo width of the reverb; 0 is mono", range: 0...100,
        default: .percent(Reverb.initial.width))
    }
    /// The low cut of the reverb's input, 6 dB an octave.
    /// Range: 10 Hz to 2000 Hz. Default: 20 Hz.
    public var lowCut: TypedParameter<Parameter, Frequency> {
      .init(
        .lowCut, "low-cut", name: "Low cut", "The low cut of the reverb's input, 6 dB an octave",
        range: 10...2000,
        default: .hertz(Reverb.initial.lowCut), curve: .logarithmic)
    }
    /// The high cut of the reverb's input, 6 dB an octave.
    /// Range: 200 Hz to 20000 Hz. Default: 12000 Hz.
    public var highCut: TypedParameter<Parameter, Frequency> {
      .init(
        .highCut, "high-cut", name: "High cut", "The high cut of the reverb's input; at 20 kHz it is off",
        range: 200...Reverb.openHighCut, default: .hertz(Reverb.initial.highCut), curve: .logarithmic)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .mix: mix.description
      case .preDelay: preDelay.description
      case .size: size.description
      case .decayLow: decayLow.description
      case .decayHigh: decayHigh.description
      case .crossover: crossover.description
      case .diffusion: diffusion.description
      case .balance: balance.description
      case .modulationRate: modulationRate.description
      case .modulationDepth: modulationDepth.description
      case .width: width.description
      case .lowCut: lowCut.description
      case .highCut: highCut.description
      }
    }
  }
}
