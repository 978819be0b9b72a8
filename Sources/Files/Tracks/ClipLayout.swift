// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

/// Which frames of a sound a clip plays, in which order: a part of it, in which a loop turns round.
///
/// The last frames of a turn sound together with the first of the next, so that a turn is shorter than its loop by
/// the crossfade. Behind the last turn the part goes on to its end. All frames are counted at the rate read at.
package struct ClipLayout: Sendable, Equatable {
  /// The part of the sound.
  package let part: Range<Int>
  /// The loop in it.
  package let loop: Range<Int>
  /// How often the loop is played; `Int.max` is without end.
  package let count: Int
  /// For how many frames turns overlap.
  package let crossfade: Int

  /// A layout whose loop lies in its part, is not empty, and at least twice as long as the crossfade.
  package init(part: Range<Int>, loop: Range<Int>? = nil, loops: Loops = .once, crossfade: Int = 0) {
    let loop = (loop ?? part).clamped(to: part)
    self.part = part
    self.loop = loop
    count =
      switch loops {
      case .times(let times): max(times, 1)
      case .forever: .max
      }
    self.crossfade = count > 1 ? min(max(crossfade, 0), loop.count / 2) : 0
  }

  /// How many frames there are from the beginning of a turn to that of the next.
  package var turnLength: Int { max(loop.count - crossfade, 1) }

  /// Where the second turn begins, counted from the part's beginning.
  package var firstTurn: Int { loop.lowerBound - part.lowerBound + turnLength }

  /// Where its loop begins anew, and how often.
  package var turns: ClipTurns { ClipTurns(first: firstTurn, length: turnLength, count: count) }

  /// How many frames there are in all; nil without end.
  package var length: Int? {
    guard count < .max else { return nil }
    let (turns, overflows) = turnLength.multipliedReportingOverflow(by: count - 1)
    return overflows ? Int.max / 1024 : min(turns, Int.max / 1024 - part.count) + part.count
  }

  /// The frame of the sound that is played at a frame of the clip; the end of the part behind it.
  package func place(of frame: Int) -> Int {
    guard frame < length ?? .max else { return part.upperBound }
    return find(max(frame, 0)).place
  }

  /// Where in the clip a frame of the sound is played in a turn, the first of which is 0; the nearest frame of that turn
  /// where the turn does not play it.
  package func frame(of place: Int, inTurn turn: Int) -> Int {
    let turn = min(max(turn, 0), count - 1), isLast = turn == count - 1
    let first = turn == 0 ? part.lowerBound : loop.lowerBound
    let end = isLast ? part.upperBound : loop.lowerBound + turnLength
    let (passed, overflows) = turnLength.multipliedReportingOverflow(by: turn)
    // As far as a seek goes.
    guard !overflows, passed < 1 << 50 else { return length ?? 1 << 50 }
    return loop.lowerBound - part.lowerBound + passed + min(max(place, first), end) - loop.lowerBound
  }

  /// Where a frame is found in the sound: `run` frames lie there in a row. For the first frames of a turn
  /// `fade` says how many frames of the crossfade have passed.
  func find(_ frame: Int) -> (place: Int, run: Int, fade: Int?) {
    let intro = loop.lowerBound - part.lowerBound
    guard count > 1, frame >= intro else {
      return (part.lowerBound + frame, count > 1 ? intro - frame : part.count - frame, nil)
    }
    let turn = min((frame - intro) / turnLength, count - 1), offset = frame - intro - turn * turnLength
    let place = loop.lowerBound + offset
    if turn > 0, offset < crossfade { return (place, crossfade - offset, offset) }
    return (place, (turn < count - 1 ? turnLength : part.upperBound - loop.lowerBound) - offset, nil)
  }
}
