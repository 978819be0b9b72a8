// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
package import SwiftletLV2

/// What a musician wrote down: nodes, the wires between them, and the taps that record.
///
/// A value. It says what the text says and no more: whether its names exist is found by checking it against
/// what is installed. Manifests that say the same are equal wherever they are written.
public struct Manifest: Sendable, Equatable {
  /// The version of the manifest's language that this program reads.
  public static let version = 1
  /// How many frames a block may have that is rendered without a server.
  package static let blockLengths = 1...65_536

  /// The name of the JACK client; nil where the file's stem serves.
  public var name: String?
  /// The frames of a block that is rendered without a server; nil if the manifest does not say.
  package var blockLength: Int?
  /// Whether plugins run in other processes unless they say otherwise.
  package var isolation = Isolation.none
  /// What it is for, and how it lives with others; nil where nothing is said.
  public var session: AudioSession?
  /// How bars and beats lie in time: tempos and meters; nil where nothing is said.
  public var tempo: TempoMap?
  /// Whose time the timeline is.
  public var transport = TransportChoice.own
  /// The range of the timeline that plays again and again; nil where none does.
  public var loop: Range<MediaTime>?
  /// When the timeline starts.
  public var start = TimelineStart.now
  /// The picture: clips of movies, in the order of the text.
  public var video: [Piece] = []
  /// How parameters, volumes and pans move over time, in the order of the text.
  public var lanes: [Lane] = []
  /// How the level and the place of all ways out move.
  public var master: [Move] = []
  /// The nodes, in the order of the text, and behind them the tracks of the timeline.
  public var nodes: [Node]
  /// The wires, in the order of the text, a chain cut into its links.
  public var wires: [Wire]
  /// The taps, in the order of the text.
  public var taps: [Tap]

  /// A manifest of these parts.
  public init(
    name: String? = nil, session: AudioSession? = nil, tempo: TempoMap? = nil, nodes: [Node] = [],
    wires: [Wire] = [], taps: [Tap] = []
  ) {
    self.name = name
    self.session = session
    self.tempo = tempo
    self.nodes = nodes
    self.wires = wires
    self.taps = taps
  }
}

extension Manifest {
  /// Something that sound or events come from, go through, or go to.
  public struct Node: Sendable, Equatable {
    /// What it is called: lower-case words joined by hyphens.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// Which ports of the outside world it is connected to; nil where nothing
    /// is said: the next physical ports.
    public var connection: Connection?
    /// The files that an effect is made with.
    public var files: [File]
    /// The folder of the state that a plugin starts with.
    package var state: Text?
    /// What a MIDI program change does; nil is the default.
    package var programChange: ProgramChangeUse?
    /// Whether its plugin runs in another process; nil where nothing is said.
    package var isolation: Isolation?
    /// What is heard of its plugin once its process has failed; nil where nothing is said.
    package var onFailure: PluginIsolation.Failure?
    /// How long its isolated plugin is waited for in a block, in milliseconds; nil where nothing is said.
    package var deadline: Double?
    /// Parameters and the values they start with.
    public var settings: [Setting]
    /// The preset it starts with: a name, a label or a URI.
    public var preset: Text?
    /// Whether sound passes it by.
    public var isBypassed: Bool
    /// How often a player plays its file.
    public var loop: Loops
    /// How fast and how high a player plays its file.
    public var stretch: Stretch
    /// What changes speed and pitch, in players and in effects that have a choice: the raw value of a
    /// ``StretchEngine``. Nil for the usual one.
    public var engine: Text?
    /// How much louder it is made, in decibels; 0 leaves the sound as it is.
    public var gain: Double
    /// The true peak that a way out never passes, in dBFS; nil for no limit.
    public var ceiling: Double?
    /// How many channels wide it is; nil where its wires decide.
    public var channels: Int?
    /// Where it is written.
    public var place: Place

    /// A node that differs from the defaults only in what is said.
    public init(
      _ name: String, _ kind: Kind, connection: Connection? = nil, files: [File] = [],
      settings: [Setting] = [],
      preset: Text? = nil, isBypassed: Bool = false, loop: Loops = .once,
      stretch: Stretch = Stretch(), engine: Text? = nil, gain: Double = 0,
      ceiling: Double? = nil, channels: Int? = nil,
      place: Place = .start
    ) {
      self.name = name
      self.kind = kind
      self.connection = connection
      self.files = files
      self.settings = settings
      self.preset = preset
      self.isBypassed = isBypassed
      self.loop = loop
      self.stretch = stretch
      self.engine = engine
      self.gain = gain
      self.ceiling = ceiling
      self.channels = channels
      self.place = place
    }
  }

  /// What a node is.
  public enum Kind: Sendable, Equatable {
    /// A way in for sound, with so many channels.
    case capture(Int)
    /// A way out for sound, with so many channels.
    case playback(Int)
    /// A way in for MIDI.
    case midiIn
    /// A way out for MIDI.
    case midiOut
    /// A built-in effect, by its symbol.
    case effect(Text)
    /// An LV2 plugin, by its URI.
    case lv2(Text)
    /// Adds up what comes in, in so many channels.
    case mixer(Int)
    /// Plays a sound file; its path, relative to the manifest.
    case player(Text)
    /// A track of the timeline.
    case track(Track)
  }

  /// Some text and where it stands.
  public struct Text: Sendable, Equatable {
    /// The text.
    public var text: String
    /// Where it is written.
    public var place: Place

    /// Text at a place.
    public init(_ text: String, place: Place = .start) {
      self.text = text
      self.place = place
    }
  }

  /// Which ports of the outside world a node is connected to.
  public enum Connection: Sendable, Equatable {
    /// To none.
    case nowhere
    /// To the physical ports from number `first` on, counted from 1, one a channel.
    case physical(first: Int)
    /// To the ports whose full names match a regular expression as a whole.
    case pattern(String)
    /// To these ports in this order, by full name; a name without a colon
    /// stands for all ports of that client.
    case ports([String])
    /// To the first of these that is there, now and whenever ports come and go.
    case firstOf([Connection])

    /// What is tried, best first; one connection where there is no choice.
    var alternatives: [Connection] {
      if case .firstOf(let connections) = self { connections.flatMap(\.alternatives) } else { [self] }
    }
  }

  /// A file that an effect is made with.
  public struct File: Sendable, Equatable {
    /// What the effect calls it.
    public var name: Text
    /// Its path, relative to the manifest.
    public var path: Text

    /// Names a file.
    public init(_ name: Text, _ path: Text) {
      self.name = name
      self.path = path
    }
  }

  /// A parameter and the value it is given.
  public struct Setting: Sendable, Equatable {
    /// The parameter's symbol, or that of the bands.
    public var parameter: Text
    /// Its value.
    public var value: Value

    /// Gives a parameter a value.
    public init(_ parameter: Text, _ value: Value) {
      self.parameter = parameter
      self.value = value
    }
  }

  /// A value as it is written. What it means is up to the parameter.
  public enum Value: Sendable, Equatable {
    /// A number with or without a unit, a word, `true` or `false`.
    case text(Text)
    /// Settings for each of the bands.
    case bands([Band], place: Place)
    /// Some values: a vector.
    case list([Text], place: Place)
  }

  /// The settings of one band.
  public struct Band: Sendable, Equatable {
    /// Parameters of the band and their values.
    public var settings: [Setting]
    /// Where it is written.
    public var place: Place

    /// A band with these settings.
    public init(_ settings: [Setting], place: Place = .start) {
      self.settings = settings
      self.place = place
    }
  }
}
