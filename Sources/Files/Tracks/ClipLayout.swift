// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletPlayback

/// The frames of a sound that a clip plays, and their order: a part of the sound with an optional loop in it.
///
/// The last frames of each repetition overlap with the first frames of the next, so that a repetition is shorter than
/// the loop by the crossfade. After the last repetition, the part plays to its end. All frames are counted at the
/// reading rate.
package struct ClipLayout: Sendable, Equatable {
  /// The range of the sound that the clip plays.
  package let part: Range<Int>
  /// The range that repeats.
  package let loop: Range<Int>
  /// The number of repetitions; `Int.max` for an endless loop.
  package let count: Int
  /// The number of frames in which repetitions overlap.
  package let crossfade: Int

  /// Creates a layout. Clamps the loop to the part, and the crossfade to half of the loop.
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

  /// The number of frames from the beginning of one repetition to that of the next.
  package var repetitionLength: Int { max(loop.count - crossfade, 1) }

  /// The frame at which the second repetition begins, counted from the part's beginning.
  package var secondRepetitionStart: Int { loop.lowerBound - part.lowerBound + repetitionLength }

  /// The frames at which the loop repeats, and the number of repetitions.
  package var repetitions: ClipRepetitions {
    ClipRepetitions(first: secondRepetitionStart, length: repetitionLength, count: count)
  }

  /// The total number of frames; nil for an endless loop.
  package var length: Int? {
    guard count < .max else { return nil }
    let (repetitions, overflows) = repetitionLength.multipliedReportingOverflow(by: count - 1)
    return overflows ? Int.max / 1024 : min(repetitions, Int.max / 1024 - part.count) + part.count
  }

  /// Returns the frame of the sound at a frame of the clip; past the clip's end, the end of the part.
  package func soundFrame(of frame: Int) -> Int {
    guard frame < length ?? .max else { return part.upperBound }
    return find(max(frame, 0)).soundFrame
  }

  /// Returns the frame of the clip at which a repetition, counted from 0, plays a frame of the sound. If the repetition
  /// does not play that frame, returns the nearest one that it plays.
  package func frame(of soundFrame: Int, inRepetition repetition: Int) -> Int {
    let repetition = min(max(repetition, 0), count - 1), isLast = repetition == count - 1
    let first = repetition == 0 ? part.lowerBound : loop.lowerBound
    let end = isLast ? part.upperBound : loop.lowerBound + repetitionLength
    let (passed, overflows) = repetitionLength.multipliedReportingOverflow(by: repetition)
    // The largest seek position.
    guard !overflows, passed < 1 << 50 else { return length ?? 1 << 50 }
    return loop.lowerBound - part.lowerBound + passed + min(max(soundFrame, first), end) - loop.lowerBound
  }

  /// Returns the frame of the sound at a frame of the clip, and the number `run` of contiguous frames there. At the
  /// beginning of a repetition, `fade` is the number of frames since the crossfade began.
  func find(_ frame: Int) -> (soundFrame: Int, run: Int, fade: Int?) {
    let intro = loop.lowerBound - part.lowerBound
    guard count > 1, frame >= intro else {
      return (part.lowerBound + frame, count > 1 ? intro - frame : part.count - frame, nil)
    }
    let repetition = min((frame - intro) / repetitionLength, count - 1),
      offset = frame - intro - repetition * repetitionLength
    let soundFrame = loop.lowerBound + offset
    if repetition > 0, offset < crossfade { return (soundFrame, crossfade - offset, offset) }
    return (
      soundFrame, (repetition < count - 1 ? repetitionLength : part.upperBound - loop.lowerBound) - offset,
      nil
    )
  }
}
