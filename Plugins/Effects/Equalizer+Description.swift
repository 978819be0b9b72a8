// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Equalizer {
  public static var description: UnitDescription {
    UnitDescription(
      "equalizer", name: "Equalizer", "Shapes tone with up to 32 bands of thirteen kinds of filter",
      uri: "urn:swiftlet:equalizer", lv2Class: "MultiEQPlugin", minorVersion: 4, worksInPlace: true,
      presets: presets)
  }

  /// The names of the kinds of filter, in the order of `Filter.Kind`.
  static var kinds: [StaticString] {
    [
      "parametric", "low-pass", "high-pass", "resonant-low-pass", "resonant-high-pass", "band-pass",
      "band-stop",
      "low-shelf", "high-shelf", "resonant-low-shelf", "resonant-high-shelf",
      "tilt", "all-pass",
    ]
  }

  /// The slopes of passes in decibels an octave, and the order of the filter behind each.
  static var slopes: [StaticString] { ["6", "12", "18", "24", "36", "48", "72", "96"] }

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

  /// Starting points for common sources; each leaves room to go on from.
  private static var presets: [UnitPreset] {
    [
      preset(
        "voice",
        [
          (.highPass, 90, 0.5, 0),
          (.parametric, 250, 1, -3),
          (.parametric, 3500, 1.2, 3),
          (.highShelf, 10000, 1, 2),
        ]),
      preset(
        "guitar",
        [
          (.highPass, 80, 0.5, 0),
          (.parametric, 400, 1, -3),
          (.parametric, 2500, 1, 3),
          (.lowPass, 9000, 0.5, 0),
        ]),
      preset(
        "bass",
        [
          (.highPass, 35, 0.5, 0),
          (.lowShelf, 100, 1, 3),
          (.parametric, 300, 1.2, -4),
          (.parametric, 900, 1, 2),
        ]),
      preset(
        "telephone",
        [
          (.highPass, 400, 0.5, 0),
          (.highPass, 400, 0.5, 0),
          (.lowPass, 3200, 0.5, 0),
          (.lowPass, 3200, 0.5, 0),
        ]),
      preset("flat", []),
    ]
  }

  /// A preset whose first four bands are `filters`: kind, frequency, bandwidth, gain. The others of four are
  /// flat.
  private static func preset(
    _ name: StaticString, _ filters: [(kind: Filter.Kind, frequency: Float, bandwidth: Float, gain: Float)]
  ) -> UnitPreset {
    var values: [(parameter: Int, value: Float)] = [(Parameter.gain.rawValue, 0)]
    for band in 0..<4 {
      let filter = band < filters.count ? filters[band] : (.parametric, 1000, 0.5, 0)
      values.append((Parameter.band(band, .type).rawValue, Float(filter.kind.rawValue)))
      values.append((Parameter.band(band, .frequency).rawValue, filter.frequency))
      values.append((Parameter.band(band, .bandwidth).rawValue, filter.bandwidth))
      values.append((Parameter.band(band, .gain).rawValue, filter.gain))
      values.append((Parameter.band(band, .enabled).rawValue, 1))
    }
    return UnitPreset(name, values)
  }
}

extension Equalizer.Parameter {
  public static var plain: [ParameterDescription] {
    [
      ParameterDescription(
        "gain", name: "Gain", "The level behind all bands; −96 dB is silence", unit: .decibels,
        range: Decibels.silence...24, initial: 0)
    ]
  }

  public static var bands: BandDescription? {
    BandDescription(
      "bands", singular: "band", count: 1...32, initialCount: 4,
      parameters: [
        ParameterDescription(
          "type", name: "Type", "The kind of filter", range: 0...12, initial: 0, curve: .choice,
          choices: Equalizer.kinds),
        ParameterDescription(
          "frequency", name: "Frequency", "Its middle, corner or edge", unit: .hertz, range: 20...20000,
          initial: 1000, curve: .logarithmic),
        ParameterDescription(
          "bandwidth", name: "Bandwidth",
          "How wide it is; low-pass, high-pass, tilt and plain shelves ignore it",
          unit: .octaves, range: 0.05...5, initial: 0.5, curve: .logarithmic,
          needs: ParameterNeed(
            "type",
            [
              "parametric", "resonant-low-pass", "resonant-high-pass", "band-pass", "band-stop",
              "resonant-low-shelf", "resonant-high-shelf", "all-pass",
            ])),
        ParameterDescription(
          "gain", name: "Gain",
          "How much it lifts or cuts; a tilt, up to 24 dB to each side; passes and stops ignore it",
          unit: .decibels,
          range: -96...24, initial: 0,
          needs: ParameterNeed(
            "type",
            ["parametric", "low-shelf", "high-shelf", "resonant-low-shelf", "resonant-high-shelf", "tilt"])),
        .toggle("enabled", name: "Enabled", "Whether the band is on", initial: true),
        ParameterDescription(
          "slope", name: "Slope", "How steep passes are, in decibels an octave", range: 0...7,
          initial: 1, curve: .choice, choices: Equalizer.slopes,
          needs: ParameterNeed(
            "type", ["low-pass", "high-pass", "resonant-low-pass", "resonant-high-pass"])),
        ParameterDescription(
          "channels", name: "Channels", "What it works on in stereo; other widths ignore it", range: 0...4,
          initial: 0, curve: .choice, choices: ["all", "left", "right", "mid", "side"],
          isForStereo: true),
      ])
  }
}
