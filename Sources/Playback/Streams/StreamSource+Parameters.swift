// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import SwiftletSignal

extension StreamSource {
  private static let speeds = Float(Parameter.slowest)...Float(Parameter.fastest)

  /// Describes parameter 0.
  package static let gain = ParameterInfo(
    number: Parameter.gain.rawValue, symbol: "gain", name: "Gain",
    meaning: "The playback gain; -96 dB is silence.", unit: .decibels,
    range: Decibels.silence...Parameter.loudest, initial: 0, glide: 0.02)

  /// Describes parameter 1.
  package static let speed = ParameterInfo(
    number: Parameter.speed.rawValue, symbol: "speed", name: "Speed",
    meaning: "The playback speed as a factor, at constant pitch.", range: speeds, initial: 1,
    curve: .logarithmic)

  /// Describes parameter 2.
  package static let varispeed = ParameterInfo(
    number: Parameter.varispeed.rawValue, symbol: "varispeed", name: "Varispeed",
    meaning: "The tape speed as a factor: the pitch changes with it.", range: speeds, initial: 1,
    curve: .logarithmic)

  /// Describes parameter 3.
  package static let pitch = ParameterInfo(
    number: Parameter.pitch.rawValue, symbol: "pitch", name: "Pitch",
    meaning: "The transposition, at constant speed.", unit: .semitones, range: -24...24,
    initial: 0)

  /// All parameters of a source.
  package static let parameters = [gain, speed, varispeed, pitch]
}
