// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletSignal

/// The keys of the timeline.
enum TimelineKey: String, ManifestKey {
  case tempo, meter, transport, loop, start, tracks, video, lanes, master

  var meaning: String {
    switch self {
    case .tempo: "Quarter notes a minute, 120 where nothing is said; or tempos and where each begins."
    case .meter: "Beats in a bar and the note that is one, 4/4 where nothing is said; or several, by bars."
    case .transport:
      "Whose time it is: own, or that of JACK's transport: follow it, or lead it with the tempo."
    case .loop: "The range that plays again and again, as in 5|1..9|1; what lies before it plays once."
    case .start: "When the timeline starts: now, with the first sound, or paused, which waits for the key t."
    case .tracks: "Pieces of sound files, track by track; each track is a node that wires may start from."
    case .video:
      "The picture of films: clips of movies, one after the other, which an export carries over."
    case .lanes: "How parameters of nodes move, and volume and pan of nodes and wires: `echo.feedback`."
    case .master: "How volume and pan of all that is played move, and what it makes room for."
    }
  }

  var shape: Shape {
    switch self {
    case .tempo: .either([TempoKey.tempo.shape, .list(.keys(TempoKey.descriptions, oneOf: []))])
    case .meter: .either([.meter, .list(.keys(MeterKey.descriptions, oneOf: []))])
    case .transport: .choice(Manifest.TransportChoice.allCases.map(\.rawValue))
    case .loop: .range
    case .start: .choice(Manifest.TimelineStart.allCases.map(\.rawValue))
    case .tracks:
      .named(.either([.list(.piece), .keys(TrackKey.descriptions, oneOf: [])]))
    case .video: .list(.keys(ClipKey.descriptions, oneOf: []))
    case .lanes: .lanes(.list(.keys(TurnKey.descriptions, oneOf: [])))
    case .master: .moves
    }
  }
}

/// The keys of a track in its long form.
enum TrackKey: String, ManifestKey {
  case pieces, enabled, volume, mix

  var meaning: String {
    switch self {
    case .pieces: "The pieces, one after the other."
    case .mix: "How volume and pan move, and what the track makes room for."
    case .enabled: "Whether it is heard, which it is where nothing is said."
    case .volume: "What its sound is multiplied by, as a factor or in dB, besides what the mix says."
    }
  }

  var shape: Shape {
    switch self {
    case .pieces: .list(.piece)
    case .mix: .moves
    case .enabled: .toggle
    case .volume: .level
    }
  }

  var isRequired: Bool { self == .pieces }
}

extension Shape {
  /// The syntax of a clip.
  fileprivate static var piece: Shape { .keys(PieceKey.descriptions, oneOf: []) }
  /// The syntax of a mix, of a track or the master.
  fileprivate static var moves: Shape {
    .list(.keys(MoveKey.descriptions, oneOf: MoveKey.Kind.allCases.map(\.key.rawValue)))
  }
}

/// The keys of a clip.
enum PieceKey: String, ManifestKey {
  case file, from, to, at, lasts, until
  case keepsPitch = "keeps-pitch"

  var meaning: String {
    switch self {
    case .file: "The sound file: its path, as seen from the manifest."
    case .from: "Where in the file it begins; at its start where nothing is said."
    case .to: "Where in the file it ends; at its end where nothing is said."
    case .at: "When it plays; after the piece before it where nothing is said."
    case .lasts: "How long it plays: slower or faster, where that is not as long as it is."
    case .until: "When it has played, in place of lasts: as long as there is time until then."
    case .keepsPitch:
      "Whether another length leaves the pitch as it was, which it does where nothing is said."
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
    case .file: "The movie: its path, as seen from the manifest."
    case .from: "Where in the movie it begins; at its start where nothing is said."
    case .to: "Where in the movie it ends; at its end where nothing is said."
    case .at: "When it is shown; after the clip before it where nothing is said."
    case .lasts: "How long it is shown: slower or faster, where that is not as long as it is."
    case .until: "When it has been shown, in place of lasts."
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
    case .volume: "The volume as a factor or in dB, or where it starts and where it ends: [ 0.1, 0.9 ]."
    case .pan: "Where it stands, from -1, left, to 1, right, or where it starts and ends: [ -1, 1 ]."
    case .panLaw: "How both sides share what is panned, one law for the whole mix; usually -3 dB."
    case .ducking: "What the volume is multiplied by besides, in place of 'under': a factor or dB, or two."
    case .under: "The track of the timeline that it makes room for."
    case .at: "When it is set, until the next time."
    case .from: "When it starts to move."
    case .to: "When it has moved; there it stays."
    case .curve: "The way between: linear, dB, exponential, s-curve, equal-power or bezier X1 Y1 X2 Y2."
    case .by: "How far it goes down, in dB; -12 dB where nothing is said."
    case .attack: "How long it takes to go down; 200 ms where nothing is said."
    case .release: "How long it takes to come back; 500 ms where nothing is said."
    case .hold: "Pauses shorter than this leave it down; 500 ms where nothing is said."
    case .ahead: "How long before the other it begins to go down; as long as it takes where nothing is said."
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
enum TurnKey: String, ManifestKey {
  case value, at, from, to, curve

  var meaning: String {
    switch self {
    case .value: "The value as `set` takes it, or where it starts and where it ends: [ 30 %, 80 % ]."
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
