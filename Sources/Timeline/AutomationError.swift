// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why an automation refuses a step or ramp. The automation is unchanged.
@nonexhaustive public enum AutomationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ramp overlaps another.
  case overlap(Range<MediaTime>, with: Range<MediaTime>)
  /// The ramp ends before it begins.
  case reversed(from: MediaTime, until: MediaTime)
  /// The time is before the start.
  case beforeStart(MediaTime)
  /// The value is infinite or not a number.
  case notFinite(Float)
  /// A volume, or a value of a ramp in decibels, is below 0.
  case negativeLevel(Float)
  /// A number of the curve is out of range.
  case badCurve(String)
  /// The pan is outside −1 to 1.
  case badPan(Float)
  /// The ducking depth is outside −96 to 0 dB.
  case badDepth(Float)
  /// A duration is negative; its name is given.
  case negativeLength(String, MediaTime)
  /// The path is not of the form `node.parameter`.
  case badPath(String)

  public var description: String {
    switch self {
    case .overlap(let range, let other):
      "the ramp \(Self.words(range)) overlaps the ramp \(Self.words(other)): end it earlier, or remove the other"
    case .reversed(let start, let end): "a ramp from \(start) until \(end) ends before it begins"
    case .beforeStart(let time): "\(time) is before the start, which is 0s"
    case .notFinite(let value): "a value of \(value) cannot be set: it must be a finite number"
    case .negativeLevel(let value):
      "a level of \(value) is negative: levels are 0 or more"
    case .badCurve(let curve):
      "'\(curve)' is not a valid curve: a steepness is −32 to 32; a Bézier handle's x is 0 to 1, its y −1 to 2"
    case .badPan(let pan): "a pan of \(pan) is out of range: use −1 (left) to 1 (right)"
    case .badDepth(let depth): "a ducking depth of \(depth) dB is out of range: use −96 to 0 dB"
    case .negativeLength(let name, let time): "\(name) cannot be \(time): use 0s or more"
    case .badPath(let path): "'\(path)' is not a parameter path: write node.parameter, as in echo.feedback"
    }
  }

  private static func words(_ range: Range<MediaTime>) -> String {
    "from \(range.lowerBound) to \(range.upperBound)"
  }
}
