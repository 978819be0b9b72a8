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
      ParameterDescription(
        "rate", name: "Rate", "How often the centre swings", unit: .hertz, range: 0.01...10,
        initial: initial.rate, curve: .logarithmic),
      ParameterDescription(
        "centre", name: "Centre", "Where the filters stand in the middle of the swing", unit: .hertz,
        range: 50...10_000, initial: initial.centre, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "depth", name: "Depth", "How far the centre swings from lowest to highest", unit: .octaves,
        range: 0...6, initial: initial.depth, glide: 0.1),
      ParameterDescription(
        "feedback", name: "Feedback", "How much of the copy goes in again; negative turns it over",
        unit: .percent, range: -95...95, initial: initial.feedback),
      ParameterDescription(
        "stereo-phase", name: "Stereo phase", "How far each channel swings ahead of the one before",
        unit: .degrees, range: 0...180, initial: initial.stereoPhase, glide: 0.1),
      ParameterDescription(
        "shape", name: "Shape", "How the centre swings", range: 0...1, initial: 0, curve: .choice,
        choices: LFO.shapes, glide: 0.1),
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is the copy; at 50 % notches are deepest",
        unit: .percent, range: 0...100, initial: initial.mix),
    ]
  }
}
