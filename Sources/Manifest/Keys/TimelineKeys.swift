// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletSignal

/// The keys of the timeline.
enum TimelineKey: String, ManifestKey {
  case tempo, meter, transport, loop, start, tracks, video, lanes, master, declick

  var meaning: String {
    switch self {
    case .tempo:
      "The tempo in quarter notes a minute; default: 120. Or a list of tempos with their positions."
    case .meter: "The time signature; default: 4/4. Or a list of time signatures with their bars."
    case .transport:
      "The source of time: own (default); follow: JACK's transport; lead: the same, as its timebase source."
    case .loop: "The range that repeats, as in 5|1..9|1; everything before it plays once."
    case .start:
      "When the timeline starts: now (default), with the first sound, or paused, which waits for the key t."
    case .tracks:
      "The tracks with their clips of sound files; each track is a node that wires may start from."
    case .video:
      "The video: clips of movies in sequence, which an export to a movie contains."
    case .lanes:
      "The automation of parameters of nodes, and of volume and pan of nodes and wires: `echo.feedback`."
    case .master: "The automation of volume, pan and ducking of all playback nodes."
    case .declick:
      "The time in which volume, pan and ducking reach a value that `mix` or `master` sets; default: 0 s, a step."
    }
  }

  var shape: Shape {
    switch self {
    case .tempo: .either([TempoKey.tempo.shape, .list(.keys(TempoKey.descriptions, oneOf: []))])
    case .meter: .either([.timeSignature, .list(.keys(TimeSignatureKey.descriptions, oneOf: []))])
    case .transport: .choice(Manifest.TransportChoice.allCases.map(\.rawValue))
    case .loop: .range
    case .start: .choice(Manifest.TimelineStart.allCases.map(\.rawValue))
    case .tracks:
      .named(.either([.list(.trackClip), .keys(TrackKey.descriptions, oneOf: [])]))
    case .video: .list(.keys(ClipKey.descriptions, oneOf: []))
    case .lanes: .lanes(.list(.keys(LaneSegmentKey.descriptions, oneOf: [])))
    case .master: .moves
    case .declick: .time
    }
  }
}

/// The keys of a track in its long form.
enum TrackKey: String, ManifestKey {
  case pieces, enabled, volume, mix, declick

  var meaning: String {
    switch self {
    case .pieces: "The clips of the track."
    case .mix: "The automation of volume, pan and ducking of the track."
    case .declick:
      "The time in which volume, pan and ducking reach a value that `mix` sets; default: that of the timeline."
    case .enabled: "Whether the track is audible; default: true."
    case .volume: "The gain as a factor or in dB, in addition to the mix."
    }
  }

  var shape: Shape {
    switch self {
    case .pieces: .list(.trackClip)
    case .mix: .moves
    case .declick: .time
    case .enabled: .toggle
    case .volume: .level
    }
  }

  var isRequired: Bool { self == .pieces }
}

extension Shape {
  /// The syntax of a clip.
  fileprivate static var trackClip: Shape { .keys(TrackClipKey.descriptions, oneOf: []) }
  /// The syntax of a mix, of a track or the master.
  fileprivate static var moves: Shape {
    .list(.keys(MoveKey.descriptions, oneOf: MoveKey.Kind.allCases.map(\.key.rawValue)))
  }
}

/// The keys of a clip.
enum TrackClipKey: String, ManifestKey {
  case file, from, to, at, lasts, until
  case keepsPitch = "keeps-pitch"

  var meaning: String {
    switch self {
    case .file: "The sound file: its path, relative to the manifest."
    case .from: "The start in the file; default: the file's start."
    case .to: "The end in the file; default: the file's end."
    case .at: "The start on the timeline; default: the end of the preceding clip."
    case .lasts:
      "The duration on the timeline; the clip is stretched if it differs from the range in the file."
    case .until: "The end on the timeline, instead of lasts."
    case .keepsPitch:
      "Whether a change of duration keeps the pitch; default: true."
    }
  }

  var shape: Shape {
    switch self {
    case .file: .text
    case .from, .to, .at, .lasts, .until: .time
    case .keepsPitch: .toggle
    }
  }

