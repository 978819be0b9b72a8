// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Gate {
  public static var description: UnitDescription {
    UnitDescription(
      "gate", name: "Gate", "Shuts out what is soft, or pushes it back", uri: "urn:swiftlet:gate",
      lv2Class: "GatePlugin", inputs: [UnitBus("in"), UnitBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...96)], presets: presets)
  }

  /// The values nobody has to say.
  static var initial:
    (
      threshold: Float, hysteresis: Float, ratio: Float, range: Float, attack: Float, hold: Float,
      release: Float
    )
  { (-45, 4, 10, 60, 0.5, 30, 150) }

  /// Starting points; the threshold is for sound that peaks near −6 dBFS.
  private static var presets: [UnitPreset] {
    [
      preset("voice", -42, hysteresis: 6, ratio: 2, range: 20, attack: 1, hold: 80, release: 200),
      preset("drums", -30, hysteresis: 6, ratio: 20, range: 60, attack: 0.1, hold: 40, release: 80),
      preset("guitar", -50, hysteresis: 6, ratio: 10, range: 60, attack: 0.5, hold: 50, release: 250),
      preset("expander", -30, hysteresis: 0, ratio: 1.5, range: 30, attack: 5, hold: 0, release: 150),
      preset("hard", -40, hysteresis: 3, ratio: 50, range: 96, attack: 0.1, hold: 20, release: 20),
    ]
  }

  private static func preset(
    _ name: StaticString, _ threshold: Float, hysteresis: Float, ratio: Float, range: Float, attack: Float,
    hold: Float, release: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.hysteresis.rawValue, hysteresis),
        (Parameter.ratio.rawValue, ratio), (Parameter.range.rawValue, range),
        (Parameter.attack.rawValue, attack), (Parameter.hold.rawValue, hold),
        (Parameter.release.rawValue, release),
      ])
  }
}

extension Gate.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Gate.initial
    return [
      ParameterDescription(
        "threshold", name: "Threshold", "It opens at this level", unit: .decibels, range: -90...0,
        initial: initial.threshold),
      ParameterDescription(
        "hysteresis", name: "Hysteresis", "How far below the threshold it closes", unit: .decibels,
        range: 0...24, initial: initial.hysteresis),
      ParameterDescription(
        "ratio", name: "Ratio", "How many decibels each one below the threshold becomes", range: 1...50,
        initial: initial.ratio, curve: .logarithmic),
      ParameterDescription(
        "range", name: "Range", "How much it takes away at the most", unit: .decibels, range: 0...96,
        initial: initial.range),
      ParameterDescription(
        "attack", name: "Attack", "In what time 63 % of the way open are done", unit: .milliseconds,
        range: 0.05...500, initial: initial.attack, curve: .logarithmic),
      ParameterDescription(
        "hold", name: "Hold", "How long the level has to stay low before it closes", unit: .milliseconds,
        range: 0...2000, initial: initial.hold),
      ParameterDescription(
        "release", name: "Release", "In what time 63 % of the way closed are done", unit: .milliseconds,
        range: 5...5000, initial: initial.release, curve: .logarithmic),
      .toggle("sidechain", name: "Side-chain", "Whether the level is that of the side-chain bus"),
    ]
  }
}
