// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The values that the display of a live run shows. They are plain values, so that tests can check the drawing.
struct MeterView: Equatable {
  /// The meters of a tap or playback node, one for each channel.
  struct Row: Equatable {
    /// The node's or tap's name.
    var name: String
    /// The channels' meters.
    var channels: [LevelHistory]
    /// Whether the tap is recording.
    var isRecording = false
    /// Whether the output guard has muted the node.
    var isMuted = false
  }

  /// The meters of an effect.
  struct Reading: Equatable {
    /// The node's name.
    var name: String
    /// The meters' symbols and values as text: `reduction 3.2 dB`.
    var values: [String]
  }

  /// The client's name.
  var client = ""
  /// The sample rate in Hz, and the period in frames.
  var sampleRate = 0.0, period = 0
  /// The time since the start in seconds.
  var seconds = 0.0
  /// The taps and playback nodes.
  var rows: [Row] = []
  /// The meters of effects.
  var readings: [Reading] = []
  /// The DSP load in percent: the maximum of JACK's load and the engine's own load.
  var load = 0.0
  /// The number of xruns.
  var xruns = 0
  /// The length of the running take in seconds; nil without a take.
  var take: Double?
  /// The time for which the disk still has space at the rate of the running takes, in seconds; nil without a take.
  var diskSeconds: Double?
  /// The number of frames that takes have lost.
  var lostFrames = 0
  /// Whether the engine is paused.
  var isPaused = false
}
