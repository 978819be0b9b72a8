// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Flanger {
  public static var description: EffectDescription {
    EffectDescription(
      "flanger", name: "Flanger", "Mixes the signal with a copy whose short delay is modulated",
      uri: "urn:swiftlet:flanger", lv2Class: "FlangerPlugin", worksInPlace: true)
  }

  /// The maximum delay and the maximum depth, in milliseconds.
  static var longestDelay: Double { 10 }
  static var deepest: Double { 10 }
  /// The default values.
  static var initial:
    (rate: Float, depth: Float, delay: Float, feedback: Float, stereoPhase: Float, mix: Float)
  { (0.3, 3, 0.5, 40, 90, 50) }

  private static func preset(
    _ name: StaticString, rate: Float, depth: Float, delay: Float, feedback: Float, shape: Float, mix: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.rate.rawValue, rate), (Parameter.depth.rawValue, depth),
        (Parameter.delay.rawValue, delay), (Parameter.feedback.rawValue, feedback),
        (Parameter.stereoPhase.rawValue, initial.stereoPhase), (Parameter.shape.rawValue, shape),
        (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Flanger {
  /// The presets.
  public enum Preset: PresetList {
    /// A slow sweep with little feedback.
    case gentle
    /// A slow, deep triangle sweep with strong feedback.
    case jet
    /// A slow sweep with negative feedback.
    case hollow
    /// A fast, shallow sweep.
    case wobble

    public func describe() -> EffectPreset {
      switch self {
      case .gentle:
        preset("gentle", rate: 0.2, depth: 2, delay: 0.8, feedback: 20, shape: 0, mix: 40)
      case .jet:
        preset("jet", rate: 0.08, depth: 6, delay: 0.3, feedback: 75, shape: 1, mix: 50)
      case .hollow:
        preset("hollow", rate: 0.25, depth: 3, delay: 0.5, feedback: -70, shape: 0, mix: 50)
      case .wobble:
        preset("wobble", rate: 3.5, depth: 1.2, delay: 0.6, feedback: 30, shape: 0, mix: 50)
      }
    }
  }
}

extension Flanger {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The modulation rate.
    /// Range: 0.01 Hz to 10 Hz. Default: 0.3 Hz.
    public var rate: TypedParameter<Parameter, Frequency> {
      .rate(.rate, "The modulation rate", default: .hertz(Flanger.initial.rate))
    }
    /// The modulation depth of the delay.
    /// Range: 0 ms to 10 ms. Default: 3 ms.
    public var depth: TypedParameter<Parameter, Duration> {
      .swing(.depth, upTo: Flanger.deepest, default: Duration(Flanger.initial.depth, in: .milliseconds))
    }
    /// The minimum delay of the copy.
    /// Range: 0.05 ms to 10 ms. Default: 0.5 ms.
    public var delay: TypedParameter<Parameter, Duration> {
      .init(
        .delay, "delay", name: "Delay", "The minimum delay; at least two frames",
        range: 0.05...Float(Flanger.longestDelay),
        default: Duration(Flanger.initial.delay, in: .milliseconds), curve: .logarithmic, glide: 0.1)
    }
    /// The proportion of the copy that is fed back.
    /// Range: −95 % to 95 %. Default: 40 %.
    public var feedback: TypedParameter<Parameter, Percentage> {
      .feedback(
        .feedback, "The proportion of the copy that is fed back; negative values invert it",
        default: .percent(Flanger.initial.feedback))
    }
    /// The phase lead of each channel's modulation over the previous channel's.
    /// Range: 0 deg to 180 deg. Default: 90 deg.
    public var stereoPhase: TypedParameter<Parameter, Angle> {
      .stereoPhase(.stereoPhase, default: .degrees(Flanger.initial.stereoPhase))
    }
    /// The waveform of the modulation.
    /// Values: sine, triangle. Default: sine.
    public var shape: TypedParameter<Parameter, LFOWaveform> {
      .shape(.shape, "The waveform of the modulation")
    }
    /// The proportion of the copy in the output.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .notchMix(.mix, default: .percent(Flanger.initial.mix))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .rate: rate.description
      case .depth: depth.description
      case .delay: delay.description
      case .feedback: feedback.description
      case .stereoPhase: stereoPhase.description
      case .shape: shape.description
      case .mix: mix.description
      }
    }
  }
}
