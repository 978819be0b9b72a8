// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Gate {
  public static var description: EffectDescription {
    EffectDescription(
      "gate", name: "Gate", "Attenuates soft passages, such as noise", uri: "urn:swiftlet:gate",
      lv2Class: "GatePlugin", inputs: [EffectBus("in"), EffectBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...96)])
  }

  /// The default values.
  static var initial:
    (
      threshold: Float, hysteresis: Float, ratio: Float, range: Float, attack: Float, hold: Float,
      release: Float
    )
  { (-45, 4, 10, 60, 0.5, 30, 150) }

  private static func preset(
    _ name: StaticString, _ threshold: Float, hysteresis: Float, ratio: Float, range: Float, attack: Float,
    hold: Float, release: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.hysteresis.rawValue, hysteresis),
        (Parameter.ratio.rawValue, ratio), (Parameter.range.rawValue, range),
        (Parameter.attack.rawValue, attack), (Parameter.hold.rawValue, hold),
        (Parameter.release.rawValue, release),
      ])
  }
}

extension Gate {
  /// The presets. The thresholds are meant for signals that peak near −6 dBFS.
  public enum Preset: PresetList {
    /// Attenuates pauses between phrases by up to 20 dB, gently.
    case voice
    /// Closes soon after each hit: 40 ms hold, 80 ms release.
    case drums
    /// Removes the hum of a guitar amplifier between notes.
    case guitar
    /// A gentle expander of 1.5 : 1.
    case expander
    /// Opens with an attack of 0.1 ms and closes with a hold and a release of 20 ms.
    case hard

    public func describe() -> EffectPreset {
      switch self {
      case .voice:
        preset("voice", -42, hysteresis: 6, ratio: 2, range: 20, attack: 1, hold: 80, release: 200)
      case .drums:
        preset("drums", -30, hysteresis: 6, ratio: 20, range: 60, attack: 0.1, hold: 40, release: 80)
      case .guitar:
        preset("guitar", -50, hysteresis: 6, ratio: 10, range: 60, attack: 0.5, hold: 50, release: 250)
      case .expander:
        preset("expander", -30, hysteresis: 0, ratio: 1.5, range: 30, attack: 5, hold: 0, release: 150)
      case .hard:
        preset("hard", -40, hysteresis: 3, ratio: 50, range: 96, attack: 0.1, hold: 20, release: 20)
      }
    }
  }
}

extension Gate {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The level at which the gate opens.
    /// Range: −90 dB to 0 dB. Default: −45 dB.
    public var threshold: TypedParameter<Parameter, Level> {
      .init(
        .threshold, "threshold", name: "Threshold",
        "The level at which the gate opens; after a step it opens or closes with its own times",
        range: -90...0, default: .decibels(Gate.initial.threshold))
    }
    /// The distance from the threshold down to the level at which the gate closes.
    /// Range: 0 dB to 24 dB. Default: 4 dB.
    public var hysteresis: TypedParameter<Parameter, Level> {
      .init(
        .hysteresis, "hysteresis", name: "Hysteresis",
        "The distance from the threshold down to the level at which the gate closes",
        range: 0...24, default: .decibels(Gate.initial.hysteresis))
    }
    /// The expansion ratio: the change of the output for each decibel of input below the threshold.
    /// Range: 1 to 50. Default: 10.
    public var ratio: TypedParameter<Parameter, Float> {
      .init(
        .ratio, "ratio", name: "Ratio",
        "The decibels of output for each decibel of input below the threshold",
        range: 1...50, default: Gate.initial.ratio, curve: .logarithmic)
    }
    /// The maximum attenuation.
    /// Range: 0 dB to 96 dB. Default: 60 dB.
    public var range: TypedParameter<Parameter, Level> {
      .init(
        .range, "range", name: "Range", "The maximum attenuation", range: 0...96,
        default: .decibels(Gate.initial.range))
    }
    /// The time constant with which the gate opens.
    /// Range: 0.05 ms to 500 ms. Default: 0.5 ms.
    public var attack: TypedParameter<Parameter, Duration> {
      .init(
        .attack, "attack", name: "Attack", "The time in which opening is 63 % complete", range: 0.05...500,
        default: Duration(Gate.initial.attack, in: .milliseconds), curve: .logarithmic)
    }
    /// The time for which the level must stay low before the gate closes.
    /// Range: 0 ms to 2000 ms. Default: 30 ms.
    public var hold: TypedParameter<Parameter, Duration> {
      .init(
        .hold, "hold", name: "Hold", "The time for which the level must stay low before the gate closes",
        range: 0...2000,
        default: Duration(Gate.initial.hold, in: .milliseconds))
    }
    /// The time constant with which the gate closes.
    /// Range: 5 ms to 5000 ms. Default: 150 ms.
    public var release: TypedParameter<Parameter, Duration> {
      .init(
        .release, "release", name: "Release", "The time in which closing is 63 % complete",
        range: 5...5000, default: Duration(Gate.initial.release, in: .milliseconds), curve: .logarithmic)
    }
    /// Whether the level is taken from the side-chain bus.
    /// Default: false.
    public var sidechain: TypedParameter<Parameter, Bool> {
      .init(
        .sidechain, "sidechain", name: "Side-chain",
        "Whether the level is taken from the side-chain bus; the gate follows a change with its attack and release",
        default: false)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .threshold: threshold.description
      case .hysteresis: hysteresis.description
      case .ratio: ratio.description
      case .range: range.description
      case .attack: attack.description
      case .hold: hold.description
      case .release: release.description
      case .sidechain: sidechain.description
      }
    }
  }
}
