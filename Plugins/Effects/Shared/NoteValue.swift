// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The note values of parameters that follow the tempo of the transport.
public enum NoteValue: Int, ParameterChoice {
  /// The parameter does not follow the tempo.
  case none
  /// A whole note.
  case whole
  /// A half note.
  case half
  /// A quarter note.
  case quarter
  /// An eighth note.
  case eighth
  /// A sixteenth note.
  case sixteenth
  /// A thirty-second note.
  case thirtySecond
  /// A dotted whole note: one and a half times as long.
  case dottedWhole
  /// A dotted half note: one and a half times as long.
  case dottedHalf
  /// A dotted quarter note: one and a half times as long.
  case dottedQuarter
  /// A dotted eighth note: one and a half times as long.
  case dottedEighth
  /// A dotted sixteenth note: one and a half times as long.
  case dottedSixteenth
  /// A dotted thirty-second note: one and a half times as long.
  case dottedThirtySecond
  /// A whole note of a triplet: two thirds as long.
  case wholeTriplet
  /// A half note of a triplet: two thirds as long.
  case halfTriplet
  /// A quarter note of a triplet: two thirds as long.
  case quarterTriplet
  /// An eighth note of a triplet: two thirds as long.
  case eighthTriplet
  /// A sixteenth note of a triplet: two thirds as long.
  case sixteenthTriplet
  /// A thirty-second note of a triplet: two thirds as long.
  case thirtySecondTriplet

  public var symbol: StaticString {
    switch self {
    case .none: "off"
    case .whole: "whole"
    case .half: "half"
    case .quarter: "quarter"
    case .eighth: "eighth"
    case .sixteenth: "sixteenth"
    case .thirtySecond: "thirty-second"
    case .dottedWhole: "dotted-whole"
    case .dottedHalf: "dotted-half"
    case .dottedQuarter: "dotted-quarter"
    case .dottedEighth: "dotted-eighth"
    case .dottedSixteenth: "dotted-sixteenth"
    case .dottedThirtySecond: "dotted-thirty-second"
    case .wholeTriplet: "whole-triplet"
    case .halfTriplet: "half-triplet"
    case .quarterTriplet: "quarter-triplet"
    case .eighthTriplet: "eighth-triplet"
    case .sixteenthTriplet: "sixteenth-triplet"
    case .thirtySecondTriplet: "thirty-second-triplet"
    }
  }

  /// Returns the length of a note in seconds: 60 / tempo · beat unit · its proportion of a whole note.
  ///
  /// - Returns: 0 if the number is that of no note, or if the tempo is below 1 beat per minute, as it is without a
  ///   timebase source.
  @_noLocks @_noAllocation static func seconds(_ number: Int, _ transport: Transport) -> Double {
    guard 1 <= number, number <= 18, transport.tempo >= 1 else { return 0 }
    // The tempo counts beats, and the time signature gives the note value of a beat. Both are rounded to the precision
    // of LV2, so that a node and its LV2 plugin agree.
    let unit = transport.beatUnit, beats = Double(unit >= 1 && unit <= 1024 ? Int(unit) : 4)
    let tempo = Double(Float(transport.tempo))
    let kind = (number - 1) / 6, halvings = (number - 1) % 6
    let stretched = kind == 0 ? 1 : kind == 1 ? 1.5 : 2.0 / 3
    return 60 / tempo * beats * stretched / Double(1 << halvings)
  }
}
