// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Reverb {
  public static var description: UnitDescription {
    UnitDescription(
      "reverb", name: "Reverb", "Puts sound into a room, from a booth to a cathedral",
      uri: "urn:swiftlet:reverb", lv2Class: "ReverbPlugin", outputs: [UnitBus("out", .atLeast(2))],
      worksInPlace: true, presets: presets)
  }

  /// The longest pre-delay, in milliseconds.
  static var longestPreDelay: Float { 250 }
  /// The largest room, in metres from wall to wall.
  static var largest: Float { 40 }
  /// How far a line's length may swing, in milliseconds.
  static var deepest: Float { 1 }
  /// The frequency from which the high cut takes nothing away, in hertz.
  static var openHighCut: Float { @_noLocks @_noAllocation get { 20000 } }
  /// The longest crossfade from one size or pre-delay to another, in seconds.
  static var longestFade: Double { 0.1 }
  /// How much is reverb where nobody says, in percent.
  static var initialMix: Float { 30 }
  /// The values nobody has to say: those of the preset `medium-hall`.
  static var initial: Room { mediumHall }
}

extension Reverb.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Reverb.initial
    return [
      ParameterDescription(
        "mix", name: "Mix", "How much of what comes out is reverb; at 100 % all of it", unit: .percent,
        range: 0...100, initial: Reverb.initialMix),
      ParameterDescription(
        "pre-delay", name: "Pre-delay", "Until the first reflection leaves", unit: .milliseconds,
        range: 0...Reverb.longestPreDelay, initial: initial.preDelay, glide: 0.05),
      ParameterDescription(
        "size", name: "Size", "How far sound goes from wall to wall on average", unit: .metres,
        range: 2...Reverb.largest, initial: initial.size, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "decay-low", name: "Low decay", "Until low frequencies lie 60 dB down", unit: .seconds,
        range: 0.1...30, initial: initial.low, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "decay-high", name: "High decay", "Until high frequencies lie 60 dB down", unit: .seconds,
        range: 0.1...30, initial: initial.high, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "crossover", name: "Crossover", "Where the rate of decay lies half-way between low and high",
        unit: .hertz, range: 100...10000, initial: initial.crossover, curve: .logarithmic, glide: 0.1),
      ParameterDescription(
        "diffusion", name: "Diffusion", "How soon echoes melt into each other", unit: .percent,
        range: 0...100, initial: initial.diffusion),
      ParameterDescription(
        "balance", name: "Early/late balance",
        "How much of the reverb is tail; the rest is early reflections",
        unit: .percent, range: 0...100, initial: initial.late),
      ParameterDescription(
        "modulation-rate", name: "Modulation rate", "How often the room's echoes swing", unit: .hertz,
        range: 0.05...2, initial: initial.rate, curve: .logarithmic),
      ParameterDescription(
        "modulation-depth", name: "Modulation depth", "How far they swing to each side; 0 keeps them still",
        unit: .milliseconds, range: 0...Reverb.deepest, initial: initial.depth, glide: 0.1),
      ParameterDescription(
        "width", name: "Width", "How far apart left and right are; 0 is mono", unit: .percent,
        range: 0...100, initial: initial.width),
      ParameterDescription(
        "low-cut", name: "Low cut", "What lies below is not echoed, 6 dB an octave", unit: .hertz,
        range: 10...2000, initial: initial.lowCut, curve: .logarithmic),
      ParameterDescription(
        "high-cut", name: "High cut", "What lies above is not echoed; at 20 kHz all is", unit: .hertz,
        range: 200...Reverb.openHighCut, initial: initial.highCut, curve: .logarithmic),
    ]
  }
}
