// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// How fast and how high sound plays.
public struct Stretch: Sendable, Equatable {
  /// How fast it plays at its own pitch: 0.5 takes twice as long; 0.25 to 4.
  public var speed: Double
  /// How fast it plays as a tape would, where the pitch goes along; 0.25 to 4.
  public var varispeed: Double
  /// How much higher it sounds at its own speed, in semitones; -24 to 24.
  public var pitch: Double

  /// Speed, varispeed and pitch; by default sound is not changed. Values out of range are moved to the edge.
  public init(speed: Double = 1, varispeed: Double = 1, pitch: Double = 0) {
    self.speed = Stretch.nearest(speed, in: Stretch.speeds, or: 1)
    self.varispeed = Stretch.nearest(varispeed, in: Stretch.speeds, or: 1)
    self.pitch = Stretch.nearest(pitch, in: Stretch.pitches, or: 0)
  }

  /// The same, with each number that was set by itself brought into its range.
  package var withinRanges: Stretch { Stretch(speed: speed, varispeed: varispeed, pitch: pitch) }

  /// The slowest and the fastest.
  package static let speeds = 0.25...4.0
  /// The lowest and the highest, in semitones.
  package static let pitches = -24.0...24.0

  /// How many frames of the sound are played in each frame.
  package var advance: Double { speed * varispeed }

  /// What the pitch multiplies frequencies by.
  var ratio: Double { exp2(pitch / 12) }

  private static func nearest(_ value: Double, in range: ClosedRange<Double>, or usual: Double) -> Double {
    value.isNaN ? usual : min(max(value, range.lowerBound), range.upperBound)
  }
}
