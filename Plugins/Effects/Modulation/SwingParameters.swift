// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The waveform of the LFO of a chorus, a flanger or a phaser.
public enum LFOWaveform: Int, ParameterChoice {
  /// A sine: the movement slows down towards both ends.
  case sine
  /// A triangle: the movement has a constant speed.
  case triangle

  public var symbol: StaticString {
    switch self {
    case .sine: "sine"
    case .triangle: "triangle"
    }
  }
}

// The parameters that effects with an `LFO` share.

extension TypedParameter where Value == Frequency {
  /// Describes the modulation rate.
  static func rate(_ key: Key, _ meaning: StaticString, default initial: Frequency) -> Self {
    Self(key, "rate", name: "Rate", meaning, range: 0.01...10, default: initial, curve: .logarithmic)
  }
}

extension TypedParameter where Value == Percentage {
  /// Describes the feedback of the modulated signal.
  static func feedback(_ key: Key, _ meaning: StaticString, default initial: Percentage) -> Self {
    Self(key, "feedback", name: "Feedback", meaning, range: -95...95, default: initial)
  }

  /// Describes the mix of the signal and a copy that causes notches.
  static func notchMix(_ key: Key, default initial: Percentage) -> Self {
    Self(
      key, "mix", name: "Mix", "The proportion of the copy in the output; at 50 % the notches are deepest",
      range: 0...100, default: initial)
  }
}

extension TypedParameter where Value == Angle {
  /// Describes the phase offset between the channels' modulations.
  static func stereoPhase(_ key: Key, default initial: Angle) -> Self {
    Self(
      key, "stereo-phase", name: "Stereo phase",
      "The phase lead of each channel's modulation over the previous channel's",
      range: 0...180, default: initial, glide: 0.1)
  }
}

extension TypedParameter where Value == LFOWaveform {
  /// Describes the waveform of the modulation.
  static func shape(_ key: Key, _ meaning: StaticString) -> Self {
    Self(key, "shape", name: "Shape", meaning, default: .sine, glide: 0.1)
  }
}

extension TypedParameter where Value == Duration {
  /// Describes the modulation depth of a delay, in milliseconds.
  static func swing(_ key: Key, upTo deepest: Double, default initial: Duration) -> Self {
    Self(
      key, "depth", name: "Depth", "The modulation depth: the difference between longest and shortest delay",
      range: 0...Float(deepest), default: initial, glide: 0.1)
  }
}
