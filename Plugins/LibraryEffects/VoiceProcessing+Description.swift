// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension VoiceProcessing {
  public static var description: EffectDescription {
    EffectDescription(
      "voice-processing", name: "Voice processing",
      "Removes echo and noise from a voice and levels it; the side-chain is the signal that the loudspeakers play",
      uri: "urn:swiftlet:voice-processing", lv2Class: "UtilityPlugin",
      inputs: [EffectBus("in"), EffectBus("sidechain", .channels(2))])
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// Whether the echo of the side-chain is removed from the voice.
    /// Default: true.
    public var echoCancellation: TypedParameter<Parameter, Bool> {
      .init(
        .echoCancellation, "echo-cancellation", name: "Echo cancellation",
        "Whether the echo of the side-chain is removed", default: true)
    }
    /// The gain of steady noise.
    /// Range: −30 dB to 0 dB. Default: −15 dB.
    public var noiseSuppression: TypedParameter<Parameter, Level> {
      .init(
        .noiseSuppression, "noise-suppression", name: "Noise suppression",
        "The gain of steady noise, in whole decibels; 0 is off", range: -30...0,
        default: .decibels(-15))
    }
    /// Whether gain control adjusts the voice to the target level.
    /// Default: true.
    public var gainControl: TypedParameter<Parameter, Bool> {
      .init(
        .gainControl, "gain-control", name: "Gain control",
        "Whether gain control adjusts the voice to the target level", default: true)
    }
    /// The target level of speech for gain control.
    /// Range: −40 dB to −18 dB. Default: −26 dB.
    public var target: TypedParameter<Parameter, Level> {
      .init(
        .target, "target", name: "Target", "The target level of speech for gain control, RMS in dBFS",
        range: -40 ... -18, default: .decibels(-26))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .echoCancellation: echoCancellation.description
      case .noiseSuppression: noiseSuppression.description
      case .gainControl: gainControl.description
      case .target: target.description
      }
    }
  }
}
