// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension Distortion {
  /// The values of all parameters but mix and oversampling, which are the song's and the machine's.
  ///
  /// Where nobody says, sound is only clipped softly: the other stages change nothing until they are given
  /// something to do.
  struct Recipe: Sendable {
    var delay: Float = 0.1, decay: Float = 1, delayMix: Float = 0
    var decimation: Float = 0, rounding: Float = 0, decimationMix: Float = 50
    var linear: Float = 1, squared: Float = 0, cubic: Float = 0, polynomialMix: Float = 50
    var ringFrequencies: (Float, Float) = (100, 100), ringBalance: Float = 50, ringMix: Float = 0
    var gain: Float = -6, lowCut: Float = 10, highCut: Float = 20000

    var values: [(Parameter, Float)] {
      [
        (.delay, delay), (.decay, decay), (.delayMix, delayMix), (.decimation, decimation),
        (.rounding, rounding), (.decimationMix, decimationMix), (.linearTerm, linear),
        (.squaredTerm, squared), (.cubicTerm, cubic), (.polynomialMix, polynomialMix),
        (.ringFrequency1, ringFrequencies.0), (.ringFrequency2, ringFrequencies.1),
        (.ringBalance, ringBalance), (.ringMix, ringMix), (.gain, gain), (.lowCut, lowCut),
        (.highCut, highCut),
      ]
    }
  }

  /// Twenty-two recipes, in the order in which AVAudioUnitDistortion counts them.
  static var presets: [EffectPreset] {
    drums + broken + decimated + bent + echoing + speech
  }

  private static var drums: [EffectPreset] {
    [
      preset("drums-bit-brush", Recipe(decimation: 25, rounding: 40, decimationMix: 60)),
      preset(
        "drums-buffer-beats",
        Recipe(delay: 90, decay: 8, delayMix: 60, decimation: 20, rounding: 25, decimationMix: 50)),
      preset(
        "drums-lo-fi",
        Recipe(
          decimation: 45, rounding: 30, decimationMix: 70, cubic: 2, polynomialMix: 50, highCut: 9000)),
    ]
  }

  private static var broken: [EffectPreset] {
    [
      preset(
        "multi-broken-speaker",
        Recipe(
          decimation: 10, rounding: 10, squared: 6, cubic: 8, polynomialMix: 80, gain: -3, lowCut: 180,
          highCut: 4500)),
      preset(
        "multi-cellphone-concert",
        Recipe(
          decimation: 35, rounding: 15, decimationMix: 60, squared: 2, polynomialMix: 60, lowCut: 300,
          highCut: 3400)),
    ]
  }

  private static var decimated: [EffectPreset] {
    [
      preset("multi-decimated-1", Recipe(decimation: 20, rounding: 0, decimationMix: 100)),
      preset("multi-decimated-2", Recipe(decimation: 40, rounding: 15, decimationMix: 100)),
      preset("multi-decimated-3", Recipe(decimation: 60, rounding: 30, decimationMix: 100)),
      preset("multi-decimated-4", Recipe(decimation: 80, rounding: 45, decimationMix: 100)),
    ]
  }

  private static var bent: [EffectPreset] {
    [
      preset(
        "multi-distorted-funk", Recipe(delay: 12, decay: 30, delayMix: 20, cubic: 6, polynomialMix: 60)),
      preset("multi-distorted-cubed", Recipe(linear: 0.2, cubic: 16, polynomialMix: 100)),
      preset("multi-distorted-squared", Recipe(linear: 0.2, squared: 16, polynomialMix: 100)),
    ]
  }

  private static var echoing: [EffectPreset] {
    [
      preset("multi-echo-1", Recipe(delay: 180, decay: 4, delayMix: 45, cubic: 2, polynomialMix: 30)),
      preset("multi-echo-2", Recipe(delay: 320, decay: 3, delayMix: 45, squared: 1.5, polynomialMix: 30)),
      preset("multi-echo-tight-1", Recipe(delay: 35, decay: 10, delayMix: 45, cubic: 1, polynomialMix: 20)),
      preset("multi-echo-tight-2", Recipe(delay: 60, decay: 8, delayMix: 45, cubic: 1, polynomialMix: 20)),
      preset(
        "multi-everything-is-broken",
        Recipe(
          delay: 70, decay: 9, delayMix: 40, decimation: 45, rounding: 35, decimationMix: 70, squared: 6,
          cubic: 8, polynomialMix: 70, ringFrequencies: (210, 37), ringMix: 50, lowCut: 80, highCut: 8000)),
    ]
  }

  private static var speech: [EffectPreset] {
    [
      preset(
        "speech-alien-chatter",
        Recipe(delay: 20, decay: 20, delayMix: 30, ringFrequencies: (120, 340), ringMix: 80)),
      preset(
        "speech-cosmic-interference",
        Recipe(
          delay: 150, decay: 6, delayMix: 35, decimation: 30, decimationMix: 60, ringFrequencies: (700, 15),
          ringMix: 60, lowCut: 120, highCut: 7000)),
      preset(
        "speech-golden-pi",
        Recipe(squared: 3, polynomialMix: 50, ringFrequencies: (314, 159), ringBalance: 38, ringMix: 60)),
      preset(
        "speech-radio-tower",
        Recipe(
          decimation: 15, rounding: 15, decimationMix: 40, cubic: 4, polynomialMix: 60, gain: 0, lowCut: 400,
          highCut: 3000)),
      preset("speech-waves", Recipe(ringFrequencies: (0.8, 2), ringMix: 70)),
    ]
  }

  private static func preset(_ name: StaticString, _ recipe: Recipe) -> EffectPreset {
    EffectPreset(name, recipe.values.map { ($0.rawValue, $1) })
  }
}
