// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Multiband {
  public static var description: EffectDescription {
    EffectDescription(
      "multiband", name: "Multiband", "Compresses four frequency bands separately",
      uri: "urn:swiftlet:multiband", lv2Class: "CompressorPlugin", minorVersion: 4, worksInPlace: true,
      meters: [
        MeterDescription("low-reduction", unit: .decibels, range: 0...60),
        MeterDescription("low-mid-reduction", unit: .decibels, range: 0...60),
        MeterDescription("high-mid-reduction", unit: .decibels, range: 0...60),
        MeterDescription("high-reduction", unit: .decibels, range: 0...60),
      ])
  }

  /// The default values.
  static var initial:
    (
      low: Float, middle: Float, high: Float, knee: Float, threshold: Float, ratio: Float, attack: Float,
      release: Float
    )
  { (120, 700, 3000, 6, -24, 2, 15, 150) }

  /// Returns a band with the default values.
  static func band(_ sampleRate: Double) -> CompressorBand {
    CompressorBand(
      sampleRate, threshold: initial.threshold, ratio: initial.ratio, knee: initial.knee,
      attack: initial.attack, release: initial.release, gain: 0)
  }

  /// Returns a preset of three crossover frequencies and four bands: threshold, ratio, attack, release, gain.
  private static func preset(
    _ name: StaticString, _ crossovers: (Float, Float, Float),
    _ bands: [(threshold: Float, ratio: Float, attack: Float, release: Float, gain: Float)]
  ) -> EffectPreset {
    var values: [(parameter: Int, value: Float)] = [
      (Parameter.crossover(0).rawValue, crossovers.0), (Parameter.crossover(1).rawValue, crossovers.1),
      (Parameter.crossover(2).rawValue, crossovers.2),
    ]
    for (number, band) in bands.enumerated() {
      values.append((Parameter.band(number, .threshold).rawValue, band.threshold))
      values.append((Parameter.band(number, .ratio).rawValue, band.ratio))
      values.append((Parameter.band(number, .attack).rawValue, band.attack))
      values.append((Parameter.band(number, .release).rawValue, band.release))
      values.append((Parameter.band(number, .gain).rawValue, band.gain))
    }
    return EffectPreset(name, values)
  }
}

extension Multiband {
  /// The presets. The thresholds are meant for signals that peak near −6 dBFS.
  public enum Preset: PresetList {
    /// A mix: about 2 : 1 in every band.
    case glue
    /// A finished mix: mild ratios and a gain of 1 dB to 1.5 dB.
    case master
    /// A voice: up to 4 : 1, strongest above 5.5 kHz.
    case voice
    /// Compresses only the band above 5.5 kHz.
    case deEss
    /// Compresses only the bands below 500 Hz.
    case tightBass

    public func describe() -> EffectPreset {
      switch self {
      case .glue:
        preset(
          "glue", (120, 700, 3000),
          [(-22, 2, 40, 250, 0), (-22, 1.8, 30, 200, 0), (-24, 1.8, 20, 150, 0), (-28, 1.8, 10, 120, 0)])
      case .master:
        preset(
          "master", (100, 600, 5000),
          [(-20, 2, 50, 300, 1), (-22, 1.5, 40, 250, 1), (-24, 1.5, 25, 200, 1), (-30, 1.5, 12, 120, 1.5)])
      case .voice:
        preset(
          "voice", (160, 1000, 5500),
          [(-30, 3, 20, 200, 0), (-26, 2.5, 12, 150, 3), (-28, 2.5, 8, 120, 3), (-34, 4, 1, 60, 2)])
      case .deEss:
        preset(
          "de-ess", (160, 1000, 5500),
          [(0, 1, 20, 200, 0), (0, 1, 20, 200, 0), (0, 1, 20, 200, 0), (-36, 6, 0.5, 50, 0)])
      case .tightBass:
        preset(
          "tight-bass", (140, 500, 3000),
          [(-28, 5, 10, 180, 3), (-24, 2, 20, 150, 0), (0, 1, 20, 150, 0), (0, 1, 20, 150, 0)])
      }
    }
  }
}

extension Multiband {
  public static var bands: BandDescription? {
    BandDescription(
      "bands", singular: "band", count: bandCount...bandCount, defaultCount: bandCount,
      of: BandParameters.self)
  }

  /// The parameters that all bands share.
  public struct Parameters: ParameterList {
    /// The indices of the plain parameters.
    public enum Key: Int, CaseIterable, Sendable {
      /// The crossover frequency between the first and second band.
      case lowCrossover
      /// The crossover frequency between the second and third band.
      case middleCrossover
      /// The crossover frequency between the third and fourth band.
      case highCrossover
      /// The width of the knee of each band.
      case knee
      /// The gain after all bands.
      case gain
      /// The slope of the crossovers, in decibels an octave.
      case slope
    }

    /// Creates the list, which holds no state.
    public init() {}

