// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension VoiceProcessing {
  public static var description: UnitDescription {
    UnitDescription(
      "voice-processing", name: "Voice processing",
      "Takes echo and noise out of a voice and levels it; the side-chain hears what loudspeakers play",
      uri: "urn:swiftlet:voice-processing", lv2Class: "UtilityPlugin",
      inputs: [UnitBus("in"), UnitBus("sidechain", .channels(2))])
  }
}

extension VoiceProcessing.Parameter {
  public static var plain: [ParameterDescription] {
    [
      .toggle(
        "echo-cancellation", name: "Echo cancellation",
        "Whether what the side-chain plays is taken out", initial: true),
      ParameterDescription(
        "noise-suppression", name: "Noise suppression",
        "How far steady noise is turned down, to the decibel; at 0 not at all", unit: .decibels,
        range: -30...0, initial: -15),
      .toggle(
        "gain-control", name: "Gain control", "Whether the voice is brought to the target level",
        initial: true),
      ParameterDescription(
        "target", name: "Target", "The level of speech that gain control aims at, RMS in dBFS",
        unit: .decibels, range: -40 ... -18, initial: -26),
    ]
  }
}
