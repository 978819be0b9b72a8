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
}

extension Equalizer {
  public static var bands: BandDescription? {
    BandDescription("bands", singular: "band", count: 1...32, defaultCount: 4, of: BandParameters.self)
  }

  /// The parameters that belong to no band.
  public struct Parameters: ParameterList {
    /// The indices of the plain parameters.
    public enum Key: Int, CaseIterable, Sendable {
      /// The gain after all bands.
      case gain
    }

    /// Creates the list, which holds no state.
    public init() {}

    /// The gain after all bands.
    /// Range: −96 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<Key, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain after all bands; −96 dB is silence",
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
    /// Creates the list, which holds no state.
    public init() {}

    /// The kind of filter.
    /// Default: parametric.
    public var type: TypedParameter<BandParameter, FilterType> {
      .init(.type, "type", name: "Type", "The kind of filter", default: .parametric, glide: 0.05)
    }
    /// The centre, corner or edge frequency of the filter.
    /// Range: 20 Hz to 20000 Hz. Default: 1000 Hz.
    public var frequency: TypedParameter<BandParameter, Frequency> {
      .init(
        .frequency, "frequency", name: "Frequency", "The centre, corner or edge frequency",
        range: 20...20_000,
        default: .hertz(1000), curve: .logarithmic, glide: 0.05)
    }
    /// The bandwidth of the filter.
    /// Range: 0.05 oct to 5 oct. Default: 0.5 oct.
    public var bandwidth: TypedParameter<BandParameter, PitchInterval> {
      .init(
        .bandwidth, "bandwidth", name: "Bandwidth",
        "The bandwidth; low-pass, high-pass, tilt and plain shelves ignore it", unit: .octaves,
        range: 0.05...5, default: .octaves(0.5), curve: .logarithmic,
        needs: ParameterCondition(
          "type",
          [
            "parametric", "resonant-low-pass", "resonant-high-pass", "band-pass", "band-stop",
            "resonant-low-shelf", "resonant-high-shelf", "all-pass",
          ]))
    }
    /// The gain of the filter.
    /// Range: −96 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<BandParameter, Level> {
      .init(
        .gain, "gain", name: "Gain",
        "The gain of the filter; for a tilt up to ±24 dB; all passes (low, high, resonant, band, all) and band-stop ignore it",
        range: -96...24, default: .decibels(0), glide: 0.1,
        needs: ParameterCondition(
          "type",
          ["parametric", "low-shelf", "high-shelf", "resonant-low-shelf", "resonant-high-shelf", "tilt"]))
    }
    /// Whether the band is on.
    /// Default: true.
    public var enabled: TypedParameter<BandParameter, Bool> {
      .init(.enabled, "enabled", name: "Enabled", "Whether the band is on", default: true, glide: 0.05)
    }
    /// The slope of low-pass and high-pass filters, in decibels an octave.
    /// Values: 6, 12, 18, 24, 36, 48, 72, 96. Default: 12.
    public var slope: TypedParameter<BandParameter, Slope> {
      .init(
        .slope, "slope", name: "Slope", "The slope of low-pass and high-pass filters, in decibels an octave",
        default: .twelve,
        glide: 0.05,
        needs: ParameterCondition(
          "type", ["low-pass", "high-pass", "resonant-low-pass", "resonant-high-pass"]))
    }
    /// The part of a stereo signal that the band processes.
    /// Values: all, left, right, mid, side. Default: all.
    public var channels: TypedParameter<BandParameter, Side> {
      .init(
        .channels, "channels", name: "Channels",
        "The part of a stereo signal that the band processes; mono and multichannel signals ignore it",
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
    /// Boosts or cuts around the frequency.
    case parametric
    /// Passes the range below the frequency.
    case lowPass
    /// Passes the range above the frequency.
    case highPass
    /// A low-pass with a resonance at the frequency, which is sharper for a smaller bandwidth.
    case resonantLowPass
    /// A high-pass with a resonance at the frequency, which is sharper for a smaller bandwidth.
    case resonantHighPass
    /// Passes a band around the frequency.
    case bandPass
    /// Rejects a band around the frequency.
    case bandStop
    /// Boosts or cuts below the frequency.
    case lowShelf
    /// Boosts or cuts above the frequency.
    case highShelf
    /// A low shelf whose bandwidth sets the resonance at its corner.
    case resonantLowShelf
    /// A high shelf whose bandwidth sets the resonance at its corner.
    case resonantHighShelf
    /// Boosts above the frequency and cuts below it by the same gain, or the reverse.
    case tilt
    /// Changes the phase and preserves the level.
    case allPass

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

  /// The slopes of low-pass and high-pass filters, in decibels an octave.
  public enum Slope: Int, ParameterChoice {
    /// 6 dB an octave.
    case six
    /// 12 dB an octave.
    case twelve
    /// 18 dB an octave.
    case eighteen
    /// 24 dB an octave.
    case twentyFour
    /// 36 dB an octave.
    case thirtySix
    /// 48 dB an octave.
    case fortyEight
    /// 72 dB an octave.
    case seventyTwo
    /// 96 dB an octave.
    case ninetySix

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

  /// The part of a stereo signal that a band processes.
  public enum Side: Int, ParameterChoice {
    /// All channels.
    case all
    /// The left channel.
    case left
    /// The right channel.
    case right
    /// The mid signal: the sum of both channels.
    case mid
    /// The side signal: the difference of both channels.
    case side

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
