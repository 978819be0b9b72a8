// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The status of a source, which the audio thread publishes as one value.
struct StreamStatus: BitwiseCopyable {
  /// The filling that is played, and the frame of the file that comes next.
  var filling = 0, position = 0
  /// Whether that filling was played to the end of the stream.
  var hasEnded = false
  /// How many frames of the file go by in each frame that is heard.
  var pace = 1.0
  /// The engine's frame less the ring's; nil while it stands still.
  var ringShift: Int64?
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
