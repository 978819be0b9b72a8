// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why a time or a musical position is refused.
@nonexhaustive public enum TimeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number is infinite or NaN.
  case notFinite
  /// The time, as it was given, is more than 68 years from the start.
  case tooFar(String)
  /// The text is not a time.
  case unreadable(String)
  /// The number has no unit.
  case noUnit(String)
  /// The end of a range lies before its start.
  case backwards(from: MediaTime, to: MediaTime)
  /// The text counts frames, but no sample rate is known.
  case noRate(String)
  /// The text counts bars and beats, but there is no tempo map.
  case noTempo(String)
  /// The bar or beat does not exist.
  case noSuchBeat(String)
  /// The tempo in quarter notes per minute is out of range.
  case badTempo(Double)
  /// The time signature is not possible.
  case badTimeSignature(beats: Int, unit: Int)
  /// The position in quarter notes is before the start, infinite or too far.
  case badPosition(Double)

  public var description: String {
    switch self {
    case .notFinite: "a time must be a finite number of seconds: to mean the end, omit it"
    case .tooFar(let text): "\(text) is more than 68 years from the start"
    case .unreadable(let text):
      "'\(text)' is not a time: write 1.5s, 350ms, 48000@48000 (samples@rate), 1:30.250, 1:02:03 or 5|3.5 (bar|beat)"
    case .noUnit(let text):
      "'\(text)' has no unit: write \(text)s"
        + (text.utf8.contains(UInt8(ascii: ".")) ? "" : ", or \(text)@48000 for samples at a rate")
    case .backwards(let start, let end): "\(end) is before \(start): a range goes from its start to its end"
    case .noRate(let text):
      "'\(text)' counts samples of an unknown rate: write \(text.prefix { !$0.isLetter && $0 != " " })@48000 for those "
        + "at 48000 Hz"
    case .noTempo(let text): "'\(text)' counts bars and beats, but there is no tempo"
    case .noSuchBeat(let text):
      "position '\(text)' does not exist: bars and beats count from 1, "
        + "a bar has the beats of its time signature, and the timeline ends within 68 years"
    case .badTempo(let tempo): "a tempo of \(tempo) quarter notes a minute is not in 1 to 1000"
    case .badTimeSignature(let beats, let unit):
      "\(beats)/\(unit) is not a time signature: a bar has 1 to 64 beats of a 1st, 2nd, 4th, 8th, 16th or 32nd note"
    case .badPosition(let quarter):
      "quarter note \(quarter) is out of range: positions count from 0 and end within 68 years"
    }
  }
}
