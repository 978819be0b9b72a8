// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The latest requests of the control threads to a player. The audio thread reads them as one value.
struct PlayerOrder: BitwiseCopyable {
  /// The player's run number; each stop increments it.
  var run = 0
  /// Whether the player is to play, the number of play requests, and that number at the last pause.
  var plays = false, number = 0, paused = 0
  /// The absolute frame at which playback starts; nil means immediately.
  var start: Int64?
  /// Whether the player plays only while the transport rolls.
  var followsTransport = false
  /// The timeline's loop range, in frames.
  var loop: TimelineLoop?
  /// The number of the last deviation from the transport that the control thread has handled.
  var joined = 0

  /// Requests playback from a frame on.
  mutating func play(at frame: Int64?) {
    start = frame.map(StreamGoal.reachable)
    number += 1
    plays = true
  }

  /// Requests a pause.
  mutating func pause() { (plays, paused) = (false, number) }
}

/// The state of a player on the audio thread.
enum PlayerState: BitwiseCopyable {
  /// The player's time is stopped.
  case stopped
  /// The player's time runs, by the play request with this number.
  case running(order: Int)
  /// The player's time runs while it fades out, and then stops.
  case pausing(order: Int)
  /// The player's only stream has ended. This completes a play request, or none if the player was pausing anyway.
  case ended(fulfilled: Int?)
}

/// A player's status, which the audio thread publishes as one value.
struct PlayerStatus: BitwiseCopyable {
  var state = PlayerState.stopped
  /// The player's own time at the end of the last block, in frames.
  var time: Int64 = 0
  /// An absolute frame minus the player's own time; nil while it is stopped.
  var timeOffset: Int64?
  /// The engine's frame minus the transport's position, for a player that follows the transport; nil while the
  /// transport is stopped.
  var timelineOffset: Int64?
  /// A deviation from the transport: the player's stream did not hold the transport's frame. Its number, and the
  /// transport's position minus the engine's frame. Nil while the player is in sync.
  var deviation: (number: Int, offset: Int64)?
  /// Whether the transport had a tempo in the last block.
  var hasTempo = false
  /// The number of the last clip that the audio thread has taken from the ring.
  var lastTaken: Int?
  /// The number of underruns, and the frames of silence that they caused.
  var underruns = 0, missedFrames = 0
}
