// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Delay {
  public static var description: UnitDescription {
    UnitDescription(
      "delay", name: "Delay", "Repeats sound after a time, darker with each repeat",
      uri: "urn:swiftlet:delay",
      lv2Class: "DelayPlugin", worksInPlace: true,
      presets: [
        preset("slapback", time: 110, feedback: 0, lowPass: 6000, mix: 30),
        preset("doubling", time: 28, feedback: 0, lowPass: 12000, mix: 40),
        preset("echo", time: 375, feedback: 35, lowPass: 6000, mix: 28),
        preset("tape", time: 460, feedback: 55, lowPass: 2800, mix: 32),
        preset("canyon", time: 900, feedback: 65, lowPass: 3500, mix: 35),
      ])
  }

  /// The longest time, in milliseconds.
  static var longestTime: Float { 5000 }
  /// The frequency from which the low-pass takes nothing away, in hertz.
  static var openLowPass: Float { @_noLocks @_noAllocation get { 20000 } }
  /// The longest crossfade from one time to another, in seconds.
  static var longestFade: Double { 0.05 }
  /// The values nobody has to say.
  static var initial: (time: Float, feedback: Float, lowPass: Float, mix: Float) { (500, 40, 15000, 30) }

  private static func preset(
    _ name: StaticString, time: Float, feedback: Float, lowPass: Float, mix: Float
  ) -> UnitPreset {
    UnitPreset(
      name,
      [
        (Parameter.time.rawValue, time), (Parameter.feedback.rawValue, feedback),
        (Parameter.lowPass.rawValue, lowPass), (Parameter.mix.rawValue, mix),
      ])
  }
}

extension Delay.Parameter {
  public static var plain: [ParameterDescription] {
    [
      ParameterDescription(
        "time", name: "Time", "Until the first repeat, to the nearest frame, at least one",
        unit: .milliseconds, range: 0...Delay.longestTime, initial: Delay.initial.time, glide: 0.05),
      ParameterDescription(
        "feedback", name: "Feedback", "How loud a repeat is against the one before; negative turns it over",
        unit: .percent, range: -100...100, initial: Delay.initial.feedback),
      ParameterDescription(
        "low-pass", name: "Low-pass", "Each repeat loses what lies above; at 20 kHz it loses nothing",
        unit: .hertz, range: 10...Delay.openLowPass, initial: Delay.initial.lowPass, curve: .logarithmic),
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is repeats; at 100 % all of it", unit: .percent,
        range: 0...100, initial: Delay.initial.mix),
    ]
  }
}
