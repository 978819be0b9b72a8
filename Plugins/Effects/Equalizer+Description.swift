// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Equalizer {
  public static var description: EffectDescription {
    EffectDescription(
      "equalizer", name: "Equalizer", "Shapes tone with up to 32 bands of thirteen kinds of filter",
      uri: "urn:swiftlet:equalizer", lv2Class: "MultiEQPlugin", minorVersion: 4, worksInPlace: true)
  }

  @_noLocks @_noAllocation static func order(slope: Int) -> Int {
    switch slope {
    case 0: 1
    case 2: 3
    case 3: 4
    case 4: 6
    case 5: 8
    case 6: 12
    case 7: 16
    default: 2
    }
  }

  /// A preset whose first four bands are `filters`: kind, frequency, bandwidth, gain. The others of four are
  /// flat.
  private static func preset(
    _ name: StaticString, _ filters: [(kind: Filter.Kind, frequency: Float, bandwidth: Float, gain: Float)]
  ) -> EffectPreset {
    var values: [(parameter: Int, value: Float)] = [(Parameter.gain.rawValue, 0)]
    for band in 0..<4 {
      let filter = band < filters.count ? filters[band] : (.parametric, 1000, 0.5, 0)
      values.append((Parameter.band(band, .type).rawValue, Float(filter.kind.rawValue)))
      values.append((Parameter.band(band, .frequency).rawValue, filter.frequency))
      values.append((Parameter.band(band, .bandwidth).rawValue, filter.bandwidth))
      values.append((Parameter.band(band, .gain).rawValue, filter.gain))
      values.append((Parameter.band(band, .enabled).rawValue, 1))
    }
    return EffectPreset(name, values)
  }
}

extension Equalizer {
  /// Starting points for common sources; each leaves room to go on from.
  public enum Preset: PresetList {
    case voice, guitar, bass, telephone, flat

    public func describe() -> EffectPreset {
      switch self {
      case .voice:
        preset(
          "voice",
          [
            (.highPass, 90, 0.5, 0),
            (.parametric, 250, 1, -3),
            (.parametric, 3500, 1.2, 3),
            (.highShelf, 10000, 1, 2),
          ])
      case .guitar:
        preset(
          "guitar",
          [
            (.highPass, 80, 0.5, 0),
            (.parametric, 400, 1, -3),
            (.parametric, 2500, 1, 3),
            (.lowPass, 9000, 0.5, 0),
          ])
      case .bass:
        preset(
          "bass",
          [
            (.highPass, 35, 0.5, 0),
            (.lowShelf, 100, 1, 3),
            (.parametric, 300, 1.2, -4),
            (.parametric, 900, 1, 2),
          ])
      case .telephone:
        preset(
          "telephone",
          [
            (.highPass, 400, 0.5, 0),
            (.highPass, 400, 0.5, 0),
            (.lowPass, 3200, 0.5, 0),
            (.lowPass, 3200, 0.5, 0),
          ])
      case .flat:
        preset("flat", [])
      }
    }
  }
}

extension Equalizer {
  public static var bands: BandDescription? {
    BandDescription("bands", singular: "band", count: 1...32, initialCount: 4, of: BandParameters.self)
  }

  /// The parameters behind all bands.
  public struct Parameters: ParameterList {
    /// The numbers of the plain parameters.
    public enum Key: Int, CaseIterable, Sendable { case gain }

    public init() {}

    /// The level behind all bands.
    public var gain: TypedParameter<Key, Level> {
      .init(
        .gain, "gain", name: "Gain", "The level behind all bands; −96 dB is silence",
        range: Decibels.silence...24, default: .decibels(0))
    }

    public func describe(_ key: Key) -> ParameterDescription {
      switch key {
      case .gain: gain.description
      }
    }
  }

  /// The parameters of a band.
  public struct BandParameters: ParameterList {
    public init() {}

