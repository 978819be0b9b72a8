// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The algorithm that changes speed without pitch, and pitch without speed.
@nonexhaustive public enum StretchAlgorithm: String, CaseIterable, Sendable {
  /// SoundTouch: low processor load and low latency.
  case fast
  /// Rubber Band, engine R3: best quality, higher processor load. Only in a program that is built with the package
  /// trait `RubberBand`, which is then under the GPL.
  case finest

  /// The algorithms that this program was built with.
  package static let built = Set(allCases.filter(\.isBuilt))

  /// Whether the program was built with this algorithm.
  public var isBuilt: Bool {
    switch self {
    case .fast: true
    case .finest: hasRubberBand
    }
  }

  /// Instructions for a build that lacks an algorithm.
  package static let howToBuild =
    "this build has no Rubber Band; build with 'make build TRAITS=RubberBand' (GPL)"

  /// The supported sample rates in Hz.
  package var sampleRates: ClosedRange<Double> {
    switch self {
    // Above this range, the library throws.
    case .fast: 1000...192_000
    // Below this range, windows last so long that the start of a sound is lost.
    case .finest: 32_000...192_000
    }
  }

  /// Creates the algorithm's implementation; nil if it is not built, does not support the rate, or has no memory.
  func makeWork(channelCount: Int, sampleRate: Double, isPrompt: Bool) -> (any StretchWork)? {
    guard sampleRates.contains(sampleRate) else { return nil }
    return switch self {
    case .fast: SoundTouchWork(channelCount: channelCount, sampleRate: sampleRate, isPrompt: isPrompt)
    case .finest: makeRubberBand(channelCount: channelCount, sampleRate: sampleRate)
    }
  }
}
