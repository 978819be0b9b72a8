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
    case .gain: "The gain of the fader in dB."
    case .volume: "The fader as a factor, instead of gain: 0 is silence, 1 is unity gain."
    case .trim: "The gain before the fader and all sends, in dB."
    case .pan: "The pan from -1 (left) to 1 (right)."
    case .panLaw: "The pan law: the attenuation of a mono sound in the centre; default: -3 dB."
    case .phase: "The polarity: normal (default) or inverted."
    case .mute: "Whether the wire is muted, including its sends."
    case .solo: "Whether the wire is soloed: the wires that are mixed with it are silent."
    case .soloSafe: "Whether it stays audible while others are soloed."
    case .sends: "The sends by destination: a gain or keys for each."
    case .preFader: "Whether the send is taken before the fader."
    case .feedback: "Whether it is a feedback wire."
    case .delay: "The delay of a feedback wire in frames; default: 1024."
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
