// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Environment {
  public static var description: UnitDescription {
    UnitDescription(
      "environment", name: "Environment", "Places sounds around a listener; each input channel is a source",
      uri: "urn:swiftlet:environment", lv2Class: "SpatialPlugin",
      outputs: [UnitBus("out", .channels(2)), UnitBus("reverb", .channels(1))],
      files: [
        FileDescription(
          "hrtf", name: "HRTF",
          "A SOFA file: how a head hears from all sides; libmysofa's own where none is named",
          content: .path, isRequired: false)
      ])
  }

  /// How far all coordinates reach, in metres.
  fileprivate static var reach: ClosedRange<Float> { -1000...1000 }

  fileprivate static func coordinate(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, initial: Float = 0
  ) -> ParameterDescription {
    ParameterDescription(symbol, name: name, meaning, unit: .metres, range: reach, initial: initial)
  }

  fileprivate static func level(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, highest: Float = 24
  ) -> ParameterDescription {
    ParameterDescription(
      symbol, name: name, meaning, unit: .decibels, range: Decibels.silence...highest, initial: 0)
  }

  fileprivate static func angle(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, most: Float
  ) -> ParameterDescription {
    ParameterDescription(symbol, name: name, meaning, unit: .degrees, range: -most...most, initial: 0)
  }
}

extension Environment.Parameter {
  public static var plain: [ParameterDescription] {
    [
      Environment.coordinate("listener-x", name: "Listener X", "How far to the right the listener stands"),
      Environment.coordinate("listener-y", name: "Listener Y", "How far up"),
      Environment.coordinate("listener-z", name: "Listener Z", "How far back; the listener looks to −z"),
      Environment.angle("yaw", name: "Yaw", "How far the head is turned to the right", most: 180),
      Environment.angle("pitch", name: "Pitch", "How far it is lifted", most: 90),
      Environment.angle("roll", name: "Roll", "How far it leans to the right", most: 180),
      .choice(
        "distance-model", name: "Distance model", "How sound gets softer on its way",
        of: ["inverse", "exponential", "linear"]),
      ParameterDescription(
        "reference-distance", name: "Reference distance", "Nearer than this nothing gets louder",
        unit: .metres, range: 0.01...1000, initial: 1, curve: .logarithmic),
      ParameterDescription(
        "maximum-distance", name: "Maximum distance",
        "Further than this nothing gets softer; where the linear model reaches silence at a roll-off of 1",
        unit: .metres, range: 0.1...100_000, initial: 100_000, curve: .logarithmic),
      ParameterDescription(
        "roll-off", name: "Roll-off", "How strongly distance counts; at 0 not at all", range: 0...10,
        initial: 1),
      Environment.level(
        "reverb-level", name: "Reverb level", "The level of the output 'reverb'; −96 dB is silence",
        highest: 40),
      Environment.level("gain", name: "Gain", "The level of both outputs; −96 dB is silence"),
    ]
  }

  public static var bands: BandDescription? {
    BandDescription(
      "sources", singular: "source", count: 1...Environment.mostSources, initialCount: 2,
      followsChannels: true,
      parameters: [
        Environment.coordinate("x", name: "X", "How far to the right it is"),
        Environment.coordinate("y", name: "Y", "How far up"),
        Environment.coordinate("z", name: "Z", "How far back; in front is negative", initial: -1),
        Environment.level("gain", name: "Gain", "How loud it is; −96 dB is silence"),
        ParameterDescription(
          "rendering", name: "Rendering",
          "equal-power: between two loudspeakers; hrtf: all around, by headphones", range: 0...1,
          initial: 0, curve: .choice, choices: ["equal-power", "hrtf"]),
        ParameterDescription(
          "reverb-blend", name: "Reverb blend", "How much of it goes to the output 'reverb' instead",
          unit: .percent, range: 0...100, initial: 0),
        ParameterDescription(
          "obstruction", name: "Obstruction",
          "What an obstacle takes of the direct sound, at 5 kHz; less below", unit: .decibels,
          range: -100...0, initial: 0),
        ParameterDescription(
          "occlusion", name: "Occlusion",
          "What a wall takes of direct sound and reverb, at 5 kHz; less below",
          unit: .decibels, range: -100...0, initial: 0),
        .toggle("enabled", name: "Enabled", "Whether it sounds", initial: true),
      ])
  }
}