    /// The kind of filter.
    public var type: TypedParameter<BandParameter, FilterType> {
      .init(.type, "type", name: "Type", "The kind of filter", default: .parametric, glide: 0.02)
    }
    /// The middle, corner or edge of the filter.
    public var frequency: TypedParameter<BandParameter, Frequency> {
      .init(
        .frequency, "frequency", name: "Frequency", "Its middle, corner or edge", range: 20...20_000,
        default: .hertz(1000), curve: .logarithmic)
    }
    /// How wide the filter is.
    public var bandwidth: TypedParameter<BandParameter, PitchInterval> {
      .init(
        .bandwidth, "bandwidth", name: "Bandwidth",
        "How wide it is; low-pass, high-pass, tilt and plain shelves ignore it", unit: .octaves,
        range: 0.05...5, default: .octaves(0.5), curve: .logarithmic,
        needs: ParameterNeed(
          "type",
          [
            "parametric", "resonant-low-pass", "resonant-high-pass", "band-pass", "band-stop",
            "resonant-low-shelf", "resonant-high-shelf", "all-pass",
          ]))
    }
    /// How much the filter lifts or cuts.
    public var gain: TypedParameter<BandParameter, Level> {
      .init(
        .gain, "gain", name: "Gain",
        "How much it lifts or cuts; a tilt, up to 24 dB to each side; passes and stops ignore it",
        range: -96...24, default: .decibels(0),
        needs: ParameterNeed(
          "type",
          ["parametric", "low-shelf", "high-shelf", "resonant-low-shelf", "resonant-high-shelf", "tilt"]))
    }
    /// Whether the band is on.
    public var enabled: TypedParameter<BandParameter, Bool> {
      .init(.enabled, "enabled", name: "Enabled", "Whether the band is on", default: true)
    }
    /// How steep passes are.
    public var slope: TypedParameter<BandParameter, Slope> {
      .init(
        .slope, "slope", name: "Slope", "How steep passes are, in decibels an octave", default: .twelve,
        glide: 0.02,
        needs: ParameterNeed(
          "type", ["low-pass", "high-pass", "resonant-low-pass", "resonant-high-pass"]))
    }
    /// The part of a stereo sound that the band works on.
    public var channels: TypedParameter<BandParameter, Side> {
      .init(
        .channels, "channels", name: "Channels", "What it works on in stereo; other widths ignore it",
        default: .all, glide: 0.02, isForStereo: true)
    }

    public func describe(_ key: BandParameter) -> ParameterDescription {
      switch key {
      case .type: type.description
      case .frequency: frequency.description
      case .bandwidth: bandwidth.description
      case .gain: gain.description
      case .enabled: enabled.description
      case .slope: slope.description
      case .channels: channels.description
      }
    }
  }

  /// The kinds of filter, in the order of `Filter.Kind`.
  public enum FilterType: Int, ParameterChoice {
    case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop
    case lowShelf, highShelf, resonantLowShelf, resonantHighShelf, tilt, allPass

    public var symbol: StaticString {
      switch self {
      case .parametric: "parametric"
      case .lowPass: "low-pass"
      case .highPass: "high-pass"
      case .resonantLowPass: "resonant-low-pass"
      case .resonantHighPass: "resonant-high-pass"
      case .bandPass: "band-pass"
      case .bandStop: "band-stop"
      case .lowShelf: "low-shelf"
      case .highShelf: "high-shelf"
      case .resonantLowShelf: "resonant-low-shelf"
      case .resonantHighShelf: "resonant-high-shelf"
      case .tilt: "tilt"
      case .allPass: "all-pass"
      }
    }
  }

  /// The slopes of passes, in decibels an octave.
  public enum Slope: Int, ParameterChoice {
    case six, twelve, eighteen, twentyFour, thirtySix, fortyEight, seventyTwo, ninetySix

    public var symbol: StaticString {
      switch self {
      case .six: "6"
      case .twelve: "12"
      case .eighteen: "18"
      case .twentyFour: "24"
      case .thirtySix: "36"
      case .fortyEight: "48"
      case .seventyTwo: "72"
      case .ninetySix: "96"
      }
    }
  }

  /// The part of a stereo sound that a band works on.
  public enum Side: Int, ParameterChoice {
    case all, left, right, mid, side

    public var symbol: StaticString {
      switch self {
      case .all: "all"
      case .left: "left"
      case .right: "right"
      case .mid: "mid"
      case .side: "side"
      }
    }
  }
}
