// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Environment {
  public static var description: EffectDescription {
    EffectDescription(
      "environment", name: "Environment", "Places sounds around a listener; each input channel is a source",
      uri: "urn:swiftlet:environment", lv2Class: "SpatialPlugin",
      outputs: [EffectBus("out", .channels(2)), EffectBus("reverb", .channels(1))],
      files: [
        FileDescription(
          "hrtf", name: "HRTF",
          "A SOFA file of head-related transfer functions. Default: the set that comes with libmysofa",
          content: .path, isRequired: false)
      ])
  }

  /// The range of all coordinates, in metres.
  fileprivate static var reach: ClosedRange<Float> { -1000...1000 }
}

extension Environment {
  public static var bands: BandDescription? {
    BandDescription(
      "sources", singular: "source", count: 1...mostSources, defaultCount: 2, followsChannels: true,
      of: BandParameters.self)
  }

  /// The parameters of the acoustic room.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The position of the listener to the right of the origin.
    /// Range: −1000 m to 1000 m. Default: 0 m.
    public var listenerX: TypedParameter<RoomParameter, Distance> {
      .init(
        .listenerX, "listener-x", name: "Listener X",
        "The position of the listener to the right of the origin",
        range: Environment.reach, default: .metres(0))
    }
    /// The position of the listener above the origin.
    /// Range: −1000 m to 1000 m. Default: 0 m.
    public var listenerY: TypedParameter<RoomParameter, Distance> {
      .init(
        .listenerY, "listener-y", name: "Listener Y", "The position of the listener above the origin",
        range: Environment.reach,
        default: .metres(0))
    }
    /// The position of the listener behind the origin.
    /// Range: −1000 m to 1000 m. Default: 0 m.
    public var listenerZ: TypedParameter<RoomParameter, Distance> {
      .init(
        .listenerZ, "listener-z", name: "Listener Z",
        "The position of the listener behind the origin; at yaw 0 the listener faces −z",
        range: Environment.reach, default: .metres(0))
    }
    /// The rotation of the head to the right.
    /// Range: −180 deg to 180 deg. Default: 0 deg.
    public var yaw: TypedParameter<RoomParameter, Angle> {
      .init(
        .yaw, "yaw", name: "Yaw", "The yaw of the head; positive is to the right", range: -180...180,
        default: .degrees(0))
    }
    /// The rotation of the head upwards.
    /// Range: −90 deg to 90 deg. Default: 0 deg.
    public var pitch: TypedParameter<RoomParameter, Angle> {
      .init(
        .pitch, "pitch", name: "Pitch", "The rotation of the head upwards", range: -90...90,
        default: .degrees(0))
    }
    /// The tilt of the head to the right.
    /// Range: −180 deg to 180 deg. Default: 0 deg.
    public var roll: TypedParameter<RoomParameter, Angle> {
      .init(
        .roll, "roll", name: "Roll", "The tilt of the head to the right", range: -180...180,
        default: .degrees(0))
    }
    /// The formula of the attenuation with distance.
    /// Values: inverse, exponential, linear. Default: inverse.
    public var distanceModel: TypedParameter<RoomParameter, DistanceModel> {
      .init(
        .distanceModel, "distance-model", name: "Distance model",
        "The formula of the attenuation with distance",
        default: .inverse)
    }
    /// The distance below which the level is constant.
    /// Range: 0.01 m to 1000 m. Default: 1 m.
    public var referenceDistance: TypedParameter<RoomParameter, Distance> {
      .init(
        .referenceDistance, "reference-distance", name: "Reference distance",
        "The distance below which the level is constant; the level follows a step at a limited speed",
        range: 0.01...1000, default: .metres(1),
        curve: .logarithmic, glide: 0.1)
    }
    /// The distance above which the level does not fall further.
    /// Range: 0.1 m to 100000 m. Default: 100000 m.
    public var maximumDistance: TypedParameter<RoomParameter, Distance> {
      .init(
        .maximumDistance, "maximum-distance", name: "Maximum distance",
        "The distance above which the level is constant; with a roll-off of 1 the linear model is silent there",
        range: 0.1...100_000, default: .metres(100_000), curve: .logarithmic,
        glide: 0.1)
    }
    /// The strength of the attenuation with distance.
    /// Range: 0 to 10. Default: 1.
    public var rollOff: TypedParameter<RoomParameter, Float> {
      .init(
        .rollOff, "roll-off", name: "Roll-off", "The strength of the attenuation with distance; 0 is off",
        range: 0...10, default: 1)
    }
    /// The level of the output `reverb`.
    /// Range: −96 dB to 40 dB. Default: 0 dB.
    public var reverbLevel: TypedParameter<RoomParameter, Level> {
      .init(
        .reverbLevel, "reverb-level", name: "Reverb level",
        "The level of the output 'reverb'; −96 dB is silence", range: Decibels.silence...40,
        default: .decibels(0))
    }
    /// The level of both outputs.
    /// Range: −96 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<RoomParameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The level of both outputs; −96 dB is silence",
        range: Decibels.silence...24, default: .decibels(0), glide: 0.1)
    }

    public func describe(_ key: RoomParameter) -> ParameterDescription {
      switch key {
      case .listenerX: listenerX.description
      case .listenerY: listenerY.description
      case .listenerZ: listenerZ.description
      case .yaw: yaw.description
      case .pitch: pitch.description
      case .roll: roll.description
      case .distanceModel: distanceModel.description
      case .referenceDistance: referenceDistance.description
      case .maximumDistance: maximumDistance.description
      case .rollOff: rollOff.description
      case .reverbLevel: reverbLevel.description
      case .gain: gain.description
      }
    }
  }

  /// The parameters of a source.
  public struct BandParameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The position of the source to the right of the origin.
    /// Range: −1000 m to 1000 m. Default: 0 m.
    public var x: TypedParameter<SourceParameter, Distance> {
      .init(
        .x, "x", name: "X", "The position of the source to the right of the origin", range: Environment.reach,
        default: .metres(0))
    }
    /// The position of the source above the origin.
    /// Range: −1000 m to 1000 m. Default: 0 m.
    public var y: TypedParameter<SourceParameter, Distance> {
      .init(
        .y, "y", name: "Y", "The position of the source above the origin", range: Environment.reach,
        default: .metres(0))
    }
    /// The position of the source behind the origin; negative values are in front.
    /// Range: −1000 m to 1000 m. Default: −1 m.
    public var z: TypedParameter<SourceParameter, Distance> {
      .init(
        .z, "z", name: "Z", "The position of the source behind the origin; negative is in front",
        range: Environment.reach,
        default: .metres(-1))
    }
    /// The gain of the source.
    /// Range: −96 dB to 24 dB. Default: 0 dB.
    public var gain: TypedParameter<SourceParameter, Level> {
      .init(
        .gain, "gain", name: "Gain", "The gain of the source; −96 dB is silence",
        range: Decibels.silence...24,
        default: .decibels(0), glide: 0.1)
    }
    /// Whether the source is rendered for loudspeakers or for headphones.
    /// Values: equal-power, hrtf. Default: equal-power.
    public var rendering: TypedParameter<SourceParameter, Rendering> {
      .init(
        .rendering, "rendering", name: "Rendering",
        "equal-power: panning for loudspeakers; hrtf: binaural, for headphones", default: .equalPower,
        glide: 0.02)
    }
    /// The proportion of the source that goes to the output `reverb` instead.
    /// Range: 0 % to 100 %. Default: 0 %.
    public var reverbBlend: TypedParameter<SourceParameter, Percentage> {
      .init(
        .reverbBlend, "reverb-blend", name: "Reverb blend",
        "The proportion that goes to the output 'reverb' instead", range: 0...100, default: .percent(0))
    }
    /// The gain of the direct sound at 5 kHz behind an obstacle.
    /// Range: −100 dB to 0 dB. Default: 0 dB.
    public var obstruction: TypedParameter<SourceParameter, Level> {
      .init(
        .obstruction, "obstruction", name: "Obstruction",
        "The gain of the direct sound at 5 kHz behind an obstacle; lower frequencies are attenuated less",
        range: -100...0,
        default: .decibels(0))
    }
    /// The gain of direct sound and reverb at 5 kHz behind a wall.
    /// Range: −100 dB to 0 dB. Default: 0 dB.
    public var occlusion: TypedParameter<SourceParameter, Level> {
      .init(
        .occlusion, "occlusion", name: "Occlusion",
        "The gain of direct sound and reverb at 5 kHz behind a wall; lower frequencies are attenuated less",
        range: -100...0,
        default: .decibels(0))
    }
    /// Whether the source is on.
    /// Default: true.
    public var enabled: TypedParameter<SourceParameter, Bool> {
      .init(.enabled, "enabled", name: "Enabled", "Whether the source is on", default: true)
    }

    public func describe(_ key: SourceParameter) -> ParameterDescription {
      switch key {
      case .x: x.description
      case .y: y.description
      case .z: z.description
      case .gain: gain.description
      case .rendering: rendering.description
      case .reverbBlend: reverbBlend.description
      case .obstruction: obstruction.description
      case .occlusion: occlusion.description
      case .enabled: enabled.description
      }
    }
  }

  /// The formula of the attenuation with distance.
  public enum DistanceModel: Int, ParameterChoice {
    /// The gain is inversely proportional to the distance.
    case inverse
    /// The gain is a negative power of the distance.
    case exponential
    /// The gain falls linearly up to the maximum distance.
    case linear

    public var symbol: StaticString {
      switch self {
      case .inverse: "inverse"
      case .exponential: "exponential"
      case .linear: "linear"
      }
    }
  }

  /// The rendering of a source: for loudspeakers or headphones.
  public enum Rendering: Int, ParameterChoice {
    /// Equal-power panning between two loudspeakers.
    case equalPower
    /// Binaural rendering for headphones, by head-related transfer functions.
    case hrtf

    public var symbol: StaticString {
      switch self {
      case .equalPower: "equal-power"
      case .hrtf: "hrtf"
      }
    }
  }
}
