// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The speed and pitch at which sound plays.
public struct Stretch: Sendable, Equatable {
  /// The playback rate at unchanged pitch: 0.5 takes twice as long; 0.25 to 4, default 1.
  public var speed: Double
  /// The tape-like playback rate, with which the pitch changes; 0.25 to 4, default 1.
  public var varispeed: Double
  /// The pitch shift at unchanged speed, in semitones; -24 to 24, default 0.
  public var pitch: Double

  /// Creates a value. By default, sound is unchanged. Values out of range are clamped; NaN becomes the default.
  public init(speed: Double = 1, varispeed: Double = 1, pitch: Double = 0) {
    self.speed = Stretch.nearest(speed, in: Stretch.speeds, or: 1)
    self.varispeed = Stretch.nearest(varispeed, in: Stretch.speeds, or: 1)
    self.pitch = Stretch.nearest(pitch, in: Stretch.pitches, or: 0)
  }

  /// This value with each property clamped to its range, since a property can be set to any number.
  package var withinRanges: Stretch { Stretch(speed: speed, varispeed: varispeed, pitch: pitch) }

  /// The range of speed and varispeed.
  package static let speeds = 0.25...4.0
  /// The range of the pitch shift, in semitones.
  package static let pitches = -24.0...24.0

  /// The number of input frames that are played in each output frame.
  package var advance: Double { speed * varispeed }

  /// The frequency ratio of the pitch shift.
  var ratio: Double { exp2(pitch / 12) }

  private static func nearest(_ value: Double, in range: ClosedRange<Double>, or usual: Double) -> Double {
    value.isNaN ? usual : min(max(value, range.lowerBound), range.upperBound)
  }
}
