// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Phaser {
  public static var description: EffectDescription {
    EffectDescription(
      "phaser", name: "Phaser", "Mixes the signal with a copy whose phase is modulated",
      uri: "urn:swiftlet:phaser",
      lv2Class: "PhaserPlugin", worksInPlace: true)
  }

  /// The default values.
  static var initial:
    (
      stages: Float, rate: Float, centre: Float, depth: Float, feedback: Float, stereoPhase: Float, mix: Float
    )
  { (6, 0.4, 800, 3, 30, 90, 50) }

  private static func preset(
    _ name: StaticString, stages: Float, rate: Float, centre: Float, depth: Float, feedback: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.stages.rawValue, stages), (Parameter.rate.rawValue, rate),
        (Parameter.centre.rawValue, centre), (Parameter.depth.rawValue, depth),
        (Parameter.feedback.rawValue, feedback), (Parameter.stereoPhase.rawValue, initial.stereoPhase),
        (Parameter.shape.rawValue, 0), (Parameter.mix.rawValue, initial.mix),
      ])
  }
}

extension Phaser {
  /// The presets.
  public enum Preset: PresetList {
    /// Four filters without feedback.
    case fourStages
    /// Eight filters, slow modulation, with feedback.
    case deep
    /// Six filters, modulated at 2.5 Hz.
    case swirl
    /// Ten filters with negative feedback, which sounds like vowels.
    case vowels

    public func describe() -> EffectPreset {
      switch self {
      case .fourStages:
        preset("four-stages", stages: 4, rate: 0.5, centre: 700, depth: 3, feedback: 0)
      case .deep:
        preset("deep", stages: 8, rate: 0.15, centre: 600, depth: 4.5, feedback: 55)
      case .swirl:
        preset("swirl", stages: 6, rate: 2.5, centre: 1200, depth: 2, feedback: 40)
      case .vowels:
        preset("vowels", stages: 10, rate: 0.3, centre: 900, depth: 2, feedback: -70)
      }
    }
  }
}

extension Phaser {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The number of all-pass filters.
    /// Range: 2 to 12. Default: 6.
    public var stages: TypedParameter<Parameter, Int> {
      .init(
        .stages, "stages", name: "Stages", "The number of all-pass filters; each two make a notch",
        range: 2...12,
        default: Int(Phaser.initial.stages), curve: .integer, glide: 0.05)
    }
    /// The modulation rate.
    /// Range: 0.01 Hz to 10 Hz. Default: 0.4 Hz.
    public var rate: TypedParameter<Parameter, Frequency> {
      .rate(.rate, "The modulation rate", default: .hertz(Phaser.initial.rate))
    }
    /// The centre frequency of the modulation.
    /// Range: 50 Hz to 10000 Hz. Default: 800 Hz.
    public var centre: TypedParameter<Parameter, Frequency> {
      .init(
        .centre, "centre", name: "Centre", "The centre frequency of the modulation",
        range: 50...10_000, default: .hertz(Phaser.initial.centre), curve: .logarithmic, glide: 0.1)
    }
    /// The modulation depth: the interval between the lowest and highest frequency.
    /// Range: 0 oct to 6 oct. Default: 3 oct.
    public var depth: TypedParameter<Parameter, PitchInterval> {
      .init(
        .depth, "depth", name: "Depth",
        "The modulation depth: the interval between the lowest and highest frequency", unit: .octaves,
        range: 0...6, default: .octaves(Phaser.initial.depth), glide: 0.1)
    }
    /// The proportion of the copy that is fed back.
    /// Range: −95 % to 95 %. Default: 30 %.
    public var feedback: TypedParameter<Parameter, Percentage> {
      .feedback(
        .feedback, "The proportion of the copy that is fed back; negative values invert it",
        default: .percent(Phaser.initial.feedback))
    }
    /// The phase lead of each channel's modulation over the previous channel's.
    /// Range: 0 deg to 180 deg. Default: 90 deg.
    public var stereoPhase: TypedParameter<Parameter, Angle> {
      .stereoPhase(.stereoPhase, default: .degrees(Phaser.initial.stereoPhase))
    }
    /// The waveform of the modulation.
    /// Values: sine, triangle. Default: sine.
    public var shape: TypedParameter<Parameter, LFOWaveform> {
      .shape(.shape, "The waveform of the modulation")
    }
    /// The proportion of the copy in the output.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .notchMix(.mix, default: .percent(Phaser.initial.mix))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .stages: stages.description
      case .rate: rate.description
      case .centre: centre.description
      case .depth: depth.description
      case .feedback: feedback.description
      case .stereoPhase: stereoPhase.description
      case .shape: shape.description
      case .mix: mix.description
      }
    }
  }
}
