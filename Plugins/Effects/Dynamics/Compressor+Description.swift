// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Compressor {
  public static var description: EffectDescription {
    EffectDescription(
      "compressor", name: "Compressor", "Attenuates loud passages, so that the whole signal can be amplified",
      uri: "urn:swiftlet:compressor", lv2Class: "CompressorPlugin",
      inputs: [EffectBus("in"), EffectBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)])
  }

  /// The default values.
  static var initial:
    (
      threshold: Float, ratio: Float, knee: Float, attack: Float, release: Float, makeUp: Float, mix: Float
    )
  { (-20, 4, 6, 10, 120, 0, 100) }

  private static func preset(
    _ name: StaticString, _ threshold: Float, ratio: Float, knee: Float, attack: Float, release: Float,
    makeUp: Float, detector: Float = 0, mix: Float = 100
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.ratio.rawValue, ratio),
        (Parameter.knee.rawValue, knee), (Parameter.attack.rawValue, attack),
        (Parameter.release.rawValue, release), (Parameter.makeUp.rawValue, makeUp),
        (Parameter.detector.rawValue, detector), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Compressor {
  /// The presets. The thresholds are meant for signals that peak near −6 dBFS.
  public enum Preset: PresetList {
    /// A sung or spoken voice: 3 : 1 above −24 dB.
    case voice
    /// Slow levelling: 60 ms attack, 800 ms release, RMS detector.
    case leveller
    /// Preserves the attack of drums: 20 ms attack, 4 : 1.
    case drums
    /// Strong compression, of which 40 % is mixed in.
    case parallel
    /// A bass guitar: 5 : 1 above −22 dB.
    case bass
    /// A whole mix: 2 : 1, RMS detector.
    case bus

    public func describe() -> EffectPreset {
      switch self {
      case .voice:
        preset("voice", -24, ratio: 3, knee: 8, attack: 8, release: 150, makeUp: 6)
      case .leveller:
        preset("leveller", -28, ratio: 2, knee: 12, attack: 60, release: 800, makeUp: 6, detector: 1)
      case .drums:
        preset("drums", -18, ratio: 4, knee: 3, attack: 20, release: 90, makeUp: 4)
      case .parallel:
        preset("parallel", -36, ratio: 10, knee: 4, attack: 1, release: 80, makeUp: 14, mix: 40)
      case .bass:
        preset("bass", -22, ratio: 5, knee: 6, attack: 15, release: 200, makeUp: 5)
      case .bus:
        preset("bus", -16, ratio: 2, knee: 8, attack: 30, release: 250, makeUp: 2, detector: 1)
      }
    }
  }
}

extension Compressor {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The level above which the signal is compressed.
    /// Range: −60 dB to 0 dB. Default: −20 dB.
    public var threshold: TypedParameter<Parameter, Level> {
      .init(
        .threshold, "threshold", name: "Threshold", "The level above which the signal is compressed",
        range: -60...0,
        default: .decibels(Compressor.initial.threshold))
    }
    /// The compression ratio: the input change in decibels above the threshold that changes the output by 1 dB.
    /// Range: 1 to 50. Default: 4.
    public var ratio: TypedParameter<Parameter, Float> {
      .init(
        .ratio, "ratio", name: "Ratio",
        "The decibels of input above the threshold for each decibel of output", range: 1...50,
        default: Compressor.initial.ratio, curve: .logarithmic)
    }
    /// The width of the knee around the threshold.
    /// Range: 0 dB to 24 dB. Default: 6 dB.
    public var knee: TypedParameter<Parameter, Level> {
      .init(
        .knee, "knee", name: "Knee", "The width of the knee around the threshold",
        range: 0...24, default: .decibels(Compressor.initial.knee))
    }
    /// The time constant with which the gain reduction grows.
    /// Range: 0.05 ms to 500 ms. Default: 10 ms.
    public var attack: TypedParameter<Parameter, Duration> {
      .init(
        .attack, "attack", name: "Attack", "The time in which a growing gain reduction is 63 % complete",
        range: 0.05...500, default: Duration(Compressor.initial.attack, in: .milliseconds),
        curve: .logarithmic)
    }
    /// The time constant with which the gain reduction shrinks.
    /// Range: 5 ms to 5000 ms. Default: 120 ms.
    public var release: TypedParameter<Parameter, Duration> {
      .init(
        .release, "release", name: "Release", "The time in which a shrinking gain reduction is 63 % complete",
        range: 5...5000, default: Duration(Compressor.initial.release, in: .milliseconds),
        curve: .logarithmic)
    }
    /// The gain after the compression.
    /// Range: −24 dB to 36 dB. Default: 0 dB.
    public var makeUp: TypedParameter<Parameter, Level> {
      .init(
        .makeUp, "make-up", name: "Make-up", "The gain after the compression", range: -24...36,
        default: .decibels(Compressor.initial.makeUp))
    }
    /// The level detection: peak, or RMS, which averages 10 ms and so lengthens releases below 50 ms.
    /// Values: peak, rms. Default: peak.
    public var detector: TypedParameter<Parameter, Detector> {
      .init(
        .detector, "detector", name: "Detector",
        "The level detection: peak, or RMS, which averages 10 ms and so lengthens releases below 50 ms",
        default: .peak, glide: 0.05)
    }
    /// Whether the level is taken from the side-chain bus.
    /// Default: false.
    public var sidechain: TypedParameter<Parameter, Bool> {
      .init(
        .sidechain, "sidechain", name: "Side-chain", "Whether the level is taken from the side-chain bus",
        default: false)
    }
    /// The proportion of compressed signal in the output.
    /// Range: 0 % to 100 %. Default: 100 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "The proportion of compressed signal in the output", range: 0...100,
        default: .percent(Compressor.initial.mix))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .threshold: threshold.description
      case .ratio: ratio.description
      case .knee: knee.description
      case .attack: attack.description
      case .release: release.description
      case .makeUp: makeUp.description
      case .detector: detector.description
      case .sidechain: sidechain.description
      case .mix: mix.description
      }
    }
  }

  /// The level detection.
  public enum Detector: Int, ParameterChoice {
    /// The peak level.
    case peak
    /// The root mean square of the last 10 ms.
    case rms

    public var symbol: StaticString {
      switch self {
      case .peak: "peak"
      case .rms: "rms"
      }
    }
  }
}
