// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The algorithm that changes speed without pitch, and pitch without speed.
@nonexhaustive public enum StretchEngine: String, CaseIterable, Sendable {
  /// SoundTouch: little work, and soon heard.
  case fast
  /// Rubber Band, by its engine R3: sounds best, and takes more work. Only in a program that is built with the
  /// package trait `RubberBand`, which is then under the GPL.
  case finest

  /// The engines of this program.
  package static let built = Set(allCases.filter(\.isBuilt))

  /// Whether the program was built with this algorithm.
  public var isBuilt: Bool {
    switch self {
    case .fast: true
    case .finest: hasRubberBand
    }
  }

  /// What is to be done where it is not built.
  package static let howToBuild =
    "this build has no Rubber Band; build with 'make build TRAITS=RubberBand' (GPL)"

  /// The rates that it works at, in frames a second.
  package var sampleRates: ClosedRange<Double> {
    switch self {
    // Above, the library throws.
    case .fast: 1000...192_000
    // Below, its windows last so long that the start of a sound is lost.
    case .finest: 32_000...192_000
    }
  }

  /// What does the work; nil where it cannot be had.
  func makeWork(channelCount: Int, sampleRate: Double, isPrompt: Bool) -> (any StretchWork)? {
    guard sampleRates.contains(sampleRate) else { return nil }
    return switch self {
    case .fast: SoundTouchWork(channelCount: channelCount, sampleRate: sampleRate, isPrompt: isPrompt)
    case .finest: makeRubberBand(channelCount: channelCount, sampleRate: sampleRate)
    }
  }
}
