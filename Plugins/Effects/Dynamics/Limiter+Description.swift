// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Limiter {
  public static var description: EffectDescription {
    EffectDescription(
      "limiter", name: "Limiter", "A true-peak limiter: keeps the signal below a ceiling",
      uri: "urn:swiftlet:limiter", lv2Class: "LimiterPlugin", worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)])
  }

  /// The default values.
  static var initial: (gain: Float, ceiling: Float, release: Float) { (0, -1, 150) }

  private static func preset(
    _ name: StaticString, gain: Float, ceiling: Float, release: Float
  ) -> EffectPreset {
    EffectPreset(
      name,
      [
        (Parameter.gain.rawValue, gain), (Parameter.ceiling.rawValue, ceiling),
        (Parameter.release.rawValue, release),
      ])
  }
}

extension Limiter {
  /// The presets.
  public enum Preset: PresetList {
    /// No gain; the ceiling is −1 dB.
    case safety
    /// 3 dB of gain with a slow release; the ceiling is −1 dB.
    case transparent
    /// 6 dB of gain; the ceiling is −2 dB.
    case broadcast
    /// 9 dB of gain with a fast release; the ceiling is −0.3 dB.
    case loud

    public func describe() -> EffectPreset {
      switch self {
      case .safety:
        preset("safety", gain: 0, ceiling: -1, release: 200)
      case .transparent:
        preset("transparent", gain: 3, ceiling: -1, release: 400)
      case .broadcast:
        preset("broadcast", gain: 6, ceiling: -2, release: 150)
      case .loud:
        preset("loud", gain: 9, ceiling: -0.3, release: 60)
      }
    }
  }
}

extension Limiter {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The gain before the limiter.
    /// Range: −24 dB to 36 dB. Default: 0 dB.
    public var gain: TypedParameter<Parameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain before the limiter", range: -24...36,
        default: .decibels(Limiter.initial.gain), glide: 0.05)
    }
    /// The maximum true peak of the output.
    /// Range: −36 dB to 0 dB. Default: −1 dB.
    public var ceiling: TypedParameter<Parameter, Level> {
      .init(
        .ceiling, "ceiling", name: "Ceiling", "The maximum true peak of the output", range: -36...0,
        default: .decibels(Limiter.initial.ceiling), glide: 0.05)
    }
    /// The time constant of the release.
    /// Range: 10 ms to 2000 ms. Default: 150 ms.
    public var release: TypedParameter<Parameter, Duration> {
      .init(
        .release, "release", name: "Release", "The time in which a shrinking gain reduction is 63 % complete",
        range: 10...2000, default: .milliseconds(Int(Limiter.initial.release)), curve: .logarithmic)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .gain: gain.description
      case .ceiling: ceiling.description
      case .release: release.description
      }
    }
  }
}
