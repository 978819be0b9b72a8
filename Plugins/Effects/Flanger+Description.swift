// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Flanger {
  public static var description: UnitDescription {
    UnitDescription(
      "flanger", name: "Flanger", "Mixes sound with a copy whose short delay swings",
      uri: "urn:swiftlet:flanger", lv2Class: "FlangerPlugin", worksInPlace: true,
      presets: [
        preset("gentle", rate: 0.2, depth: 2, delay: 0.8, feedback: 20, shape: 0, mix: 40),
        preset("jet", rate: 0.08, depth: 6, delay: 0.3, feedback: 75, shape: 1, mix: 50),
        preset("hollow", rate: 0.25, depth: 3, delay: 0.5, feedback: -70, shape: 0, mix: 50),
        preset("wobble", rate: 3.5, depth: 1.2, delay: 0.6, feedback: 30, shape: 0, mix: 50),
      ])
  }

  /// The largest delay and depth, in milliseconds.
  static var longestDelay: Double { 10 }
  static var deepest: Double { 10 }
  /// The values nobody has to say.
  static var initial:
    (rate: Float, depth: Float, delay: Float, feedback: Float, stereoPhase: Float, mix: Float)
  { (0.3, 3, 0.5, 40, 90, 50) }

  private static func preset(
    _ name: StaticString, rate: Float, depth: Float, delay: Float, feedback: Float, shape: Float, mix: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.rate.rawValue, rate), (Parameter.depth.rawValue, depth),
        (Parameter.delay.rawValue, delay), (Parameter.feedback.rawValue, feedback),
        (Parameter.stereoPhase.rawValue, initial.stereoPhase), (Parameter.shape.rawValue, shape),
        (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Flanger.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Flanger.initial
    return [
      .rate("How often the delay swings", initial: initial.rate),
      .swing(upTo: Flanger.deepest, initial: initial.depth),
      ParameterDescription(
        "delay", name: "Delay", "The shortest delay; at least two frames", unit: .milliseconds,
        range: 0.05...Float(Flanger.longestDelay), initial: initial.delay, curve: .logarithmic, glide: 0.1),
      .feedback("How much of the copy goes in again; negative turns it over", initial: initial.feedback),
      .stereoPhase(initial: initial.stereoPhase),
      .shape("How the delay swings"),
      .notchMix(initial: initial.mix),
    ]
  }
}