  var isRequired: Bool { self == .file }
}

/// The keys of a video clip.
enum ClipKey: String, ManifestKey {
  case file, from, to, at, lasts, until

  var meaning: String {
    switch self {
    case .file: "The movie: its path, relative to the manifest."
    case .from: "The start in the movie; default: the movie's start."
    case .to: "The end in the movie; default: the movie's end."
    case .at: "The start on the timeline; default: the end of the preceding clip."
    case .lasts: "The duration on the timeline; the speed changes if it differs from the range in the movie."
    case .until: "The end on the timeline, instead of lasts."
    }
  }

  var shape: Shape {
    switch self {
    case .file: .text
    case .from, .to, .at, .lasts, .until: .time
    }
  }

  var isRequired: Bool { self == .file }
}

/// The keys of a step or ramp in a mix.
enum MoveKey: String, ManifestKey {
  case volume, pan
  case panLaw = "pan-law"
  case ducking, under, at, from, to, curve, by, attack, release, hold, ahead

  /// The kind of a move. A move has exactly one of the kinds' keys.
  enum Kind: CaseIterable {
    case volume, pan, ducked, ducking

    var key: MoveKey {
      switch self {
      case .volume: .volume
      case .pan: .pan
      case .ducked: .ducking
      case .ducking: .under
      }
    }

    /// The other keys that a move of this kind accepts.
    var others: [MoveKey] {
      switch self {
      case .volume, .ducked: [.at, .from, .to, .curve]
      case .pan: [.panLaw, .at, .from, .to, .curve]
      case .ducking: [.by, .attack, .release, .hold, .ahead]
      }
    }
  }

  var meaning: String {
    switch self {
    case .volume: "The volume as a factor or in dB, or its start and end values: [ 0.1, 0.9 ]."
    case .pan: "The pan from -1 (left) to 1 (right), or its start and end values: [ -1, 1 ]."
    case .panLaw: "The pan law, one for the whole mix; default: -3 dB."
    case .ducking: "The ducking gain instead of 'under': a factor or dB, or start and end values."
    case .under: "The track of the timeline under which it is ducked."
    case .at: "The time at which the value is set. A parameter glides to it; with `curve: step` it jumps."
    case .from: "The start time of the ramp."
    case .to: "The end time of the ramp; the value stays afterwards."
    case .curve:
      "The curve of the ramp: linear (default), dB, exponential, s-curve, equal-power, step or bezier X1 Y1 X2 Y2."
    case .by: "The ducking gain in dB; default: -12 dB."
    case .attack: "The attack time; default: 200 ms."
    case .release: "The release time; default: 500 ms."
    case .hold: "The hold time: shorter pauses keep it ducked; default: 500 ms."
    case .ahead:
      "The look-ahead: how long before the other track it begins to duck; default: the attack time."
    }
  }

  var shape: Shape {
    switch self {
    case .volume, .ducking: .either([.level, .list(.level)])
    case .pan: .either([.number(.none, -1...1), .list(.number(.none, -1...1))])
    case .panLaw: .choice(PanLaw.allCases.map(\.rawValue))
    case .under, .curve: .text
    case .at, .from, .to, .attack, .release, .hold, .ahead: .time
    case .by: .number(.decibels, Double(Decibels.silence)...0)
    }
  }
}

/// The keys of a step or ramp of a lane.
enum LaneSegmentKey: String, ManifestKey {
  case value, at, from, to, curve

  var meaning: String {
    switch self {
    case .value: "The value as in `set`, or its start and end values: [ 30 %, 80 % ]."
    case .at: MoveKey.at.meaning
    case .from: MoveKey.from.meaning
    case .to: MoveKey.to.meaning
    case .curve: MoveKey.curve.meaning
    }
  }

  var shape: Shape {
    switch self {
    case .value: .either([.value, .list(.value)])
    case .at: MoveKey.at.shape
    case .from: MoveKey.from.shape
    case .to: MoveKey.to.shape
    case .curve: MoveKey.curve.shape
    }
  }

  var isRequired: Bool { self == .value }
}
