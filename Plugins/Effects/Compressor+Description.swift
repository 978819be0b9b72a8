// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Compressor {
  public static var description: EffectDescription {
    EffectDescription(
      "compressor", name: "Compressor", "Makes loud passages softer, so that all of it can be louder",
      uri: "urn:swiftlet:compressor", lv2Class: "CompressorPlugin",
      inputs: [EffectBus("in"), EffectBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)])
  }

  /// The values nobody has to say.
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
  /// Starting points; the threshold is for sound that peaks near −6 dBFS.
  public enum Preset: PresetList {
    case voice, leveller, drums, parallel, bass, bus

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
    public init() {}

    /// The level above which sound is made softer.
    public var threshold: TypedParameter<Parameter, Level> {
      .init(
        .threshold, "threshold", name: "Threshold", "Sound above this level is made softer", range: -60...0,
        default: .decibels(Compressor.initial.threshold))
    }
    /// How many decibels above the threshold become one.
    public var ratio: TypedParameter<Parameter, Float> {
      .init(
        .ratio, "ratio", name: "Ratio", "How many decibels above the threshold become one", range: 1...50,
        default: Compressor.initial.ratio, curve: .logarithmic)
    }
    /// The width of the bend around the threshold.
    public var knee: TypedParameter<Parameter, Level> {
      .init(
        .knee, "knee", name: "Knee", "Over how many decibels around the threshold the curve bends",
        range: 0...24, default: .decibels(Compressor.initial.knee))
    }
    /// How fast the reduction grows.
    public var attack: TypedParameter<Parameter, Duration> {
      .init(
        .attack, "attack", name: "Attack", "In what time 63 % of a growing reduction are done",
        range: 0.05...500, default: Duration(Compressor.initial.attack, in: .milliseconds),
        curve: .logarithmic)
    }
    /// How fast the reduction shrinks.
    public var release: TypedParameter<Parameter, Duration> {
      .init(
        .release, "release", name: "Release", "In what time 63 % of a shrinking reduction are done",
        range: 5...5000, default: Duration(Compressor.initial.release, in: .milliseconds),
        curve: .logarithmic)
    }
    /// The level behind the compression.
    public var makeUp: TypedParameter<Parameter, Level> {
      .init(
        .makeUp, "make-up", name: "Make-up", "The level behind it", range: -24...36,
        default: .decibels(Compressor.initial.makeUp))
    }
    /// What counts as the level of the sound.
    public var detector: TypedParameter<Parameter, Detector> {
      .init(
        .detector, "detector", name: "Detector", "What counts as level: crests, or the mean of 10 ms",
        default: .peak)
    }
    /// Whether the level is that of the side-chain bus.
    public var sidechain: TypedParameter<Parameter, Bool> {
      .init(
        .sidechain, "sidechain", name: "Side-chain", "Whether the level is that of the side-chain bus",
        default: false)
    }
    /// The share of compressed sound in the output.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "How much of what comes out is compressed", range: 0...100,
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

  /// What counts as the level of the sound.
  public enum Detector: Int, ParameterChoice {
    /// The crests of the wave.
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
