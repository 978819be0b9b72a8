// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A source's status, which the audio thread publishes as one value.
struct StreamStatus: BitwiseCopyable {
  /// The number of the filling that is being played, and the next frame of the file.
  var filling = 0, position = 0
  /// Whether that filling was played to the stream's end.
  var hasEnded = false
  /// The playback rate, in file frames per output frame.
  var pace = 1.0
  /// The engine's frame minus the ring frame; nil while the source is stopped.
  var ringShift: Int64?
  /// The filling during which the playback rate changed, so that it no longer belongs to the timeline.
  var detachedFilling: Int?
  /// The number of underruns, and the frames of silence that they caused.
  var underruns = 0, missedFrames = 0
}

/// The content of a source's ring from its first frame on, which the prefetch thread publishes.
struct StreamFilling: BitwiseCopyable {
  /// The number of restarts at another frame of the file, up to this filling.
  var number = 0
  /// The first frame: in the file and in the ring.
  var frame = 0, ringFrame = 0
  /// The timeline frame minus the ring frame; nil if the ring was not filled for a timeline position.
  var timelineShift: Int64? = 0
}
