// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// All that is shown while a manifest runs: plain values, so that what is drawn can be tested.
struct MeterView: Equatable {
  /// A tap or playback node, channel by channel.
  struct Row: Equatable {
    /// What it is called.
    var name: String
    /// The channels.
    var channels: [LevelHistory]
    /// Whether it is being recorded.
    var isRecording = false
    /// Whether the guard has muted it.
    var isMuted = false
  }

  /// What an effect shows while it runs.
  struct Reading: Equatable {
    /// The effect's node.
    var name: String
    /// Each of its meters, in words: `reduction 3.2 dB`.
    var values: [String]
  }

  /// The client's name.
  var client = ""
  /// Frames a second, and frames a cycle.
  var sampleRate = 0.0, period = 0
  /// Seconds since the start.
  var seconds = 0.0
  /// The taps and playback nodes.
  var rows: [Row] = []
  /// What the effects show.
  var readings: [Reading] = []
  /// JACK's DSP load, in percent.
  var load = 0.0
  /// How often the server was late.
  var xruns = 0
  /// How long the take is, in seconds; nil while none runs.
  var take: Double?
  /// For how long the disk has room at this rate, in seconds; nil while nothing is recorded.
  var diskSeconds: Double?
  /// Frames that takes have lost.
  var lostFrames = 0
  /// Whether sound stands still.
  var isPaused = false
}
