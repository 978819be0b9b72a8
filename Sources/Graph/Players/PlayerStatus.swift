// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The latest order of the control threads to a player. The audio thread reads it as one value.
struct PlayerOrder: BitwiseCopyable {
  /// The run of the player: it goes up with each stop.
  var run = 0
  /// Whether it is to play, how often it was told to, and how often by its last pause.
  var plays = false, number = 0, paused = 0
  /// The absolute frame to play from; nil is at once.
  var start: Int64?
  /// Whether it plays only while the transport rolls.
  var followsTransport = false
  /// The range of the song that plays again and again, in frames.
  var loop: TimelineLoop?
  /// The last deviation from the transport that was answered.
  var joined = 0

  /// Has it play from a frame on.
  mutating func play(at frame: Int64?) {
    start = frame.map(StreamGoal.reachable)
    number += 1
    plays = true
  }

  /// Has it stand still.
  mutating func pause() { (plays, paused) = (false, number) }
}

/// The state of a player on the audio thread.
enum PlayerState: BitwiseCopyable {
  /// Its time stands still.
  case standing
  /// Its time goes on, by an order.
  case running(order: Int)
  /// Its time goes on while it fades out, and then stands still.
  case pausing(order: Int)
  /// Its only stream has come to its end, and with it fulfilled an order; none where it was to stop anyway.
  case ended(fulfilled: Int?)
}

/// The status of a player, which the audio thread publishes as one value.
struct PlayerStatus: BitwiseCopyable {
  var state = PlayerState.standing
  /// The player's own time behind the last block.
  var time: Int64 = 0
  /// What to take from an absolute frame to get the player's own time; nil while it stands still.
  var timeOffset: Int64?
  /// The engine's frame less the song's, as a follower sees it; nil while the song stands still.
  var songOffset: Int64?
  /// Where a follower was to play another frame of the song than its stream's: a number, and by how much the transport
  /// was ahead of the engine's frames. Nil while it is with the song.
  var deviation: (number: Int, lead: Int64)?
  /// Whether the transport had a tempo in the last block.
  var hasTempo = false
  /// The number of the clip that was taken last.
  var lastTaken: Int?
  /// How often a ring ran dry, and how many frames of silence that made.
  var underruns = 0, missedFrames = 0
}
