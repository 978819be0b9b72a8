// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Ducker {
  public static var description: EffectDescription {
    EffectDescription(
      "ducker", name: "Ducker", "Lowers sound while the side-chain is above the threshold",
      uri: "urn:swiftlet:ducker", lv2Class: "DynamicsPlugin",
      inputs: [EffectBus("in"), EffectBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)])
  }

  /// The longest look-ahead, in milliseconds.
  static var longestLookAhead: Float { 50 }
  /// The default values.
  static var initial:
    (threshold: Float, depth: Float, attack: Float, hold: Float, release: Float, lookAhead: Float)
  { (-36, 12, 30, 300, 500, 10) }

  private static func preset(
    _ name: StaticString, _ threshold: Float, depth: Float, attack: Float, hold: Float, release: Float,
    lookAhead: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.depth.rawValue, depth),
        (Parameter.attack.rawValue, attack), (Parameter.hold.rawValue, hold),
        (Parameter.release.rawValue, release), (Parameter.lookAhead.rawValue, lookAhead),
      ])
  }
}

extension Ducker {
  /// The presets.
  public enum Preset: PresetList {
    /// Lowers music by 14 dB under speech.
    case voiceOver
    /// Lowers music by 20 dB, quickly.
    case radio
    /// Lowers music by 6 dB, slowly.
    case gentle
    /// Lowers the signal by 18 dB on each beat of the side-chain, with a release of 160 ms.
    case pump

    public func describe() -> EffectPreset {
      switch self {
      case .voiceOver:
        preset("voice-over", -36, depth: 14, attack: 40, hold: 400, release: 600, lookAhead: 20)
      case .radio:
        preset("radio", -32, depth: 20, attack: 15, hold: 250, release: 350, lookAhead: 10)
      case .gentle:
        preset("gentle", -36, depth: 6, attack: 80, hold: 500, release: 1200, lookAhead: 20)
      case .pump:
        preset("pump", -24, depth: 18, attack: 2, hold: 20, release: 160, lookAhead: 2)
      }
    }
  }
}

extension Ducker {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The level of the side-chain above which the signal is lowered.
    /// Range: −80 dB to 0 dB. Default: −36 dB.
    public var threshold: TypedParameter<Parameter, Level> {
      .init(
        .threshold, "threshold", name: "Threshold",
        "The level of the side-chain at and above which the signal is lowered", range: -80...0,
        default: .decibels(Ducker.initial.threshold))
    }
    /// The attenuation.
    /// Range: 0 dB to 60 dB. Default: 12 dB.
    public var depth: TypedParameter<Parameter, Level> {
      .init(
        .depth, "depth", name: "Depth", "The attenuation", range: 0...60,
        default: .decibels(Ducker.initial.depth))
    }
    /// The time constant with which the signal is lowered.
    /// Range: 0.1 ms to 1000 ms. Default: 30 ms.
    public var attack: TypedParameter<Parameter, Duration> {
      .init(
        .attack, "attack", name: "Attack", "The time in which the attenuation is 63 % complete",
        range: 0.1...1000,
        default: Duration(Ducker.initial.attack, in: .milliseconds), curve: .logarithmic)
    }
    /// The time for which the side-chain must stay below the threshold before the signal is restored.
    /// Range: 0 ms to 5000 ms. Default: 300 ms.
    public var hold: TypedParameter<Parameter, Duration> {
      .init(
        .hold, "hold", name: "Hold",
        "The time for which the side-chain must stay below the threshold before the signal is restored",
        range: 0...5000, default: Duration(Ducker.initial.hold, in: .milliseconds))
    }
    /// The time constant with which the signal is restored.
    /// Range: 5 ms to 5000 ms. Default: 500 ms.
    public var release: TypedParameter<Parameter, Duration> {
      .init(
        .release, "release", name: "Release", "The time in which the release is 63 % complete",
        range: 5...5000,
        default: Duration(Ducker.initial.release, in: .milliseconds), curve: .logarithmic)
    }
    /// The delay of the signal, so that it is lowered before the side-chain becomes loud.
    /// Range: 0 ms to 50 ms. Default: 10 ms.
    public var lookAhead: TypedParameter<Parameter, Duration> {
      .init(
        .lookAhead, "look-ahead", name: "Look-ahead",
        "The delay of the signal, so that it is lowered before the side-chain becomes loud",
        range: 0...Ducker.longestLookAhead,
        default: Duration(Ducker.initial.lookAhead, in: .milliseconds), glide: 0.05)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .threshold: threshold.description
      case .depth: depth.description
      case .attack: attack.description
      case .hold: hold.description
      case .release: release.description
      case .lookAhead: lookAhead.description
      }
    }
  }
}
