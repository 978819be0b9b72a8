// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The latest order of the control threads to a player. The audio thread reads it as one value.
struct PlayerOrder: BitwiseCopyable {
  /// The run of the player: it goes up with each stop.
  var run = 0
  /// Whether it is to play, and how often it was to play after it was not.
  var plays = false, number = 0
  /// The absolute frame to play from; nil is at once.
  var start: Int64?
}

/// The state of a player on the audio thread.
enum PlayerState: BitwiseCopyable {
  /// Its time stands still.
  case standing
  /// Its time goes on, by an order.
  case running(order: Int)
  /// Its time goes on while it fades out, and then stands still.
  case pausing
}

/// The status of a player, which the audio thread publishes as one value.
struct PlayerStatus: BitwiseCopyable {
  /// The player's own time behind the last block.
  var time: Int64 = 0
  /// What to take from an absolute frame to get the player's own time; nil while it stands still.
  var timeOffset: Int64?
  /// Whether the transport had a tempo in the last block.
  var hasTempo = false
  /// The number of the clip that was taken last.
  var lastTaken: Int?
  /// How often a ring ran dry, and how many frames of silence that made.
  var underruns = 0, missedFrames = 0
}