    /// The crossover frequency between the first and second band.
    /// Range: 20 Hz to 1000 Hz. Default: 120 Hz.
    public var lowCrossover: TypedParameter<Key, Frequency> {
      .init(
        .lowCrossover, "low-crossover", name: "Low crossover",
        "The crossover frequency between the first and second band", range: 20...1000,
        default: .hertz(Multiband.initial.low), curve: .logarithmic, glide: 0.05)
    }
    /// The crossover frequency between the second and third band.
    /// Range: 100 Hz to 5000 Hz. Default: 700 Hz.
    public var middleCrossover: TypedParameter<Key, Frequency> {
      .init(
        .middleCrossover, "middle-crossover", name: "Middle crossover",
        "The crossover frequency between the second and third band", range: 100...5000,
        default: .hertz(Multiband.initial.middle), curve: .logarithmic, glide: 0.05)
    }
    /// The crossover frequency between the third and fourth band.
    /// Range: 1000 Hz to 20000 Hz. Default: 3000 Hz.
    public var highCrossover: TypedParameter<Key, Frequency> {
      .init(
        .highCrossover, "high-crossover", name: "High crossover",
        "The crossover frequency between the third and fourth band", range: 1000...20_000,
        default: .hertz(Multiband.initial.high), curve: .logarithmic, glide: 0.05)
    }
    /// The width of the knee of each band.
    /// Range: 0 dB to 24 dB. Default: 6 dB.
    public var knee: TypedParameter<Key, Level> {
      .init(
        .knee, "knee", name: "Knee", "The width of the knee of each band",
        range: 0...24, default: .decibels(Multiband.initial.knee))
    }
    /// The gain after all bands.
    /// Range: −24 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<Key, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain after all bands", range: -24...24, default: .decibels(0))
    }
    /// The slope of the crossovers, in decibels an octave.
    ///
    /// A tone an octave or more inside its band is up to 4 dB louder than the band's curve with 24, at a reduction of 15
    /// dB, and at most 1 dB louder with 48, at up to 25 dB.
    /// Values: 24, 48. Default: 24.
    public var slope: TypedParameter<Key, Slope> {
      .init(
        .slope, "slope", name: "Slope",
        "In decibels an octave; a tone in a band is up to 4 dB louder than its curve at 24, up to 1 dB at 48",
        default: .twentyFour, glide: 0.03)
    }

    public func describe(_ key: Key) -> ParameterDescription {
      switch key {
      case .lowCrossover: lowCrossover.description
      case .middleCrossover: middleCrossover.description
      case .highCrossover: highCrossover.description
      case .knee: knee.description
      case .gain: gain.description
      case .slope: slope.description
      }
    }
  }

  /// The slopes of the crossovers, in decibels an octave.
  public enum Slope: Int, ParameterChoice {
    /// 24 dB an octave.
    case twentyFour
    /// 48 dB an octave.
    case fortyEight

    public var symbol: StaticString {
      switch self {
      case .twentyFour: "24"
      case .fortyEight: "48"
      }
    }
  }

  /// The parameters of a band.
  public struct BandParameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The level above which the band is compressed.
    /// Range: −60 dB to 0 dB. Default: −24 dB.
    public var threshold: TypedParameter<BandParameter, Level> {
      .init(
        .threshold, "threshold", name: "Threshold", "The level above which the band is compressed",
        range: -60...0, default: .decibels(Multiband.initial.threshold))
    }
    /// The compression ratio: the input change in decibels above the threshold that changes the output by 1 dB.
    /// Range: 1 to 50. Default: 2.
    public var ratio: TypedParameter<BandParameter, Float> {
      .init(
        .ratio, "ratio", name: "Ratio",
        "The decibels of input above the threshold for each decibel of output", range: 1...50,
        default: Multiband.initial.ratio, curve: .logarithmic)
    }
    /// The time constant with which the gain reduction grows.
    /// Range: 0.05 ms to 500 ms. Default: 15 ms.
    public var attack: TypedParameter<BandParameter, Duration> {
      .init(
        .attack, "attack", name: "Attack", "The time in which a growing gain reduction is 63 % complete",
        range: 0.05...500, default: .milliseconds(Int(Multiband.initial.attack)), curve: .logarithmic)
    }
    /// The time constant with which the gain reduction shrinks.
    /// Range: 5 ms to 5000 ms. Default: 150 ms.
    public var release: TypedParameter<BandParameter, Duration> {
      .init(
        .release, "release", name: "Release", "The time in which a shrinking gain reduction is 63 % complete",
        range: 5...5000, default: .milliseconds(Int(Multiband.initial.release)), curve: .logarithmic)
    }
    /// The gain after the band's compression.
    /// Range: −24 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<BandParameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain after the band's compression", range: -24...24,
        default: .decibels(0))
    }

    public func describe(_ key: BandParameter) -> ParameterDescription {
      switch key {
      case .threshold: threshold.description
      case .ratio: ratio.description
      case .attack: attack.description
      case .release: release.description
      case .gain: gain.description
      }
    }
  }
}
