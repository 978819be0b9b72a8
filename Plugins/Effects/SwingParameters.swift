// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The parameters that effects with an ``LFO`` share: each says in its own words what swings.
extension ParameterDescription {
  /// How often it swings.
  static func rate(_ meaning: StaticString, initial: Float) -> ParameterDescription {
    ParameterDescription(
      "rate", name: "Rate", meaning, unit: .hertz, range: 0.01...10, initial: initial, curve: .logarithmic)
  }

  /// How much of what it makes goes in again.
  static func feedback(_ meaning: StaticString, initial: Float) -> ParameterDescription {
    ParameterDescription(
      "feedback", name: "Feedback", meaning, unit: .percent, range: -95...95, initial: initial)
  }

  /// How far the channels' swings lie apart.
  static func stereoPhase(initial: Float) -> ParameterDescription {
    ParameterDescription(
      "stereo-phase", name: "Stereo phase", "How far each channel swings ahead of the one before",
      unit: .degrees, range: 0...180, initial: initial, glide: 0.1)
  }

  /// How it swings.
  static func shape(_ meaning: StaticString) -> ParameterDescription {
    ParameterDescription(
      "shape", name: "Shape", meaning, range: 0...1, initial: 0, curve: .choice, choices: LFO.shapes,
      glide: 0.1)
  }

  /// How far a delay swings, in milliseconds.
  static func swing(upTo deepest: Double, initial: Float) -> ParameterDescription {
    ParameterDescription(
      "depth", name: "Depth", "How far the delay swings from shortest to longest", unit: .milliseconds,
      range: 0...Float(deepest), initial: initial, glide: 0.1)
  }

  /// How much of what comes out is a copy that makes notches beside the sound.
  static func notchMix(initial: Float) -> ParameterDescription {
    ParameterDescription(
      "mix", name: "Mix", "How much of what comes out is the copy; at 50 % notches are deepest",
      unit: .percent, range: 0...100, initial: initial)
  }
}
