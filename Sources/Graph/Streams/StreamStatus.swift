// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The latest orders of the control threads to a source, one of each kind. The audio thread reads it as one value.
struct StreamOrder: BitwiseCopyable {
  /// Goes up with each order to play or to pause.
  var number = 0
  /// Whether it is to play.
  var plays = false
  /// The absolute frame to begin at; nil is at once.
  var start: Int64?
  /// Whether it plays only while the transport rolls.
  var followsTransport = false
  /// The range of the song that plays again and again, in frames.
  var loop: TimelineLoop?
  /// The parameters that lanes control: a bit for each.
  var lanes = 0
  /// The last deviation from the transport that was answered.
  var joined = 0

  /// An absolute frame that the audio thread can calculate with.
  static func possible(_ frame: Int64) -> Int64 { min(max(frame, -1 << 60), 1 << 60) }
}

/// The state of a source on the audio thread.
enum StreamState: BitwiseCopyable {
  /// It is silent until it is to play.
  case standing
  /// It plays by an order, the ring in hand.
  case playing(order: Int)
  /// It fades out, for so many frames more, and then stands still.
  case fadingOut(order: Int, left: Int)
  /// It has come to the end of the stream, and with it fulfilled an order; none where it was to stop anyway.
  case ended(fulfilled: Int?)
}

/// The status of a source, which the audio thread publishes as one value.
struct StreamStatus: BitwiseCopyable {
  var state = StreamState.standing
  /// The filling that is played, and the frame of the file that comes next.
  var filling = 0, position = 0
  /// How many frames of the file go by in each frame that is heard.
  var pace = 1.0
  /// The engine's frame less the ring's; nil while it stands still.
  var ringShift: Int64?
  /// The engine's frame less the song's, as a follower sees it; nil while the song stands still.
  var songOffset: Int64?
  /// Where a follower was to play another frame of the song than the ring's: a number, and by how much the transport
  /// was ahead of the engine's frames. Nil while it is with the song.
  var deviation: (number: Int, lead: Int64)?
  /// The filling in which the speed was changed, so that it belongs to no song any more.
  var songlessFilling: Int?
  /// How often the ring ran dry, and how many frames of silence that made.
  var underruns = 0, missedFrames = 0
}

/// The content of a source's ring, from its first frame on, which the filler publishes.
struct StreamFilling: BitwiseCopyable {
  /// How often the filler had gone elsewhere in the file by then.
  var number = 0
  /// The first frame, of the file and of the ring.
  var frame = 0, ringFrame = 0
  /// The song's frame less the ring's; nil where the ring was not filled for a song.
  var songShift: Int64? = 0
}
