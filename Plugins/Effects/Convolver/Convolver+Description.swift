// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Convolver {
  public static var description: EffectDescription {
    EffectDescription(
      "convolver", name: "Convolver",
      "Convolves the signal with the impulse response of a room or a cabinet from a file",
      uri: "urn:swiftlet:convolver", lv2Class: "ReverbPlugin", outputs: [EffectBus("out", .atLeast(2))],
      worksInPlace: true,
      files: [
        FileDescription(
          "response", name: "Impulse response",
          "Mono, a channel for each channel, or true stereo: L to L, L to R, R to L, R to R")
      ])
  }

  /// The maximum length of a response, in seconds.
  static var longestResponse: Int { 60 }
  /// The longest pre-delay, in milliseconds.
  static var longestPreDelay: Float { 500 }
  /// The cutoffs at which low cut and high cut are off, in hertz.
  static var openLowCut: Float { @_noLocks @_noAllocation get { 10 } }
  static var openHighCut: Float { @_noLocks @_noAllocation get { 20000 } }
  /// The maximum length of a crossfade from one pre-delay to another, in seconds.
  static var longestFade: Double { 0.1 }
  /// The default proportion of convolved signal, in percent.
  static var initialMix: Float { 30 }
}

extension Convolver {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The proportion of convolved signal in the output.
    /// Range: 0 % to 100 %. Default: 30 %.
    public var mix: TypedParameter<Parameter, Percentage> {
      .init(
        .mix, "mix", name: "Mix", "The proportion of convolved signal in the output",
        range: 0...100, default: .percent(Convolver.initialMix))
    }
    /// The gain of the response relative to its file.
    /// Range: −60 dB to 24 dB. Default: 0 dB.
    public var trim: TypedParameter<Parameter, Level> {
      .init(
        .trim, "trim", name: "Trim", "The gain of the response relative to its file", range: -60...24,
        default: .decibels(0))
    }
    /// The delay before the response.
    /// Range: 0 ms to 500 ms. Default: 0 ms.
    public var preDelay: TypedParameter<Parameter, Duration> {
      .init(
        .preDelay, "pre-delay", name: "Pre-delay", "The delay before the response",
        range: 0...Convolver.longestPreDelay, default: .zero, glide: 0.05)
    }
    /// The cutoff of the response's low cut.
    /// Range: 10 Hz to 2000 Hz. Default: 10 Hz.
    public var lowCut: TypedParameter<Parameter, Frequency> {
      .init(
        .lowCut, "low-cut", name: "Low cut",
        "The cutoff of the low cut, 6 dB an octave; at 10 Hz it is off",
        range: Convolver.openLowCut...2000, default: .hertz(Convolver.openLowCut), curve: .logarithmic)
    }
    /// The cutoff of the response's high cut.
    /// Range: 200 Hz to 20000 Hz. Default: 20000 Hz.
    public var highCut: TypedParameter<Parameter, Frequency> {
      .init(
        .highCut, "high-cut", name: "High cut",
        "The cutoff of the high cut, 6 dB an octave; at 20 kHz it is off",
        range: 200...Convolver.openHighCut, default: .hertz(Convolver.openHighCut), curve: .logarithmic)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .mix: mix.description
      case .trim: trim.description
      case .preDelay: preDelay.description
      case .lowCut: lowCut.description
      case .highCut: highCut.description
      }
    }
  }
}
