// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletSignal

/// The keys of a wire in its long form.
enum WireKey: String, ManifestKey {
  case gain, volume, trim, pan
  case panLaw = "pan-law"
  case phase, mute, solo
  case soloSafe = "solo-safe"
  case sends
  case preFader = "pre-fader"
  case feedback, delay

  var meaning: String {
    switch self {
    case .gain: "How much louder it makes the sound, in dB: its fader."
    case .volume: "Its fader as a factor, in place of gain: 0 is silence, 1 leaves the sound as it is."
    case .trim: "How much louder the sound is before the fader and all sends, in dB."
    case .pan: "Where in the stereo field it puts the sound: -1 is left, 1 is right."
    case .panLaw: "How both sides share what is panned: what a mono sound loses in the centre; usually -3 dB."
    case .phase: "Whether the wave is turned over."
    case .mute: "Whether nothing passes, neither to its end nor to its sends."
    case .solo: "Whether all that its sound is mixed with on its way is silent."
    case .soloSafe: "Whether it is heard while others are soloed."
    case .sends: "Where its sound goes besides, by node: a gain or keys for each."
    case .preFader: "Whether it leaves before the fader, which then does not count for it."
    case .feedback: "Whether it leads back into what feeds it."
    case .delay: "How late a feedback wire is, in frames; 1024 where nothing is said."
    }
  }

  var shape: Shape {
    switch self {
    case .gain, .trim: .number(.decibels, Limits.wireGain)
    case .volume: .number(.none, Limits.volume)
    case .pan: .number(.none, -1...1)
    case .panLaw: .choice(PanLaw.allCases.map(\.rawValue))
    case .phase: .choice(Manifest.Phase.allCases.map(\.rawValue))
    case .mute, .solo, .soloSafe, .preFader, .feedback: .toggle
    case .sends: .ends(.either([WireKey.gain.shape, .keys(WireKey.sendDescriptions, oneOf: []), .nothing]))
    case .delay: .whole(Limits.feedbackDelay)
    }
  }

  /// Whether the key applies to wires that are no sends.
  var isForWires: Bool { self != .preFader }

  /// Whether the key applies to sends.
  var isForSends: Bool {
    switch self {
    case .trim, .solo, .soloSafe, .sends: false
    case .gain, .volume, .pan, .panLaw, .phase, .mute, .preFader, .feedback, .delay: true
    }
  }

  /// The descriptions of a wire's keys.
  static var wireDescriptions: [KeyDescription] { descriptions(of: allCases.filter(\.isForWires)) }
  /// The descriptions of a send's keys.
  static var sendDescriptions: [KeyDescription] { descriptions(of: allCases.filter(\.isForSends)) }
}
