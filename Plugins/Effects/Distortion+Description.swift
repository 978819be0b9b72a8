// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Distortion {
  public static var description: UnitDescription {
    UnitDescription(
      "distortion", name: "Distortion", "Bends, breaks and crushes sound",
      uri: "urn:swiftlet:distortion", lv2Class: "DistortionPlugin", worksInPlace: true, presets: presets)
  }

  /// The multiples of the rate that can be chosen.
  static var multiples: [StaticString] { ["1x", "2x", "4x", "8x"] }
  /// How many there are.
  static var multipleCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// The multiple where nobody says: 4.
  static var initialOversampling: Int { 2 }
  /// How much is distorted where nobody says, in percent.
  static var initialMix: Float { 50 }
}

extension Distortion.Parameter {
  public static var plain: [ParameterDescription] {
    let initial = Distortion.Recipe()
    return echoes(initial) + crushing(initial) + polynomial(initial) + ringing(initial) + [
      ParameterDescription(
        "gain", name: "Gain", "The level before the soft clip", unit: .decibels, range: -80...20,
        initial: initial.gain),
      percent(
        "mix", "Mix", "How much of what comes out is distorted; at 100 % all of it", Distortion.initialMix),
      ParameterDescription(
        "low-cut", name: "Low cut", "What lies below is taken from the distorted sound, 12 dB an octave",
        unit: .hertz, range: 10...2000, initial: initial.lowCut, curve: .logarithmic),
      ParameterDescription(
        "high-cut", name: "High cut", "What lies above is taken from it, 12 dB an octave; at 20 kHz nothing",
        unit: .hertz, range: 200...20000, initial: initial.highCut, curve: .logarithmic),
      ParameterDescription(
        "oversampling", name: "Oversampling",
        "At what multiple of the rate it works; the higher, the fewer frequencies fold over",
        range: 0...Float(Distortion.multipleCount - 1), initial: Float(Distortion.initialOversampling),
        curve: .choice, choices: Distortion.multiples),
    ]
  }

  private static func echoes(_ initial: Distortion.Recipe) -> [ParameterDescription] {
    [
      ParameterDescription(
        "delay", name: "Delay", "From one echo to the next, to the nearest frame", unit: .milliseconds,
        range: 0.1...DyingEcho.longest, initial: initial.delay, curve: .logarithmic, glide: 0.05),
      ParameterDescription(
        "decay", name: "Decay",
        "How fast echoes die: after t seconds they are e^(-decay t) of what they repeat",
        range: 0.1...50, initial: initial.decay, curve: .logarithmic),
      percent("delay-mix", "Delay mix", "How much of the sound is echoes", initial.delayMix),
    ]
  }

  private static func crushing(_ initial: Distortion.Recipe) -> [ParameterDescription] {
    [
      percent(
        "decimation", "Decimation", "For how long a sample is held: the square of this, at 100 % 1 ms",
        initial.decimation),
      percent(
        "rounding", "Rounding", "The steps that samples are rounded to: the fourth power of this, at 100 % 1",
        initial.rounding),
      percent(
        "decimation-mix", "Decimation mix", "How much of the sound is decimated and rounded",
        initial.decimationMix),
    ]
  }

  private static func polynomial(_ initial: Distortion.Recipe) -> [ParameterDescription] {
    [
      ParameterDescription(
        "linear-term", name: "Linear term", "What x is multiplied by in the polynomial", range: 0...1,
        initial: initial.linear),
      ParameterDescription(
        "squared-term", name: "Squared term", "What the square of x is multiplied by: even harmonics",
        range: 0...20, initial: initial.squared),
      ParameterDescription(
        "cubic-term", name: "Cubic term", "What the third power of x is multiplied by: odd harmonics",
        range: 0...20, initial: initial.cubic),
      percent(
        "polynomial-mix", "Polynomial mix", "How much of the sound is the polynomial", initial.polynomialMix),
    ]
  }

  private static func ringing(_ initial: Distortion.Recipe) -> [ParameterDescription] {
    [
      ParameterDescription(
        "ring-frequency-1", name: "Ring frequency 1", "The first sine of the ring modulation", unit: .hertz,
        range: 0.5...8000, initial: initial.ringFrequencies.0, curve: .logarithmic),
      ParameterDescription(
        "ring-frequency-2", name: "Ring frequency 2", "The second sine of the ring modulation", unit: .hertz,
        range: 0.5...8000, initial: initial.ringFrequencies.1, curve: .logarithmic),
      percent("ring-balance", "Ring balance", "How much of the two sines is the second", initial.ringBalance),
      percent("ring-mix", "Ring mix", "How much of the sound is multiplied by the sines", initial.ringMix),
    ]
  }

  private static func percent(
    _ symbol: StaticString, _ name: StaticString, _ meaning: StaticString, _ initial: Float
  ) -> ParameterDescription {
    ParameterDescription(symbol, name: name, meaning, unit: .percent, range: 0...100, initial: initial)
  }
}
