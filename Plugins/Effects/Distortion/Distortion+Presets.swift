// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

extension Distortion {
  /// The values of all parameters except mix and oversampling, which presets do not set.
  ///
  /// With the default values the signal is only soft-clipped; the other stages change nothing.
  struct PresetValues: Sendable {
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
}

extension Distortion {
  /// Twenty-two presets, in the order of AVAudioUnitDistortion's presets. They do not set mix and oversampling.
  public enum Preset: PresetList {
    /// Slight reduction of bit depth and sample rate.
    case drumsBitBrush
    /// An echo every 90 ms, with reduced bit depth.
    case drumsBufferBeats
    /// A low sample rate, soft clipping, and a high cut at 9 kHz.
    case drumsLoFi
    /// Strong clipping between 180 Hz and 4.5 kHz.
    case multiBrokenSpeaker
    /// A telephone band, 300 Hz to 3.4 kHz, with low bit depth.
    case multiCellphoneConcert
    /// A reduced sample rate; the mildest of four.
    case multiDecimated1
    /// A reduced sample rate and bit depth; the second of four.
    case multiDecimated2
    /// A reduced sample rate and bit depth; the third of four.
    case multiDecimated3
    /// A reduced sample rate and bit depth; the strongest of four.
    case multiDecimated4
    /// Cubic distortion with a short echo of 12 ms.
    case multiDistortedFunk
    /// Cubic distortion alone: odd harmonics.
    case multiDistortedCubed
    /// Squared distortion alone: even harmonics.
    case multiDistortedSquared
    /// An echo every 180 ms, lightly distorted.
    case multiEcho1
    /// An echo every 320 ms, lightly distorted.
    case multiEcho2
    /// A short echo of 35 ms.
    case multiEchoTight1
    /// A short echo of 60 ms.
    case multiEchoTight2
    /// Every stage at once: echo, decimation, clipping, ring modulation.
    case multiEverythingIsBroken
    /// Ring modulation at 120 Hz and 340 Hz, with an echo of 20 ms.
    case speechAlienChatter
    /// Ring modulation at 700 Hz and 15 Hz, with decimation and an echo of 150 ms.
    case speechCosmicInterference
    /// Ring modulation at 314 Hz and 159 Hz, with squared distortion.
    case speechGoldenPi
    /// A narrow band, 400 Hz to 3 kHz, clipped.
    case speechRadioTower
    /// Slow ring modulation at 0.8 Hz and 2 Hz: a tremolo.
    case speechWaves

    public func describe() -> EffectPreset {
      EffectPreset(name, recipe.values.map { ($0.rawValue, $1) })
    }

    private var name: StaticString {
      switch self {
      case .drumsBitBrush: "drums-bit-brush"
      case .drumsBufferBeats: "drums-buffer-beats"
      case .drumsLoFi: "drums-lo-fi"
      case .multiBrokenSpeaker: "multi-broken-speaker"
      case .multiCellphoneConcert: "multi-cellphone-concert"
      case .multiDecimated1: "multi-decimated-1"
      case .multiDecimated2: "multi-decimated-2"
      case .multiDecimated3: "multi-decimated-3"
      case .multiDecimated4: "multi-decimated-4"
      case .multiDistortedFunk: "multi-distorted-funk"
      case .multiDistortedCubed: "multi-distorted-cubed"
      case .multiDistortedSquared: "multi-distorted-squared"
      case .multiEcho1: "multi-echo-1"
      case .multiEcho2: "multi-echo-2"
      case .multiEchoTight1: "multi-echo-tight-1"
      case .multiEchoTight2: "multi-echo-tight-2"
      case .multiEverythingIsBroken: "multi-everything-is-broken"
      case .speechAlienChatter: "speech-alien-chatter"
      case .speechCosmicInterference: "speech-cosmic-interference"
      case .speechGoldenPi: "speech-golden-pi"
      case .speechRadioTower: "speech-radio-tower"
      case .speechWaves: "speech-waves"
      }
    }

    private var recipe: PresetValues {
      switch self {
      case .drumsBitBrush:
        PresetValues(decimation: 25, rounding: 40, decimationMix: 60)
      case .drumsBufferBeats:
        PresetValues(delay: 90, decay: 8, delayMix: 60, decimation: 20, rounding: 25, decimationMix: 50)
      case .drumsLoFi:
        PresetValues(
          decimation: 45, rounding: 30, decimationMix: 70, cubic: 2, polynomialMix: 50, highCut: 9000)
      case .multiBrokenSpeaker:
        PresetValues(
          decimation: 10, rounding: 10, squared: 6, cubic: 8, polynomialMix: 80, gain: -3, lowCut: 180,
          highCut: 4500)
      case .multiCellphoneConcert:
        PresetValues(
          decimation: 35, rounding: 15, decimationMix: 60, squared: 2, polynomialMix: 60, lowCut: 300,
          highCut: 3400)
      case .multiDecimated1:
        PresetValues(decimation: 20, rounding: 0, decimationMix: 100)
      case .multiDecimated2:
        PresetValues(decimation: 40, rounding: 15, decimationMix: 100)
      case .multiDecimated3:
        PresetValues(decimation: 60, rounding: 30, decimationMix: 100)
      case .multiDecimated4:
        PresetValues(decimation: 80, rounding: 45, decimationMix: 100)
      case .multiDistortedFunk:
        PresetValues(delay: 12, decay: 30, delayMix: 20, cubic: 6, polynomialMix: 60)
      case .multiDistortedCubed:
        PresetValues(linear: 0.2, cubic: 16, polynomialMix: 100)
      case .multiDistortedSquared:
        PresetValues(linear: 0.2, squared: 16, polynomialMix: 100)
      case .multiEcho1:
        PresetValues(delay: 180, decay: 4, delayMix: 45, cubic: 2, polynomialMix: 30)
      case .multiEcho2:
        PresetValues(delay: 320, decay: 3, delayMix: 45, squared: 1.5, polynomialMix: 30)
      case .multiEchoTight1:
        PresetValues(delay: 35, decay: 10, delayMix: 45, cubic: 1, polynomialMix: 20)
      case .multiEchoTight2:
        PresetValues(delay: 60, decay: 8, delayMix: 45, cubic: 1, polynomialMix: 20)
      case .multiEverythingIsBroken:
        PresetValues(
          delay: 70, decay: 9, delayMix: 40, decimation: 45, rounding: 35, decimationMix: 70, squared: 6,
          cubic: 8, polynomialMix: 70, ringFrequencies: (210, 37), ringMix: 50, lowCut: 80, highCut: 8000)
      case .speechAlienChatter:
        PresetValues(delay: 20, decay: 20, delayMix: 30, ringFrequencies: (120, 340), ringMix: 80)
      case .speechCosmicInterference:
        PresetValues(
          delay: 150, decay: 6, delayMix: 35, decimation: 30, decimationMix: 60, ringFrequencies: (700, 15),
          ringMix: 60, lowCut: 120, highCut: 7000)
      case .speechGoldenPi:
        PresetValues(squared: 3, polynomialMix: 50, ringFrequencies: (314, 159), ringBalance: 38, ringMix: 60)
      case .speechRadioTower:
        PresetValues(
          decimation: 15, rounding: 15, decimationMix: 40, cubic: 4, polynomialMix: 60, gain: 0, lowCut: 400,
          highCut: 3000)
      case .speechWaves:
        PresetValues(ringFrequencies: (0.8, 2), ringMix: 70)
      }
    }
  }
}
