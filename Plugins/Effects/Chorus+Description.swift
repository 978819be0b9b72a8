// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Chorus {
  public static var description: UnitDescription {
    UnitDescription(
      "chorus", name: "Chorus", "Makes one voice sound like several", uri: "urn:swiftlet:chorus",
      lv2Class: "ChorusPlugin", worksInPlace: true,
      presets: [
        preset("ensemble", voices: 4, rate: 0.6, depth: 4, delay: 12, feedback: 0, shape: 0, mix: 50),
        preset("shimmer", voices: 2, rate: 2.4, depth: 0.8, delay: 6, feedback: 15, shape: 0, mix: 45),
        preset("slow", voices: 1, rate: 0.5, depth: 3.7, delay: 1.7, feedback: 0, shape: 1, mix: 50),
        preset("doubling", voices: 1, rate: 0.3, depth: 2, delay: 24, feedback: 0, shape: 0, mix: 40),
        preset("vibrato", voices: 1, rate: 5.5, depth: 0.6, delay: 2, feedback: 0, shape: 0, mix: 100),
      ])
  }

  /// The largest delay and depth, in milliseconds.
  static var longestDelay: Double { 50 }
  static var deepest: Double { 20 }
  /// The values nobody has to say.
  static var initial:
    (voices: Float, rate: Float, depth: Float, delay: Float, feedback: Float, spread: Float, mix: Float)
  { (2, 0.8, 3, 8, 0, 100, 50) }

  private static func preset(
    _ name: StaticString, voices: Float, rate: Float, depth: Float, delay: Float, feedback: Float,
    shape: Float, mix: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.voices.rawValue, voices), (Parameter.rate.rawValue, rate),
        (Parameter.depth.rawValue, depth), (Parameter.delay.rawValue, delay),
        (Parameter.feedback.rawValue, feedback), (Parameter.spread.rawValue, initial.spread),
        (Parameter.shape.rawValue, shape), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Chorus.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Chorus.initial
    return [
      ParameterDescription(
        "voices", name: "Voices", "How many voices repeat the sound", range: 1...4, initial: initial.voices,
        curve: .integer, glide: 0.05),
      .rate("How often the voices swing", initial: initial.rate),
      .swing(upTo: Chorus.deepest, initial: initial.depth),
      ParameterDescription(
        "delay", name: "Delay", "The shortest delay", unit: .milliseconds,
        range: 1...Float(Chorus.longestDelay), initial: initial.delay, curve: .logarithmic, glide: 0.1),
      .feedback(
        "How much of the voices goes in again; negative turns it over", initial: initial.feedback),
      ParameterDescription(
        "spread", name: "Spread", "How far the swings of the channels lie apart; at 0 % they swing together",
        unit: .percent, range: 0...100, initial: initial.spread, glide: 0.1),
      .shape("How the delay swings; as a triangle each voice keeps its distance in pitch"),
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is voices; at 100 % all of it", unit: .percent,
        range: 0...100, initial: initial.mix),
    ]
  }
}
