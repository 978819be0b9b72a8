// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Compressor {
  public static var description: UnitDescription {
    UnitDescription(
      "compressor", name: "Compressor", "Makes loud passages softer, so that all of it can be louder",
      uri: "urn:swiftlet:compressor", lv2Class: "CompressorPlugin",
      inputs: [UnitBus("in"), UnitBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)], presets: presets)
  }

  /// The values nobody has to say.
  static var initial:
    (
      threshold: Float, ratio: Float, knee: Float, attack: Float, release: Float, makeUp: Float, mix: Float
    )
  { (-20, 4, 6, 10, 120, 0, 100) }

  /// Starting points; the threshold is for sound that peaks near −6 dBFS.
  private static var presets: [UnitPreset] {
    [
      preset("voice", -24, ratio: 3, knee: 8, attack: 8, release: 150, makeUp: 6),
      preset("leveller", -28, ratio: 2, knee: 12, attack: 60, release: 800, makeUp: 6, detector: 1),
      preset("drums", -18, ratio: 4, knee: 3, attack: 20, release: 90, makeUp: 4),
      preset("parallel", -36, ratio: 10, knee: 4, attack: 1, release: 80, makeUp: 14, mix: 40),
      preset("bass", -22, ratio: 5, knee: 6, attack: 15, release: 200, makeUp: 5),
      preset("bus", -16, ratio: 2, knee: 8, attack: 30, release: 250, makeUp: 2, detector: 1),
    ]
  }

  private static func preset(
    _ name: StaticString, _ threshold: Float, ratio: Float, knee: Float, attack: Float, release: Float,
    makeUp: Float, detector: Float = 0, mix: Float = 100
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.ratio.rawValue, ratio),
        (Parameter.knee.rawValue, knee), (Parameter.attack.rawValue, attack),
        (Parameter.release.rawValue, release), (Parameter.makeUp.rawValue, makeUp),
        (Parameter.detector.rawValue, detector), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Compressor.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Compressor.initial
    return [
      ParameterDescription(
        "threshold", name: "Threshold", "Sound above this level is made softer", unit: .decibels,
        range: -60...0, initial: initial.threshold),
      ParameterDescription(
        "ratio", name: "Ratio", "How many decibels above the threshold become one", range: 1...50,
        initial: initial.ratio, curve: .logarithmic),
      ParameterDescription(
        "knee", name: "Knee", "Over how many decibels around the threshold the curve bends", unit: .decibels,
        range: 0...24, initial: initial.knee),
      ParameterDescription(
        "attack", name: "Attack", "In what time 63 % of a growing reduction are done", unit: .milliseconds,
        range: 0.05...500, initial: initial.attack, curve: .logarithmic),
      ParameterDescription(
        "release", name: "Release", "In what time 63 % of a shrinking reduction are done",
        unit: .milliseconds, range: 5...5000, initial: initial.release, curve: .logarithmic),
      ParameterDescription(
        "make-up", name: "Make-up", "The level behind it", unit: .decibels, range: -24...36,
        initial: initial.makeUp),
      .choice(
        "detector", name: "Detector", "What counts as level: crests, or the mean of 10 ms",
        of: ["peak", "rms"]),
      .toggle("sidechain", name: "Side-chain", "Whether the level is that of the side-chain bus"),
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is compressed", unit: .percent, range: 0...100,
        initial: initial.mix),
    ]
  }
}
