// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletStretch

// The messages about effects, and about their files, stretch algorithms, bands and presets.

extension EngineError {
  /// Returns the message for an effect that cannot be made.
  static func refusalText(of name: String, _ error: EffectError) -> String {
    switch error {
    case .sampleRate(let rate): "'\(name)' does not support \(rate) Hz; choose another sample rate"
    case .channels(let count): "'\(name)' does not support \(count) channels; choose another number"
    case .bands(let count): "'\(name)' does not support \(count) bands; choose another number"
    case .file(_, let fault): "a file of '\(name)' \(fault.predicate)"
    case .engine: "'\(name)' does not have the chosen stretch algorithm; choose another"
    case .resources: "the system has no memory or no thread left for '\(name)'; end other programs"
    }
  }

  /// Returns the message for a file name that the effect does not have.
  static func unknownFileText(_ file: String, of effect: String, _ known: [String]) -> String {
    "'\(effect)' has no file '\(file)': " + list(known, orElse: "it uses no files")
  }

  /// Returns the message for a stretch algorithm that the effect does not have.
  static func unknownAlgorithmText(_ algorithm: StretchAlgorithm, of node: String, _ known: [String])
    -> String
  {
    "'\(node)' has no stretch algorithm '\(algorithm)': " + list(known, orElse: "it has none to choose from")
  }

  /// Returns the message for a stretch algorithm that does not support the sample rate.
  static func badRateText(_ rate: Double, for algorithm: StretchAlgorithm, of node: String) -> String {
    "'\(node)' needs the stretch algorithm '\(algorithm)', which works at \(Int(algorithm.sampleRates.lowerBound)) to "
      + "\(Int(algorithm.sampleRates.upperBound)) Hz and not at \(rate) Hz; choose another rate or algorithm"
  }

  /// Returns the message for a number of bands that the effect cannot have.
  static func badBandsText(of node: String, _ count: Int, _ range: ClosedRange<Int>) -> String {
    "'\(node)' cannot have \(count) bands: "
      + (range.count == 1
        ? "it has one for each channel, \(range.lowerBound) in all"
        : "\(range.lowerBound) to \(range.upperBound) are possible")
  }

  /// Returns the message for a band that the effect does not have.
  static func noSuchBandText(_ node: String, _ band: Int, _ count: Int) -> String {
    "'\(node)' has no band \(band): "
      + (count == 0 ? "it has no bands" : "it has \(count), counted from 0 to \(count - 1)")
  }

  /// Returns the message for a preset that the effect or plugin does not have.
  static func unknownPresetText(_ preset: String, of node: String, _ known: [String]) -> String {
    "'\(node)' has no preset '\(preset)': " + list(Array(known.prefix(12)), orElse: "it has none")
  }
}
