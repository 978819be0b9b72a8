// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Ducker {
  public static var description: UnitDescription {
    UnitDescription(
      "ducker", name: "Ducker", "Lowers sound for as long as the side-chain is loud",
      uri: "urn:swiftlet:ducker", lv2Class: "DynamicsPlugin",
      inputs: [UnitBus("in"), UnitBus("sidechain")], worksInPlace: true,
      meters: [MeterDescription("reduction", unit: .decibels, range: 0...60)],
      presets: [
        preset("voice-over", -36, depth: 14, attack: 40, hold: 400, release: 600, lookAhead: 20),
        preset("radio", -32, depth: 20, attack: 15, hold: 250, release: 350, lookAhead: 10),
        preset("gentle", -36, depth: 6, attack: 80, hold: 500, release: 1200, lookAhead: 20),
        preset("pump", -24, depth: 18, attack: 2, hold: 20, release: 160, lookAhead: 2),
      ])
  }

  /// The longest look-ahead, in milliseconds.
  static var longestLookAhead: Float { 50 }
  /// The values nobody has to say.
  static var initial:
    (threshold: Float, depth: Float, attack: Float, hold: Float, release: Float, lookAhead: Float)
  { (-36, 12, 30, 300, 500, 10) }

  private static func preset(
    _ name: StaticString, _ threshold: Float, depth: Float, attack: Float, hold: Float, release: Float,
    lookAhead: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.threshold.rawValue, threshold), (Parameter.depth.rawValue, depth),
        (Parameter.attack.rawValue, attack), (Parameter.hold.rawValue, hold),
        (Parameter.release.rawValue, release), (Parameter.lookAhead.rawValue, lookAhead),
      ])
  }
}

extension Ducker.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Ducker.initial
    return [
      ParameterDescription(
        "threshold", name: "Threshold", "Room is made while the side-chain is at least so loud",
        unit: .decibels, range: -80...0, initial: initial.threshold),
      ParameterDescription(
        "depth", name: "Depth", "By how much the sound is lowered", unit: .decibels, range: 0...60,
        initial: initial.depth),
      ParameterDescription(
        "attack", name: "Attack", "In what time 63 % of the way down are done", unit: .milliseconds,
        range: 0.1...1000, initial: initial.attack, curve: .logarithmic),
      ParameterDescription(
        "hold", name: "Hold", "How long the side-chain has to stay soft before the sound comes back",
        unit: .milliseconds, range: 0...5000, initial: initial.hold),
      ParameterDescription(
        "release", name: "Release", "In what time 63 % of the way up are done", unit: .milliseconds,
        range: 5...5000, initial: initial.release, curve: .logarithmic),
      ParameterDescription(
        "look-ahead", name: "Look-ahead", "By how much the sound is delayed, so that it is down in time",
        unit: .milliseconds, range: 0...Ducker.longestLookAhead, initial: initial.lookAhead, glide: 0.05),
    ]
  }
}
