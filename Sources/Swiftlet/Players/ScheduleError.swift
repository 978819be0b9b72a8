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
  case badLoopCount(Int)
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
    case .empty(let what): "the \(what) has no frames: its end must be after its start"
    case .pastEnd(let what, let end, let length):
      "the \(what) ends at \(end), but the sound is \(length) long; end it there"
    case .beforeStart(let what): "the \(what) begins before the sound does: times count from 0"
    case .loopOutside(let part):
      "the loop is not within the part that is played: \(part.lowerBound) to \(part.upperBound)"
    case .noSampleLoop:
      "the file has no forward sampler loop: give the loop points as times or frames"
    case .badLoopCount(let count): "a loop cannot play \(count) times: use 1 or more"
    case .crossfadeTooLong(let asked, let most):
      "a crossfade of \(asked) is too long for the loop: use at most \(most), half of its length"
    case .badBuffer: "the buffer has no frames, or a sample rate that cannot be converted to the engine's"
    case .silentComposition: "the composition has no sound: insert a clip in one of its tracks first"
    case .itemEnded: "the item has ended, so it cannot be edited: schedule the edited composition again"
    case .noBeats:
      "the transport has no beats: JACK has no timebase source with a tempo, or the engine does not run"
    case .badBeat(let beat): "\(beat) is not a beat: beats count from 0 at the start of the first bar"
    case .noClock: "an offline engine has no clock: give the time as a frame of the engine"
    case .nothingScheduled: "there is no item to seek in: schedule one first"
    case .tooDense(let most, let within):
      "\(most) waiting items are shorter than \(within) in all: join some of them in one buffer"
    case .tooManyOverlap(let most, let within):
      "\(most) items overlap within \(within) already: schedule some of them later, or on another player"
    case .loopsAsWhole:
      "a MIDI file loops as a whole: give how often it plays, without 'points' and 'crossfade'"
    case .followsTransport:
      "the player follows the transport: start and locate the transport, and schedule by its frames or beats"
    case .noTransport:
      "the engine does not follow JACK's transport: call 'setTransportRole' with '.follow' or '.timebase' before it "
        + "plays"
    }
  }
}
