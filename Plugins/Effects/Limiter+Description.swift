// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Limiter {
  public static var description: UnitDescription {
    UnitDescription(
      "limiter", name: "Limiter", "Keeps sound below a ceiling, its crests between samples too",
      uri: "urn:swiftlet:limiter", lv2Class: "LimiterPlugin", worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)],
      presets: [
        preset("safety", gain: 0, ceiling: -1, release: 200),
        preset("transparent", gain: 3, ceiling: -1, release: 400),
        preset("broadcast", gain: 6, ceiling: -2, release: 150),
        preset("loud", gain: 9, ceiling: -0.3, release: 60),
      ])
  }

  /// The values nobody has to say.
  static var initial: (gain: Float, ceiling: Float, release: Float) { (0, -1, 150) }

  private static func preset(
    _ name: StaticString, gain: Float, ceiling: Float, release: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.gain.rawValue, gain), (Parameter.ceiling.rawValue, ceiling),
        (Parameter.release.rawValue, release),
      ])
  }
}

extension Limiter.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Limiter.initial
    return [
      ParameterDescription(
        "gain", name: "Gain", "The level before it", unit: .decibels, range: -24...36, initial: initial.gain),
      ParameterDescription(
        "ceiling", name: "Ceiling", "The true peak that is never passed", unit: .decibels, range: -36...0,
        initial: initial.ceiling),
      ParameterDescription(
        "release", name: "Release", "In what time 63 % of a shrinking reduction are done",
        unit: .milliseconds, range: 10...2000, initial: initial.release, curve: .logarithmic),
    ]
  }
}
