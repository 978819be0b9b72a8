// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Equalizer {
  /// Returns a preset that sets the first four bands to `filters`: kind, frequency, bandwidth, gain. If there are fewer
  /// filters, the other bands become flat.
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
  /// The presets for common sources. They are meant as starting points.
  public enum Preset: PresetList {
    /// A voice: a low cut at 90 Hz, a dip at 250 Hz, a boost at 3.5 kHz and above 10 kHz.
    case voice
    /// An electric guitar: 80 Hz to 9 kHz, with a boost at 2.5 kHz.
    case guitar
    /// A bass guitar: a low cut at 35 Hz, a boost below 100 Hz, a dip at 300 Hz.
    case bass
    /// A telephone band: 400 Hz to 3.2 kHz.
    case telephone
    /// Changes nothing.
    case flat

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
