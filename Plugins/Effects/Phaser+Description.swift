// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Phaser {
  public static var description: UnitDescription {
    UnitDescription(
      "phaser", name: "Phaser", "Mixes sound with a copy whose phase swings", uri: "urn:swiftlet:phaser",
      lv2Class: "PhaserPlugin", worksInPlace: true,
      presets: [
        preset("four-stages", stages: 4, rate: 0.5, centre: 700, depth: 3, feedback: 0),
        preset("deep", stages: 8, rate: 0.15, centre: 600, depth: 4.5, feedback: 55),
        preset("swirl", stages: 6, rate: 2.5, centre: 1200, depth: 2, feedback: 40),
        preset("vowels", stages: 10, rate: 0.3, centre: 900, depth: 2, feedback: -70),
      ])
  }

  /// The values nobody has to say.
  static var initial:
    (
      stages: Float, rate: Float, centre: Float, depth: Float, feedback: Float, stereoPhase: Float, mix: Float
    )
  { (6, 0.4, 800, 3, 30, 90, 50) }

  private static func preset(
    _ name: StaticString, stages: Float, rate: Float, centre: Float, depth: Float, feedback: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.stages.rawValue, stages), (Parameter.rate.rawValue, rate),
        (Parameter.centre.rawValue, centre), (Parameter.depth.rawValue, depth),
        (Parameter.feedback.rawValue, feedback), (Parameter.stereoPhase.rawValue, initial.stereoPhase),
        (Parameter.shape.rawValue, 0), (Parameter.mix.rawValue, initial.mix),
      ])
  }
}

extension Phaser.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Phaser.initial
    return [
      ParameterDescription(
        "stages", name: "Stages", "How many all-pass filters; each two make a notch", range: 2...12,
        initial: initial.stages, curve: .integer, glide: 0.05),
      .rate("How often the centre swings", initial: initial.rate),
      ParameterDescription(
        "centre", name: "Centre", "Where the filters stand in the middle of the swing", unit: .hertz,
        range: 50...10_000, initial: initial.centre, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "depth", name: "Depth", "How far the centre swings from lowest to highest", unit: .octaves,
        range: 0...6, initial: initial.depth, glide: 0.1),
      .feedback("How much of the copy goes in again; negative turns it over", initial: initial.feedback),
      .stereoPhase(initial: initial.stereoPhase),
      .shape("How the centre swings"),
      .notchMix(initial: initial.mix),
    ]
  }
}
