// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Convolver {
  public static var description: UnitDescription {
    UnitDescription(
      "convolver", name: "Convolver", "Gives sound the room or the cabinet that a file is the response of",
      uri: "urn:swiftlet:convolver", lv2Class: "ReverbPlugin", outputs: [UnitBus("out", .atLeast(2))],
      worksInPlace: true,
      files: [
        FileDescription(
          "response", name: "Impulse response",
          "Mono, a channel for each channel, or true stereo: L to L, L to R, R to L, R to R")
      ])
  }

  /// The longest response, in seconds.
  static var longestResponse: Int { 60 }
  /// The longest pre-delay, in milliseconds.
  static var longestPreDelay: Float { 500 }
  /// The frequencies at which the cuts take nothing away, in hertz.
  static var openLowCut: Float { @_noLocks @_noAllocation get { 10 } }
  static var openHighCut: Float { @_noLocks @_noAllocation get { 20000 } }
  /// The longest crossfade from one pre-delay to another, in seconds.
  static var longestFade: Double { 0.1 }
  /// How much is wet where nobody says, in percent.
  static var initialMix: Float { 30 }
}

extension Convolver.Parameter {
  public static var plain: [ParameterDescription] {
    [
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is the response; at 100 % all of it", unit: .percent,
        range: 0...100, initial: Convolver.initialMix),
      ParameterDescription(
        "trim", name: "Trim", "How much louder the response is than its file", unit: .decibels,
        range: -60...24, initial: 0),
      ParameterDescription(
        "pre-delay", name: "Pre-delay", "Until the response begins", unit: .milliseconds,
        range: 0...Convolver.longestPreDelay, initial: 0, glide: 0.05),
      ParameterDescription(
        "low-cut", name: "Low cut", "What lies below is left out, 6 dB an octave; at 10 Hz nothing is",
        unit: .hertz, range: Convolver.openLowCut...2000, initial: Convolver.openLowCut, curve: .logarithmic),
      ParameterDescription(
        "high-cut", name: "High cut", "What lies above is left out, 6 dB an octave; at 20 kHz nothing is",
        unit: .hertz, range: 200...Convolver.openHighCut, initial: Convolver.openHighCut, curve: .logarithmic),
    ]
  }
}
