// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Chorus {
  public static var description: EffectDescription {
    EffectDescription(
      "chorus", name: "Chorus", "A chorus: makes one voice sound like several", uri: "urn:swiftlet:chorus",
      lv2Class: "ChorusPlugin", worksInPlace: true)
  }

  /// The maximum delay and the maximum depth, in milliseconds.
  static var longestDelay: Double { 50 }
  static var deepest: Double { 20 }
  /// The default values.
  static var initial:
    (voices: Float, rate: Float, depth: Float, delay: Float, feedback: Float, spread: Float, mix: Float)
  { (2, 0.8, 3, 8, 0, 100, 50) }

  private static func preset(
    _ name: StaticString, voices: Float, rate: Float, depth: Float, delay: Float, feedback: Float,
    shape: Float, mix: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.voices.rawValue, voices), (Parameter.rate.rawValue, rate),
        (Parameter.depth.rawValue, depth), (Parameter.delay.rawValue, delay),
        (Parameter.feedback.rawValue, feedback), (Parameter.spread.rawValue, initial.spread),
        (Parameter.shape.rawValue, shape), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Chorus {
  /// The presets.
  public enum Preset: PresetList {
    /// Four slow voices, as in a string ensemble.
    case ensemble
    /// Two fast, shallow voices with a little feedback.
    case shimmer
    /// One voice; its delay is modulated by a triangle of 0.5 Hz.
    case slow
    /// One voice delayed by 24 ms, as if performed twice.
    case doubling
    /// The voice alone, without the dry signal: a vibrato of 5.5 Hz.
    case vibrato

    public func describe() -> EffectPreset {
      switch self {
      case .ensemble:
        preset("ensemble", voices: 4, rate: 0.6, depth: 4, delay: 12, feedback: 0, shape: 0, mix: 50)
      case .shimmer:
        preset("shimmer", voices: 2, rate: 2.4, depth: 0.8, delay: 6, feedback: 15, shape: 0, mix: 45)
      case .slow:
        preset("slow", voices: 1, rate: 0.5, depth: 3.7, delay: 1.7, feedback: 0, shape: 1, mix: 50)
      case .doubling:
        preset("doubling", voices: 1, rate: 0.3, depth: 2, delay: 24, feedback: 0, shape: 0, mix: 40)
      case .vibrato:
        preset("vibrato", voices: 1, rate: 5.5, depth: 0.6, delay: 2, feedback: 0, shape: 0, mix: 100)
      }
    }
  }
}

extension Chorus {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The number of voices.
    /// Range: 1 to 4. Default: 2.
    public var voices: TypedParameter<Parameter, Int> {
      .init(
        .voices, "voices", name: "Voices", "The number of voices", range: 1...4,
        default: Int(Chorus.initial.voices), curve: .integer, glide: 0.05)
    }
    /// The modulation rate of the voices.
    /// Range: 0.01 Hz to 10 Hz. Default: 0.8 Hz.
    public var rate: TypedParameter<Parameter, Frequency> {
      .rate(.rate, "The modulation rate", default: .hertz(Chorus.initial.rate))
    }
    /// The modulation depth of the delay.
    /// Range: 0 ms to 20 ms. Default: 3 ms.
    public var depth: TypedParameter<Parameter, Duration> {
      .swing(.depth, upTo: Chorus.deepest, default: Duration(Chorus.initial.depth, in: .milliseconds))
    }
    /// The minimum delay of the voices.
    /// Range: 1 ms to 50 ms. Default: 8 ms.
    public var delay: TypedParameter<Parameter, Duration> {
      .init(
        .delay, "delay", name: "Delay", "The minimum delay", range: 1...Float(Chorus.longestDelay),
        default: Duration(Chorus.initial.delay, in: .milliseconds), curve: .logarithmic, glide: 0.1)
    }
    /// The proportion of the voices that is fed back.
    /// Range: −95 % to 95 %. Default: 0 %.
    public var feedback: TypedParameter<Parameter, Percentage> {
      .feedback(
        .feedback, "The proportion of the voices that is fed back; negative values invert it",
        default: .percent(Chorus.initial.feedback))
    }
    /// The difference in modulation phase between the channels.
    /// Range: 0 % to 100 %. Default: 100 %.
    public var spread: TypedParameter<Parameter, Percentage> {
      .init(
        .spread, "spread", name: "Spread",
        "The difference in modulation phase between the channels; at 0 % all have the same phase",
        range: 0...100,
        default: .percent(Chorus.initial.spread), glide: 0.1)
    }
    /// The waveform of the modulation.
    /// Values: sine, triangle. Default: sine.
    public var shape: TypedParameter<Parameter, LFOWaveform> {
      .shape(.shape, "The waveform of the modulation; with a triangle each voice has a constant detuning")
    }
    /// The proportion of voices in the output.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "The proportion of voices in the output", range: 0...100,
        default: .percent(Chorus.initial.mix))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .voices: voices.description
      case .rate: rate.description
      case .depth: depth.description
      case .delay: delay.description
      case .feedback: feedback.description
      case .spread: spread.description
      case .shape: shape.description
      case .mix: mix.description
      }
    }
  }
}
