// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// The reason why a player refuses an item or a seek. Its description is the rest of a sentence that begins with the
/// player's name.
@nonexhaustive public enum ScheduleError: Error, Sendable, Equatable {
  /// The part, or its loop, has no frame.
  case empty(what: String)
  /// The part, or the loop, ends after the sound, whose length is given.
  case pastEnd(what: String, end: MediaTime, length: MediaTime)
  /// The part, or the loop, begins before the sound does.
  case beforeStart(what: String)
  /// The loop is not within the part that is played.
  case loopOutside(part: Range<MediaTime>)
  /// The file has no loop for samplers.
  case noSampleLoop
  /// The number of passes of a loop is below 1.
  case badTurns(Int)
  /// The crossfade of a loop is longer than half of the loop.
  case crossfadeTooLong(asked: Duration, most: Duration)
  /// The buffer has no frames, or a sample rate that cannot be converted to the engine's.
  case badBuffer
  /// The composition has no sound.
  case silentComposition
  /// The item has ended, so an edit of it would not be heard.
  case itemEnded
  /// The transport has no tempo, so that its beats are unknown.
  case noBeats
  /// The beat is not a number, or before the first.
  case badBeat(Double)
  /// The engine is offline, and has no host time.
  case noClock
  /// The schedule is empty, so that there is nothing to seek in.
  case nothingScheduled
  /// More items than the player can hold are so short that they are all played within this time.
  case tooDense(most: Int, within: Duration)
  /// More items than the player can hold overlap within this time.
  case tooManyOverlap(most: Int, within: Duration)
  /// The loop names a range or a crossfade, but a MIDI file loops as a whole.
  case loopsAsWhole
  /// The player follows the transport, which sets its position.
  case followsTransport
  /// The player follows the transport, and the engine's timeline does not.
  case noTransport
}

extension ScheduleError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty(let what): "the \(what) has no frames: its end must lie behind its beginning"
    case .pastEnd(let what, let end, let length):
      "the \(what) ends at \(end), but the sound is \(length) long; end it there"
    case .beforeStart(let what): "the \(what) begins before the sound does: times count from 0"
    case .loopOutside(let part):
      "the loop does not lie in the part that is played: \(part.lowerBound) to \(part.upperBound)"
    case .noSampleLoop:
      "the sound names no loop for samplers that turns forwards: give its points as times or frames"
    case .badTurns(let count): "a loop cannot be played \(count) times: once or more often is possible"
    case .crossfadeTooLong(let asked, let most):
      "a loop cannot cross over \(asked): half of its length is \(most)"
    case .badBuffer: "the buffer has no frames, or a rate that cannot be brought to the engine's"
    case .silentComposition: "the composition has no sound: insert a piece in one of its tracks first"
    case .itemEnded: "the item has ended: schedule its composition again, with the edit in it"
    case .noBeats:
      "there is no beat to begin on: nobody leads JACK's transport with a tempo, or the engine does not run"
    case .badBeat(let beat): "\(beat) is no beat: they count from 0, where the first bar begins"
    case .noClock: "an offline engine knows no clock: give the time as a frame of the engine"
    case .nothingScheduled: "nothing is scheduled that it could seek in"
    case .tooDense(let most, let within):
      "\(most) items that wait last less than \(within) together; join some of them in one buffer"
    case .tooManyOverlap(let most, let within):
      "\(most) items overlap within \(within) already: schedule some of them later, or on another player"
    case .loopsAsWhole:
      "a MIDI file loops as a whole: give how often it plays, without 'points' and 'crossfade'"
    case .followsTransport:
      "its place is the transport's: start and locate that, and schedule by frames or beats of the song"
    case .noTransport:
      "the engine's timeline is its own: call 'setTransportRole' with '.follow' or '.lead' before it plays"
    }
  }
}
