// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Lengths of notes, for what keeps time with the studio's song.
///
/// A choice of them has a first value of its own, number 0, for not keeping time.
enum NoteLength {
  /// Their names, from number 1 on: six straight, then the same dotted, then as triplets.
  static var names: [StaticString] {
    [
      "whole", "half", "quarter", "eighth", "sixteenth", "thirty-second", "dotted-whole", "dotted-half",
      "dotted-quarter", "dotted-eighth", "dotted-sixteenth", "dotted-thirty-second", "whole-triplet",
      "half-triplet", "quarter-triplet", "eighth-triplet", "sixteenth-triplet", "thirty-second-triplet",
    ]
  }

  /// How long a note lasts, in seconds: 60 / tempo · beat unit · its share of a whole note.
  ///
  /// - Returns: 0 where the number is no note's, and while nobody leads with a tempo of at least one beat a
  ///   minute.
  @_noLocks @_noAllocation static func seconds(_ number: Int, _ transport: Transport) -> Double {
    guard 1 <= number, number <= 18, transport.tempo >= 1 else { return 0 }
    // Tempo counts beats, and a beat is whichever note the meter says.
    // As exact as LV2 tells both, so that a node and its plugin agree.
    let unit = transport.beatUnit, beats = Double(unit >= 1 && unit <= 1024 ? Int(unit) : 4)
    let tempo = Double(Float(transport.tempo))
    let kind = (number - 1) / 6, halvings = (number - 1) % 6
    let stretched = kind == 0 ? 1 : kind == 1 ? 1.5 : 2.0 / 3
    return 60 / tempo * beats * stretched / Double(1 << halvings)
  }
}
