// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Delay {
  public static var description: UnitDescription {
    UnitDescription(
      "delay", name: "Delay", "Repeats sound after a time, darker with each repeat",
      uri: "urn:swiftlet:delay",
      lv2Class: "DelayPlugin", minorVersion: 6, worksInPlace: true, presets: presets,
      followsTransport: true)
  }

  /// The longest time, in milliseconds.
  static var longestTime: Float { @_noLocks @_noAllocation get { 10_000 } }
  /// The frequencies from which on low-pass and high-pass take nothing away, in hertz.
  static var openLowPass: Float { @_noLocks @_noAllocation get { 20_000 } }
  static var openHighPass: Float { @_noLocks @_noAllocation get { 10 } }
  /// The longest crossfade from one time to another, in seconds.
  static var longestFade: Double { @_noLocks @_noAllocation get { 0.05 } }
  /// The values nobody has to say.
  static var initial: (time: Float, feedback: Float, lowPass: Float, mix: Float) { (500, 40, 15_000, 30) }
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
      choice(
        "sync", name: "Sync", "Which note of the studio's tempo the time is; while there is no tempo, as set",
        of: ["off"] + NoteLength.names, glide: 0.05),
      choice(
        "change", name: "Change",
        "How a new time comes about: by a crossfade, or as tape, with a bend of pitch",
        of: ["fade", "tape"], glide: 0),
      ParameterDescription(
        "high-pass", name: "High-pass", "Each repeat loses what lies below; at 10 Hz it loses nothing",
        unit: .hertz, range: Delay.openHighPass...10_000, initial: Delay.openHighPass, curve: .logarithmic),
      choice(
        "ping-pong", name: "Ping-pong", "In stereo: the side of the first repeat, from which they take turns",
        of: ["off", "left", "right"], glide: 0.05, isForStereo: true),
    ]
  }

  private static func choice(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, of choices: [StaticString],
    glide: Float, isForStereo: Bool = false
  ) -> ParameterDescription {
    ParameterDescription(
      symbol, name: name, meaning, range: 0...Float(choices.count - 1), initial: 0, curve: .choice,
      choices: choices, glide: glide, isForStereo: isForStereo)
  }
}
