// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletPlayback
internal import SwiftletSignal
internal import Swiftlet

/// The root keys of a manifest.
enum RootKey: String, ManifestKey {
  case swiftlet, name, block, isolate, session, nodes, timeline, wires, taps

  var meaning: String {
    switch self {
    case .swiftlet: "The version of the manifest's language: \(Manifest.version)."
    case .name: "The name of the JACK client; default: the file's name."
    case .block:
      "The block length of `render` in frames; default: 256 with plugins, otherwise 4096. "
        + "Some plugins sound different with other lengths."
    case .isolate:
      "Whether its plugins run in other processes: true, false (default), or alone, each in a process of its own."
    case .session: "The purpose of the client, and its behaviour beside other sessions on the JACK server."
    case .nodes: "The sources, processors and destinations of sound, each under a name of your choice."
    case .timeline:
      "The timeline: tracks with clips of sound files. Each track is a node that wires start from."
    case .wires: "The connections between nodes, as in `mic -> gate -> desk`."
    case .taps: "The points that are metered or recorded, each under a name of your choice."
    }
  }

  var shape: Shape {
    switch self {
    case .swiftlet: .whole(Manifest.version...Manifest.version)
    case .name: .text
    case .block: .whole(Manifest.blockLengths)
    case .isolate: .choice(Manifest.Isolation.allCases.map(\.rawValue))
    case .session: .keys(SessionKey.descriptions, oneOf: [])
    case .nodes: .named(.node)
    case .timeline: .keys(TimelineKey.descriptions, oneOf: [])
    case .wires: .list(.wire)
    case .taps: .named(.keys(TapKey.descriptions, oneOf: [TapKey.after.rawValue, TapKey.before.rawValue]))
    }
  }

  var isRequired: Bool { self == .swiftlet || self == .nodes }
}

/// The kinds of nodes. A node has exactly one of these keys.
enum KindKey: String, ManifestKey {
  case capture, playback
  case midiIn = "midi-in"
  case midiOut = "midi-out"
  case effect, lv2, mixer, player

  /// Kinds that are planned and not implemented yet.
  static let later = ["sampler"]
  /// Names of effects that users may try as kinds.
  static let effects = ["environment"]

  var meaning: String {
    switch self {
    case .capture: "An audio input, such as a microphone: its number of channels."
    case .playback: "An audio output, such as headphones: its number of channels."
    case .midiIn: "A MIDI input, such as a keyboard."
    case .midiOut: "A MIDI output."
    case .effect: "A built-in effect: its name, such as delay."
    case .lv2: "An LV2 plugin that is installed: its URI."
    case .mixer: "A mixer, which adds up its inputs: its number of channels."
    case .player: "A player of a sound file: its path, relative to the manifest."
    }
  }

  var shape: Shape {
    switch self {
    case .capture, .playback, .mixer: .either([.channels, .nothing])
    case .midiIn, .midiOut: .nothing
    case .effect, .lv2, .player: .text
    }
  }

  /// The default number of channels; nil if the kind has none.
  var usualChannels: Int? {
    switch self {
    case .capture: 1
    case .playback, .mixer: 2
    case .midiIn, .midiOut, .effect, .lv2, .player: nil
    }
  }

  /// Whether the kind needs no value.
  var standsAlone: Bool {
    switch self {
    case .capture, .playback, .midiIn, .midiOut, .mixer: true
    case .effect, .lv2, .player: false
    }
  }
}

/// The keys that a node may have besides its kind.
enum NodeKey: String, ManifestKey {
  case connect, files, isolate
  case onFailure = "on-failure"
  case programChange = "program-change"
  case deadline, state, set, preset, bypass, loop, speed, varispeed, pitch, engine, gain, ceiling, channels

  var meaning: String {
    switch self {
    case .connect:
      "The JACK ports it is connected to: a name, /a pattern/, physical, physical:N or none; or the first-of several."
    case .files: "The files of the effect, by name: paths relative to the manifest."
    case .isolate:
      "Whether the plugin runs in another process, so that a crash harms nothing else: true, with isolated plugins that it is "
        + "wired to, or alone; default: the manifest's key 'isolate'."
    case .onFailure:
      "The output of an isolated plugin that has failed, until it is restarted: mute (default) or bypass."
    case .deadline:
      "The time for which the audio thread waits for the isolated plugin in a block; default: a quarter of JACK's period."
    case .programChange:
      "The response to a MIDI program change: plugin (default), the plugin receives it; or preset, the preset of that bank and number "
        + "is loaded."
    case .state: "The folder of a state that the plugin starts with, before its preset and parameters."
    case .set: "The initial values of parameters by name, such as 350 ms or -3 dB."
    case .preset: "The initial preset: a name or a URI."
    case .bypass: "Whether the node is bypassed."
    case .loop: "The number of times that the file plays: a number, once (default) or forever."
    case .speed: "The playback speed at constant pitch: 0.5 takes twice as long."
    case .varispeed: "The playback speed with the pitch changing accordingly, like a tape."
    case .pitch: "The pitch shift at constant speed, in semitones."
    case .engine: "The stretch algorithm: fast, or finest in a build with Rubber Band."
    case .gain: "The gain in dB."
    case .ceiling: "The limit of the true peak in dBFS; default: no limit."
    case .channels: "The number of channels; default: derived from its wires."
    }
  }

  var shape: Shape {
    switch self {
    case .connect:
      .either([
        .text, .list(.text), .keys(ConnectKey.descriptions, oneOf: [ConnectKey.firstOf.rawValue]),
      ])
    case .files: .named(.text)
    case .isolate: .choice(Manifest.Isolation.allCases.map(\.rawValue))
    case .onFailure: .choice(PluginIsolation.Failure.allCases.map(\.rawValue))
    case .deadline: .number(.milliseconds, Limits.deadline)
    case .programChange: .choice(ProgramChangeUse.allCases.map(\.rawValue))
    case .state: .text
    case .set: .settings
    case .preset: .text
    case .bypass: .toggle
    case .loop: .either([.choice(["once", "forever"]), .whole(Limits.loops)])
    case .speed, .varispeed: .number(.none, Stretch.speeds)
    case .pitch: .number(.semitones, Stretch.pitches)
    case .engine: .choice(StretchAlgorithm.allCases.map(\.rawValue))
    case .gain: .number(.decibels, Limits.nodeGain)
    case .ceiling: .number(.decibels, Limits.ceiling)
    case .channels: .channels
    }
  }

  /// The kinds of node that accept this key.
  var kinds: [KindKey] {
    switch self {
    case .connect: [.capture, .playback, .midiIn, .midiOut]
    case .files: [.effect]
    case .isolate, .onFailure, .deadline, .state, .programChange: [.lv2]
    case .set, .preset, .bypass, .channels: [.effect, .lv2]
    case .loop, .speed, .varispeed, .pitch: [.player]
    case .engine: [.effect, .player]
    case .gain: [.mixer, .player]
    case .ceiling: [.playback]
    }
  }
}

/// The keys of a tap.
enum TapKey: String, ManifestKey {
  case after, before, record

  var meaning: String {
    switch self {
    case .after: "The node whose output is tapped, or the wire, after its fader."
    case .before: "The node whose input is tapped, or the wire, before its fader."
    case .record: "The file that it records to, or a mapping with more keys; without it the tap only meters."
    }
  }

  var shape: Shape {
    switch self {
    case .after, .before: .point
    case .record: .either([.text, .keys(RecordKey.descriptions, oneOf: [])])
    }
  }
}

/// The keys of a recording in its long form.
enum RecordKey: String, ManifestKey {
  case file, format, rate, quality
  case bitRate = "bit-rate"
  case heardThrough = "heard-through"
  case start, overwrite

  var meaning: String {
    switch self {
    case .file:
      "The file's name, with {tap} {take} {name} {date} {time} filled in; its extension selects the format."
    case .format: "The sample format; default: the best one of the file format."
    case .rate: "The sample rate of the file in Hz; default: the engine's."
    case .quality: "The quality of a lossy codec, from 0 (smallest file) to 1 (best)."
    case .bitRate:
      "The bit rate of a lossy codec in bits a second, for all channels together, instead of quality."
    case .heardThrough:
      "The playback node through which the performer hears the others: the take is moved earlier by the latency of "
        + "playback and capture."
    case .start: "When recording starts: now (default), or armed, on request."
    case .overwrite: "Whether an existing file may be overwritten; default: false."
    }
  }

  var shape: Shape {
    switch self {
    case .file, .heardThrough: .text
    case .format: .choice(Manifest.SampleFormat.allCases.map(\.rawValue))
    case .rate: .whole(RecordingFormat.rates)
    case .quality: .number(.none, 0...1)
    case .bitRate: .whole(Limits.bitRate)
    case .start: .choice(Manifest.Start.allCases.map(\.rawValue))
    case .overwrite: .toggle
    }
  }

  var isRequired: Bool { self == .file }
}

/// The ranges of numbers that are not a processor's parameters.
enum Limits {
  /// The gain of a player and of a mixer, in dB.
  static let nodeGain = whole(StreamSource.gain)
  /// A volume over time, as a linear factor, up to ``nodeGain``.
  static let factor = 0.0...15.8
  /// The ceiling of a playback node, in dBFS.
  static let ceiling = whole(NodeKind.ceiling)
  /// The gain of a wire, in dB. Together with a mixer's gain, it stays below the graph's limit of 60 dB.
  static let wireGain = Double(Decibels.wireSilence)...36.0
  /// The fader of a wire, as a linear factor within ``wireGain``.
  static let volume = 0.0...63.0
  /// The deadline of an isolated plugin, in milliseconds.
  static let deadline = 0.05...1000.0
  /// The number of times that a player plays its file, if not forever.
  static let loops = 1...1_000_000
  /// The number of channels of a bus.
  static let channels = 1...BusFormat.mostChannels
  /// The bit rate of any codec and number of channels, in bits a second.
  static let bitRate = 6000...100_000_000
  /// The delay of a feedback wire, in frames.
  static let feedbackDelay = 16...480_000
  /// The number of the first physical port.
  static let physicalPort = 1...1024
  /// The maximum lengths of a JACK port's name and of a pattern for names, in bytes.
  static let portName = 320, portPattern = 1024

  /// Returns the whole range of a parameter.
  private static func whole(_ parameter: ParameterInfo) -> ClosedRange<Double> {
    Double(parameter.range.lowerBound)...Double(parameter.range.upperBound)
  }
}
